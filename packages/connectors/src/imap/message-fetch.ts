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

/**
 * Reads messages by UID. One unreadable message makes the whole request fail, so a failed request is bisected; a message
 * that fails by itself is read without its source. @throws ProviderError if that fails too
 */
async function readMessages(
  session: ImapSession,
  mailboxRef: MailboxRef,
  uids: readonly number[],
): Promise<ReadMessages[]> {
  try {
    return [await session.request({ messages: { uids, mailboxRef, withoutSource: false } })];
  } catch (error) {
    if (!isRefusedOrUnreadable(error)) throw error;
  }
  if (uids.length === 1)
    return [await session.request({ messages: { uids, mailboxRef, withoutSource: true } })];
  const middle = Math.ceil(uids.length / 2);
  const first = await readMessages(session, mailboxRef, uids.slice(0, middle));
  return [...first, ...(await readMessages(session, mailboxRef, uids.slice(middle)))];
}

/** Returns the records of messages by UID, without deleted messages. @throws ProviderError */
export async function fetchRecords(
  session: ImapSession,
  mailboxRef: MailboxRef,
  uids: readonly number[],
): Promise<Map<number, ConnectorRecord>> {
  if (uids.length === 0) return new Map();
  const read = await readMessages(session, mailboxRef, uids);
  return new Map(
    read.flatMap((part) =>
      receiveRecords(part.records).map((record, index) => [part.uids[index] ?? 0, record]),
    ),
  );
}
