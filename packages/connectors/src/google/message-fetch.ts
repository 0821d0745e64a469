import {
  type ConnectorRecord,
  orderedParallel,
  ProviderError,
  type ProviderFailure,
  type ReadRequest,
} from '../sdk/index.ts';
import { readMail } from './mail-reading.ts';

/** The fields of a message that are read; trims bytes, not units. */
const FIELDS = 'id,threadId,labelIds,snippet,historyId,internalDate,sizeEstimate,payload';
/** Those that `format=minimal` has. */
const OUTLINE = 'id,threadId,labelIds,snippet,historyId,internalDate,sizeEstimate';

/** A message that is there, and whose content Gmail fails to give. */
export interface Unreadable {
  failure: ProviderError;
  /** The message as Gmail tells of it without its content: with its labels and its date. */
  outline: ConnectorRecord;
}

/** What reading a message gave; undefined for one that is gone. */
export type Fetched = ConnectorRecord | Unreadable | undefined;

export function isUnreadable(fetched: Fetched): fetched is Unreadable {
  return fetched !== undefined && 'failure' in fetched;
}

/** Failures that may be one message's own: Gmail fails at some, however often it is asked. */
const OWN: readonly ProviderFailure[] = ['invalid', 'unavailable', 'malformed'];

/** One message. @throws ProviderError when Gmail does not even give its outline */
export async function fetchMessage(request: ReadRequest, id: string, signal: AbortSignal): Promise<Fetched> {
  const ask = async (query: { format: string; fields: string }) => {
    const { body } = await request.client.get({
      path: `/gmail/v1/users/me/messages/${encodeURIComponent(id)}`,
      query,
      units: 20,
      signal,
      parse: (json) => readMail('message', json),
    });
    const record = body?.[0];
    if (!record) throw new ProviderError('malformed', 'Gmail sent no message.');
    return record;
  };
  let failure: ProviderError;
  try {
    return await ask({ format: 'full', fields: FIELDS });
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    if (error.failure === 'not-found') return undefined;
    if (!OWN.includes(error.failure)) throw error;
    failure = error;
  }
  try {
    return { failure, outline: await ask({ format: 'minimal', fields: OUTLINE }) };
  } catch (error) {
    if (error instanceof ProviderError && error.failure === 'not-found') return undefined;
    throw failure;
  }
}

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
      parse: (json) => readMail('thread', json),
    });
    return new Map((answer.body ?? []).map((record) => [record.id, record]));
  } catch (error) {
    if (error instanceof ProviderError && ALONE.includes(error.failure)) return new Map();
    throw error;
  }
}

/** Messages by id, several at once, in the order of the ids. */
export function fetchMessages(
  request: ReadRequest,
  ids: string[],
): AsyncGenerator<{ id: string; record: Fetched }> {
  return orderedParallel(
    ids,
    () => request.client.prefetchCount,
    async (id, signal) => ({
      id,
      record: await fetchMessage(request, id, signal),
    }),
  );
}
