/** Fetches messages and converts them to records. Runs in the session thread. */
import type { FetchMessageObject } from 'imapflow';
import type { ConnectorRecord } from '../sdk/connector.ts';
import { type SentRecords, sendRecords } from '../sdk/thread-records.ts';
import type { BoundedImap } from './bounded-imap.ts';
import type { MailboxRef } from './mail-columns.ts';
import { readLarge } from './mail-large.ts';
import { bytesFor, fetchByUid } from './mail-query.ts';
import { messageRecord } from './mail-record.ts';

const METADATA = { uid: true, flags: true, internalDate: true, size: true };
/** Messages up to this size (most mail) are read whole by the first command. */
export const SMALL_BYTES = 32 * 1024;
/** Large messages kept in memory at once. */
const LARGE_BATCH_SIZE = 32;
const ITEMS = { ...METADATA, source: { maxLength: SMALL_BYTES } };
const EMPTY = Buffer.alloc(0);

/** A request for messages by UID. */
export interface MessagesRequest {
  uids: readonly number[];
  mailboxRef: MailboxRef;
  /** Whether to omit the content, after the server or this thread failed to process it. */
  withoutSource: boolean;
  /** Whether a server that refuses all of the messages is an error. */
  mustAnswer: boolean;
}

/** Records with their UIDs, in the same order. */
export interface ReadMessages {
  uids: number[];
  records: SentRecords;
  /** UIDs of records without content, because the server did not send it. */
  withoutContent: number[];
}

/**
 * Fetches messages, asking again for those that an answer lacks; a message whose content is not sent comes without it.
 * @throws imapflow's errors, also the server's refusal if it refuses every message and `mustAnswer` is set
 */
async function fetchMessages(
  imap: BoundedImap,
  { uids, withoutSource, mustAnswer }: MessagesRequest,
): Promise<Map<number, FetchMessageObject>> {
  const metadata = { items: METADATA, bytes: bytesFor(0) };
  const whole = { items: ITEMS, bytes: bytesFor(SMALL_BYTES) };
  const found = new Map<number, FetchMessageObject>();
  let lastRefusal: unknown;
  for (const query of withoutSource ? [metadata] : [whole, whole, metadata]) {
    const missing = uids.filter((uid) => !found.has(uid));
    const { messages, refusal } = await fetchByUid(imap, missing, query);
    for (const [uid, message] of messages) found.set(uid, message);
    lastRefusal ??= refusal;
  }
  const withoutFlags = [...found.values()].filter(({ flags }) => flags === undefined);
  const again = await fetchByUid(
    imap,
    withoutFlags.map(({ uid }) => uid),
    metadata,
  );
  // A server may send flags in a list only. Without them, each run would find the message changed.
  for (const message of withoutFlags) message.flags = again.messages.get(message.uid)?.flags;
  if (found.size === 0 && lastRefusal && mustAnswer) throw lastRefusal;
  return found;
}

/** Reads messages by UID; the result omits those that the server does not send. */
export async function readMessages(imap: BoundedImap, request: MessagesRequest): Promise<ReadMessages> {
  const { mailboxRef, withoutSource } = request;
  const records = new Map<number, ConnectorRecord>();
  const withoutContent: number[] = [];
  const large: FetchMessageObject[] = [];
  for (const message of (await fetchMessages(imap, request)).values()) {
    // imapflow returns `false` when the server sent NIL instead of the source.
    const source = message.source || EMPTY;
    // Only the received bytes say whether the source is complete: servers report wrong sizes.
    const hasAllTexts = source.length > 0;
    if (!hasAllTexts && !withoutSource) withoutContent.push(message.uid);
    const size = hasAllTexts ? source.length : (message.size ?? 0);
    if (source.length >= SMALL_BYTES) large.push(message);
    else records.set(message.uid, await messageRecord(mailboxRef, { ...message, source, size, hasAllTexts }));
  }
  for (let offset = 0; offset < large.length; offset += LARGE_BATCH_SIZE) {
    const read = await readLarge(imap, large.slice(offset, offset + LARGE_BATCH_SIZE));
    for (const [uid, message] of read) records.set(uid, await messageRecord(mailboxRef, message));
  }
  return { uids: [...records.keys()], records: sendRecords([...records.values()]), withoutContent };
}
