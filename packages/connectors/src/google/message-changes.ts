import { z } from 'zod';
import { type Completion, type Page, ProviderError, type ReadRequest } from '../sdk/index.ts';
import { fetchMessages } from './message-fetch.ts';

const PAGE_SIZE = 100;
const MAX_PAGES = 1000;
const change = z.object({ message: z.object({ id: z.string() }) });
const changes = z.array(change).default([]);
const historySchema = z.object({
  history: z
    .array(
      z.object({
        messagesAdded: changes,
        messagesDeleted: changes,
        labelsAdded: changes,
        labelsRemoved: changes,
      }),
    )
    .default([]),
  historyId: z.string(),
  nextPageToken: z.string().optional(),
});

/** Ids of the messages that history names, and the mailbox's history id as the first page gave it. */
async function listChanges(
  request: ReadRequest,
  since: string,
): Promise<{ ids: string[]; historyId: string }> {
  const ids = new Set<string>();
  let historyId: string | undefined;
  let pageToken: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const answer = await request.client
      .get({
        path: '/gmail/v1/users/me/history',
        query: { startHistoryId: since, maxResults: '500', pageToken },
        units: 2,
      })
      .catch((error) => {
        const isGone =
          error instanceof ProviderError && (error.failure === 'not-found' || error.failure === 'invalid');
        throw isGone
          ? new ProviderError('cursor-expired', 'Gmail no longer keeps the changes since the last sync.', {
              cause: error,
            })
          : error;
      });
    const parsed = historySchema.safeParse(answer.body);
    if (!parsed.success)
      throw new ProviderError('malformed', 'Gmail sent a history that cannot be read.', {
        cause: parsed.error,
      });
    historyId ??= parsed.data.historyId;
    for (const entry of parsed.data.history) {
      for (const list of [
        entry.messagesAdded,
        entry.messagesDeleted,
        entry.labelsAdded,
        entry.labelsRemoved,
      ]) {
        for (const item of list) ids.add(item.message.id);
      }
    }
    const next = parsed.data.nextPageToken;
    if (next === undefined || next === pageToken) break;
    pageToken = next;
  }
  return { ids: [...ids], historyId: historyId ?? since };
}

/** The changes since a history id, applied to the scope of `labelIds`. History may repeat and reorder: each message is read anew. */
export async function* readChanges(
  request: ReadRequest,
  labelIds: string[],
  since: string,
): AsyncGenerator<Page, Completion> {
  const { ids, historyId } = await listChanges(request, since);
  for (let offset = 0; offset < ids.length; offset += PAGE_SIZE) {
    const chunk = ids.slice(offset, offset + PAGE_SIZE);
    const page: Page = { records: [], removed: [], checkpoint: null };
    for await (const { id, record } of fetchMessages(request, chunk)) {
      const labels = record ? (record.facets.labels as string[]) : [];
      if (record && labels.some((label) => labelIds.includes(label))) page.records.push(record);
      else page.removed?.push(id);
    }
    yield page;
  }
  return { cursor: { historyId }, truncated: false };
}
