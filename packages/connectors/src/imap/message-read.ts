/** Fetches messages and converts them to records. Runs in the session thread. */
import type { FetchMessageObject } from 'imapflow';
import type { ConnectorRecord } from '../sdk/connector.ts';
import { type SentRecords, sendRecords } from '../sdk/thread-records.ts';
import type { BoundedImap } from './bounded-imap.ts';
import type { MailboxRef } from './message-columns.ts';
import { readLarge } from './message-large.ts';
import { bytesFor, fetchByUid } from './message-query.ts';
import { messageRecord } from './message-record.ts';

const METADATA = { uid: true, flags: true, internalDate: true, size: true };
/** Messages up to this size (most mail) are read whole by the first command. */
const SMALL_BYTES = 32 * 1024;
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
}

/** Records with their UIDs, in the same order. */
export interface ReadMessages {
  uids: number[];
  records: SentRecords;
}

/** Reads messages by UID; the result omits deleted messages. */
export async function readMessages(
  imap: BoundedImap,
  { uids, mailboxRef, withoutSource }: MessagesRequest,
): Promise<ReadMessages> {
  const bytes = bytesFor(uids.length, withoutSource ? 0 : SMALL_BYTES);
  const fetched = await fetchByUid(imap, uids, { items: withoutSource ? METADATA : ITEMS, bytes });
  const records = new Map<number, ConnectorRecord>();
  const large: FetchMessageObject[] = [];
  for (const message of fetched.values()) {
    // imapflow returns `false` when the server sent NIL instead of the source.
    const source = message.source || EMPTY;
    if (source.length >= SMALL_BYTES && (message.size ?? 0) > source.length) large.push(message);
    else records.set(message.uid, await messageRecord(mailboxRef, { ...message, source }));
  }
  for (let offset = 0; offset < large.length; offset += LARGE_BATCH_SIZE) {
    const read = await readLarge(imap, large.slice(offset, offset + LARGE_BATCH_SIZE));
    for (const [uid, message] of read) records.set(uid, await messageRecord(mailboxRef, message));
  }
  return { uids: [...records.keys()], records: sendRecords([...records.values()]) };
}
