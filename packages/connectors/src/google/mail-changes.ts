import { z } from 'zod';
import {
  type Completion,
  type ConnectorRecord,
  type Page,
  type ProviderClient,
  ProviderError,
  parseSaved,
  type ReadRequest,
  WantedRecords,
} from '../sdk/index.ts';
import { idSchema, listOf, pageTokenSchema } from './fields.ts';
import { fetchMessages, isUnreadable } from './mail-fetch.ts';
import { checkLabels } from './mail-labels.ts';
import { isInScope } from './mail-scope.ts';
import { addUnreadable, unreadableSchema } from './mail-unreadable.ts';

const PAGE_SIZE = 100;
const MAX_PAGES = 1000;
const changedMessages = listOf(z.object({ message: z.object({ id: idSchema }) }));
const historySchema = z.object({
  history: listOf(
    z.object({
      messagesAdded: changedMessages,
      messagesDeleted: changedMessages,
      labelsAdded: changedMessages,
      labelsRemoved: changedMessages,
    }),
  ),
  historyId: z.string(),
  nextPageToken: pageTokenSchema,
});
type History = z.infer<typeof historySchema>;

/** Start of an incremental run: the history id, and the ids of messages that could not be read before. */
export const cursorSchema = z.object({ historyId: z.string(), unreadable: unreadableSchema });
export type Cursor = z.infer<typeof cursorSchema>;

/** Position of an incremental run, which processes ids in descending order: `after` is the last processed id. */
const checkpointSchema = cursorSchema.extend({ after: z.string() });

/** The changes since a cursor. */
interface Changes {
  /** Changed and previously unreadable messages by descending id: about newest first, and stable across a resume. */
  ids: string[];
  /** Permanently deleted messages; Gmail does not reuse ids. */
  deleted: Set<string>;
  /** The mailbox's history id in the first page. */
  historyId: string;
}

async function fetchHistory(
  request: Pick<ReadRequest, 'client'>,
  since: string,
  pageToken: string | undefined,
): Promise<History> {
  const answer = await request.client
    .get({
      path: '/gmail/v1/users/me/history',
      query: { startHistoryId: since, maxResults: '500', pageToken },
      units: 2,
    })
    .catch((error) => {
      const isExpired =
        error instanceof ProviderError && (error.failure === 'not-found' || error.failure === 'invalid');
      throw isExpired ? historyExpiredError(error) : error;
    });
  const parsed = historySchema.safeParse(answer.body);
  if (parsed.success) return parsed.data;
  throw new ProviderError('malformed', 'Gmail sent a history that cannot be read.', { cause: parsed.error });
}

function historyExpiredError(cause?: unknown): ProviderError {
  return new ProviderError('cursor-expired', 'Gmail no longer keeps the changes since the last sync.', {
    cause,
  });
}

function idsIn({ history }: History): string[] {
  return history.flatMap(({ messagesAdded, messagesDeleted, labelsAdded, labelsRemoved }) =>
    [...messagesAdded, ...messagesDeleted, ...labelsAdded, ...labelsRemoved].map(({ message }) => message.id),
  );
}

/** Counts the messages to read since a cursor, from one history page; undefined when the cursor has expired. */
export async function countChanges(client: ProviderClient, since: Cursor): Promise<number | undefined> {
  try {
    const changed = idsIn(await fetchHistory({ client }, since.historyId, undefined));
    return new Set([...since.unreadable, ...changed]).size;
  } catch (error) {
    if (error instanceof ProviderError && error.failure === 'cursor-expired') return undefined;
    throw error;
  }
}

/** @throws ProviderError `cursor-expired`, also for an endless list, since its missing changes would be lost */
async function listChanges(request: ReadRequest, since: Cursor): Promise<Changes> {
  const ids = new Set<string>(since.unreadable);
  const deleted = new Set<string>();
  let historyId: string | undefined;
  let pageToken: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const found = await fetchHistory(request, since.historyId, pageToken);
    historyId ??= found.historyId;
    for (const { messagesDeleted } of found.history)
      for (const { message } of messagesDeleted) deleted.add(message.id);
    for (const id of idsIn(found)) ids.add(id);
    if (found.nextPageToken === undefined)
      return { ids: [...ids].sort().reverse(), deleted, historyId: historyId ?? since.historyId };
    if (found.nextPageToken === pageToken) break;
    pageToken = found.nextPageToken;
  }
  throw historyExpiredError();
}

function arrivalOf({ columns }: ConnectorRecord): number {
  return (columns.received_at as Date | null)?.getTime() ?? Number.POSITIVE_INFINITY;
}

/**
 * Yields the changes since a cursor, applied to the scope of `labelIds`. History may repeat and reorder entries, so each
 * message is fetched again. The next run includes changes made during this one.
 * @throws ProviderError `cursor-expired` also when more messages changed than the limit: a full run then costs less
 */
export async function* readChanges(
  request: ReadRequest,
  labelIds: string[],
  since: Cursor,
): AsyncGenerator<Page, Completion> {
  const resumed = parseSaved(checkpointSchema, request.checkpoint);
  const { ids, deleted, historyId: current } = await listChanges(request, since);
  const historyId = resumed?.historyId ?? current;
  if (ids.length - deleted.size > request.limit) throw historyExpiredError();
  const remaining = resumed ? ids.filter((id) => id < resumed.after) : ids;
  const total = await checkLabels(request.client, labelIds);
  const counted = total === undefined || request.since !== undefined ? {} : { total };
  const choice = new WantedRecords(request);
  const unreadable = [...(resumed?.unreadable ?? [])];
  for (let offset = 0; offset < remaining.length; offset += PAGE_SIZE) {
    const chunk = remaining.slice(offset, offset + PAGE_SIZE);
    const removed = chunk.filter((id) => deleted.has(id));
    const kept = chunk.filter((id) => !deleted.has(id));
    const records: ConnectorRecord[] = [];
    const reportedCount = unreadable.length;
    const pageAfter = (after: string): Page => ({
      records,
      removed,
      unreadable: unreadable.slice(reportedCount),
      checkpoint: { historyId, unreadable: [...unreadable], after },
      ...counted,
    });
    let read: string | undefined;
    try {
      for await (const { id, record } of fetchMessages(request, kept)) {
        const known = isUnreadable(record) ? record.minimalRecord : record;
        if (!known || !isInScope(known.columns.labels as string[], labelIds)) removed.push(id);
        else if (isUnreadable(record)) addUnreadable(unreadable, id, record);
        else records.push(...(await choice.choose([known], arrivalOf)));
        read = id;
      }
    } catch (error) {
      // Keep the messages already read, which cost quota; the next attempt continues after them.
      if (read !== undefined) yield pageAfter(read);
      throw error;
    }
    yield pageAfter(chunk.at(-1) as string);
  }
  // `after: ''` means done, since no id is less than the empty text.
  if (remaining.length === 0)
    yield { records: [], checkpoint: { historyId, unreadable, after: '' }, ...counted };
  return { cursor: { historyId, unreadable }, truncated: false };
}
