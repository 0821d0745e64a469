import { z } from 'zod';
import {
  type Completion,
  type ConnectorRecord,
  type Page,
  type ProviderClient,
  ProviderError,
  parseSaved,
  type ReadRequest,
} from '../sdk/index.ts';
import { idSchema, listOf, pageTokenSchema } from './fields.ts';
import { fetchMessages, isUnreadable } from './message-fetch.ts';
import { checkLabels } from './message-labels.ts';
import { isInScope } from './message-scope.ts';
import { noteUnreadable, unreadableSchema } from './message-unreadable.ts';

const PAGE_SIZE = 100;
const MAX_PAGES = 1000;
const changes = listOf(z.object({ message: z.object({ id: idSchema }) }));
const historySchema = z.object({
  history: listOf(
    z.object({
      messagesAdded: changes,
      messagesDeleted: changes,
      labelsAdded: changes,
      labelsRemoved: changes,
    }),
  ),
  historyId: z.string(),
  nextPageToken: pageTokenSchema,
});
type History = z.infer<typeof historySchema>;

/** Where an incremental run begins. */
export const cursorSchema = z.object({ historyId: z.string(), unreadable: unreadableSchema });
export type Cursor = z.infer<typeof cursorSchema>;

/** Where an incremental run stands: changes are worked off by descending id, the last done was `after`. */
const checkpointSchema = cursorSchema.extend({ after: z.string() });

interface Changes {
  /** Messages that history names, or that could not be read before, by descending id: roughly newest first, and the same order after a resume. */
  ids: string[];
  /** Those deleted for good: ids never return. */
  deleted: Set<string>;
  /** The mailbox's history id as the first page gave it. */
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
      const isGone =
        error instanceof ProviderError && (error.failure === 'not-found' || error.failure === 'invalid');
      throw isGone ? historyGone(error) : error;
    });
  const parsed = historySchema.safeParse(answer.body);
  if (parsed.success) return parsed.data;
  throw new ProviderError('malformed', 'Gmail sent a history that cannot be read.', { cause: parsed.error });
}

function historyGone(cause?: unknown): ProviderError {
  return new ProviderError('cursor-expired', 'Gmail no longer keeps the changes since the last sync.', {
    cause,
  });
}

function idsIn({ history }: History): string[] {
  return history.flatMap(({ messagesAdded, messagesDeleted, labelsAdded, labelsRemoved }) =>
    [...messagesAdded, ...messagesDeleted, ...labelsAdded, ...labelsRemoved].map(({ message }) => message.id),
  );
}

/** How many messages are to be read since a cursor, as far as one page tells; undefined when Gmail no longer knows it. */
export async function countChanges(client: ProviderClient, since: Cursor): Promise<number | undefined> {
  try {
    const changed = idsIn(await fetchHistory({ client }, since.historyId, undefined));
    return new Set([...since.unreadable, ...changed]).size;
  } catch (error) {
    if (error instanceof ProviderError && error.failure === 'cursor-expired') return undefined;
    throw error;
  }
}

/** @throws ProviderError `cursor-expired` also when the list does not end: what it left out would be lost */
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
  throw historyGone();
}

/**
 * The changes since a cursor, applied to the scope of `labelIds`. History may repeat and reorder: each message is
 * read anew. What changes again meanwhile is brought by the next run.
 * @throws ProviderError `cursor-expired` too when more changed than the limit lets in: a full run costs less then
 */
export async function* readChanges(
  request: ReadRequest,
  labelIds: string[],
  since: Cursor,
): AsyncGenerator<Page, Completion> {
  const resumed = parseSaved(checkpointSchema, request.checkpoint);
  const { ids, deleted, historyId: current } = await listChanges(request, since);
  const historyId = resumed?.historyId ?? current;
  if (ids.length - deleted.size > request.limit) throw historyGone();
  const left = resumed ? ids.filter((id) => id < resumed.after) : ids;
  const total = await checkLabels(request.client, labelIds);
  const counted = total === undefined ? {} : { total };
  const unreadable = [...(resumed?.unreadable ?? [])];
  for (let offset = 0; offset < left.length; offset += PAGE_SIZE) {
    const chunk = left.slice(offset, offset + PAGE_SIZE);
    const removed = chunk.filter((id) => deleted.has(id));
    const kept = chunk.filter((id) => !deleted.has(id));
    const records: ConnectorRecord[] = [];
    const told = unreadable.length;
    const pageAfter = (after: string): Page => ({
      records,
      removed,
      unreadable: unreadable.slice(told),
      checkpoint: { historyId, unreadable: [...unreadable], after },
      ...counted,
    });
    let read: string | undefined;
    try {
      for await (const { id, record } of fetchMessages(request, kept)) {
        const known = isUnreadable(record) ? record.outline : record;
        if (!known || !isInScope(known.columns.labels as string[], labelIds)) removed.push(id);
        else if (isUnreadable(record)) noteUnreadable(unreadable, id, record);
        else records.push(known);
        read = id;
      }
    } catch (error) {
      // What was read has cost its units: it is kept, and who goes on does so behind it.
      if (read !== undefined) yield pageAfter(read);
      throw error;
    }
    yield pageAfter(chunk.at(-1) as string);
  }
  // No id is less than the empty one: nothing is left to do.
  if (left.length === 0) yield { records: [], checkpoint: { historyId, unreadable, after: '' }, ...counted };
  return { cursor: { historyId, unreadable }, truncated: false };
}
