import {
  type ConnectorRecord,
  orderedParallel,
  ProviderError,
  type ProviderFailure,
  type ReadRequest,
} from '../sdk/index.ts';
import type { TextResponse } from './mail-parsing.ts';
import type { TextApart } from './mail-parts.ts';
import type { MailRecord } from './mail-record.ts';
import { readMail } from './parse-in-thread.ts';

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

/** Failures of a text that is fetched on its own, after which the message is stored without it. */
const TEXT_FAILURES: readonly ProviderFailure[] = ['not-found', ...MESSAGE_FAILURES];
/** Largest message that is kept while its texts are fetched, bytes; such messages have few texts of their own. */
const MAX_KEPT_BYTES = 8 * 1024 * 1024;

/** Returns the path of a message. */
export const pathOf = (id: string) => `/gmail/v1/users/me/messages/${encodeURIComponent(id)}`;
const mayHaveTextsApart = (json: Buffer) => json.length <= MAX_KEPT_BYTES && json.includes('"attachmentId"');

const withoutTexts = ({ textsApart: _, ...record }: MailRecord): ConnectorRecord => record;

/** Fetches the texts of a message that Gmail returns on their own: those with a file name, and large ones. */
async function fetchTexts(
  { client }: ReadRequest,
  { id, textsApart }: { id: string; textsApart: readonly TextApart[] },
  signal: AbortSignal,
): Promise<TextResponse[]> {
  const found: TextResponse[] = [];
  for (const { partId, attachmentId } of textsApart) {
    try {
      const path = `${pathOf(id)}/attachments/${encodeURIComponent(attachmentId)}`;
      const { body } = await client.get({
        path,
        query: { fields: 'data' },
        units: 20,
        signal,
        parse: (json) => json,
      });
      if (body) found.push({ partId, json: body });
    } catch (error) {
      if (!(error instanceof ProviderError) || !TEXT_FAILURES.includes(error.failure)) throw error;
    }
  }
  return found;
}

/** Fetches one message. @throws ProviderError when even the minimal format fails */
export async function fetchMessage(
  request: ReadRequest,
  id: string,
  signal: AbortSignal,
): Promise<FetchResult> {
  const fetchAs = async (query: { format: string; fields: string }) => {
    let copy: Buffer | undefined;
    const { body } = await request.client.get({
      path: pathOf(id),
      query,
      units: 20,
      signal,
      parse: (json) => {
        copy = mayHaveTextsApart(json) ? Buffer.from(json) : undefined;
        return readMail('message', json);
      },
    });
    const record = body?.[0];
    if (!record) throw new ProviderError('malformed', 'Gmail sent no message.');
    const { textsApart = [] } = record;
    const texts = copy ? await fetchTexts(request, { id, textsApart }, signal) : [];
    if (!copy || texts.length === 0) return withoutTexts(record);
    // A message that is too large with its texts is stored without them.
    const [complete] = await readMail('message', copy, texts).catch(() => [record]);
    return withoutTexts(complete ?? record);
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
    // A message that lacks texts is fetched singly, with them.
    const whole = (answer.body ?? []).filter(({ textsApart }) => textsApart === undefined);
    return new Map(whole.map((record) => [record.id, record]));
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
