import { type ConnectorRecord, ProviderError, receiveRecords } from '../sdk/index.ts';
import type { MailboxRef } from './message-columns.ts';
import type { ReadMessages } from './message-read.ts';
import type { ImapSession } from './session.ts';

/** Messages per request and per page. */
export const PAGE_SIZE = 100;

/** Returns whether the server refused the request or its response could not be read, so that a smaller one may succeed. */
function isRefusedOrUnreadable(error: unknown): boolean {
  return error instanceof ProviderError && (error.failure === 'invalid' || error.failure === 'malformed');
}

/** Messages to read. */
export interface FetchRequest {
  uids: readonly number[];
  mailboxRef: MailboxRef;
  /** Whether a server that refuses all of the messages is an error. */
  mustAnswer: boolean;
}

/**
 * Reads messages by UID. One unreadable message makes the whole request fail, so a failed request is bisected; a message
 * that fails by itself is read without its source. @throws ProviderError if that fails too
 */
async function readMessages(session: ImapSession, request: FetchRequest): Promise<ReadMessages[]> {
  const { uids } = request;
  try {
    return [await session.request({ messages: { ...request, withoutSource: false } })];
  } catch (error) {
    if (!isRefusedOrUnreadable(error)) throw error;
  }
  if (uids.length === 1) return [await session.request({ messages: { ...request, withoutSource: true } })];
  const middle = Math.ceil(uids.length / 2);
  const first = await readMessages(session, { ...request, uids: uids.slice(0, middle) });
  return [...first, ...(await readMessages(session, { ...request, uids: uids.slice(middle) }))];
}

/** Records by UID. */
export interface FetchedRecords {
  records: Map<number, ConnectorRecord>;
  /** UIDs whose content, or all of it, the server did not send; the next run must ask again. */
  askAgain: Set<number>;
}

/** Returns the records of messages, without those that the server does not send. @throws ProviderError */
export async function fetchRecords(session: ImapSession, request: FetchRequest): Promise<FetchedRecords> {
  const read = request.uids.length === 0 ? [] : await readMessages(session, request);
  const records = new Map(
    read.flatMap((part) =>
      receiveRecords(part.records).map((record, index) => [part.uids[index] ?? 0, record] as const),
    ),
  );
  const withoutContent = read.flatMap((part) => part.withoutContent);
  const askAgain = new Set([...request.uids.filter((uid) => !records.has(uid)), ...withoutContent]);
  return { records, askAgain };
}
