import {
  type ConnectorRecord,
  orderedParallel,
  ProviderError,
  type ProviderFailure,
  type ReadRequest,
} from '../sdk/index.ts';
import { readMail } from './mail-reading.ts';

/** The requested fields of a message; limits the bytes but not the quota units. */
const FIELDS = 'id,threadId,labelIds,snippet,historyId,internalDate,sizeEstimate,payload';
/** The fields available with `format=minimal`. */
const MINIMAL_FIELDS = 'id,threadId,labelIds,snippet,historyId,internalDate,sizeEstimate';

/** An existing message whose content Gmail fails to return. */
export interface UnreadableMessage {
  failure: ProviderError;
  /** The message without its content, with its labels and its date. */
  minimalRecord: ConnectorRecord;
}

/** The result of fetching a message; undefined for a deleted one. */
export type FetchResult = ConnectorRecord | UnreadableMessage | undefined;

export function isUnreadable(fetched: FetchResult): fetched is UnreadableMessage {
  return fetched !== undefined && 'failure' in fetched;
}

/** Failures that may concern a single message: Gmail permanently fails for some messages. */
const MESSAGE_FAILURES: readonly ProviderFailure[] = ['invalid', 'unavailable', 'malformed'];

/** Fetches one message. @throws ProviderError when even the minimal format fails */
export async function fetchMessage(
  request: ReadRequest,
  id: string,
  signal: AbortSignal,
): Promise<FetchResult> {
  const fetchAs = async (query: { format: string; fields: string }) => {
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
    return await fetchAs({ format: 'full', fields: FIELDS });
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    if (error.failure === 'not-found') return undefined;
    if (!MESSAGE_FAILURES.includes(error.failure)) throw error;
    failure = error;
  }
  try {
    return { failure, minimalRecord: await fetchAs({ format: 'minimal', fields: MINIMAL_FIELDS }) };
  } catch (error) {
    if (error instanceof ProviderError && error.failure === 'not-found') return undefined;
    throw failure;
  }
}

/** Failures of a thread (deleted, too large, or with an unreadable message) after which messages are fetched singly. */
const THREAD_FAILURES: readonly ProviderFailure[] = ['not-found', 'invalid', 'unavailable', 'malformed'];

/** Fetches a thread's messages by id; returns an empty map when it fails. Costs the quota of two messages. */
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
    if (error instanceof ProviderError && THREAD_FAILURES.includes(error.failure)) return new Map();
    throw error;
  }
}

/** Fetches several messages at once and yields them in the order of the ids. */
export function fetchMessages(
  request: ReadRequest,
  ids: string[],
): AsyncGenerator<{ id: string; record: FetchResult }> {
  return orderedParallel(
    ids,
    () => request.client.prefetchCount,
    async (id, signal) => ({
      id,
      record: await fetchMessage(request, id, signal),
    }),
  );
}
