import { z } from 'zod';
import {
  type ConnectorRecord,
  orderedParallel,
  ProviderError,
  type ProviderFailure,
  type ReadRequest,
} from '../sdk/index.ts';
import { idSchema, listOf } from './fields.ts';
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

const threadSchema = z.object({ messages: listOf(z.looseObject({ id: idSchema })) });

/** A thread may be gone, too large to be sent or read, or hold one message that Gmail fails at: then each is read alone. */
const ALONE: readonly ProviderFailure[] = ['not-found', 'invalid', 'unavailable', 'malformed'];

/** The messages of a thread by id; none when it cannot be read as a whole. Costs as much of the quota as two messages. */
export async function fetchThread(
  request: ReadRequest,
  threadId: string,
  signal: AbortSignal,
): Promise<Map<string, ConnectorRecord>> {
  try {
    const answer = await request.client.get({
      path: `/gmail/v1/users/me/threads/${encodeURIComponent(threadId)}`,
      query: { format: 'full', fields: `messages(${FIELDS})` },
      units: 40,
      signal,
    });
    const messages = threadSchema.safeParse(answer.body ?? {}).data?.messages ?? [];
    return new Map(messages.map((message) => [message.id, messageRecord(message)]));
  } catch (error) {
    if (error instanceof ProviderError && ALONE.includes(error.failure)) return new Map();
    throw error;
  }
}

/** Messages by id, several at once, in the order of the ids; `record` is absent for one that is gone. */
export function fetchMessages(
  request: ReadRequest,
  ids: string[],
): AsyncGenerator<{ id: string; record: ConnectorRecord | undefined }> {
  return orderedParallel(
    ids,
    () => request.client.ahead,
    async (id, signal) => ({
      id,
      record: await fetchMessage(request, id, signal),
    }),
  );
}
