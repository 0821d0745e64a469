import { type ConnectorRecord, orderedParallel, ProviderError, type ReadRequest } from '../sdk/index.ts';
import { messageRecord } from './message-record.ts';

/** The fields of a message that are read; trims bytes, not units. */
const FIELDS = 'id,threadId,labelIds,snippet,historyId,internalDate,sizeEstimate,payload';

/** One message; undefined for one that is gone. */
export async function fetchMessage(
  request: ReadRequest,
  id: string,
  signal: AbortSignal,
): Promise<ConnectorRecord | undefined> {
  try {
    const path = `/gmail/v1/users/me/messages/${encodeURIComponent(id)}`;
    const answer = await request.client.get({
      path,
      query: { format: 'full', fields: FIELDS },
      units: 20,
      signal,
    });
    return messageRecord(answer.body);
  } catch (error) {
    if (error instanceof ProviderError && error.failure === 'not-found') return undefined;
    throw error;
  }
}

/** Messages by id, several at once, in the order of the ids; `record` is absent for one that is gone. */
export function fetchMessages(
  request: ReadRequest,
  ids: string[],
): AsyncGenerator<{ id: string; record: ConnectorRecord | undefined }> {
  return orderedParallel(ids, request.client.concurrency, async (id, signal) => ({
    id,
    record: await fetchMessage(request, id, signal),
  }));
}
