/** Runs in the thread of a session: fetches messages and makes records of them. */
import type { FetchMessageObject } from 'imapflow';
import type { ConnectorRecord } from '../sdk/connector.ts';
import { type SentRecords, sendRecords } from '../sdk/thread-records.ts';
import type { BoundedImap } from './bounded-imap.ts';
import type { MessagePlace } from './message-columns.ts';
import { readLarge } from './message-large.ts';
import { bytesFor, fetchByUid } from './message-query.ts';
import { messageRecord } from './message-record.ts';

const OUTSIDE = { uid: true, flags: true, internalDate: true, size: true };
/** Messages up to this size are read whole by the first command: most mail is smaller. */
const SMALL_BYTES = 32 * 1024;
/** Large messages whose contents are held at once. */
const LARGE_AT_ONCE = 32;
const ITEMS = { ...OUTSIDE, source: { maxLength: SMALL_BYTES } };
const NOTHING = Buffer.alloc(0);

export interface MessagesRequest {
  uids: readonly number[];
  place: MessagePlace;
  /** The server or this thread failed at the content of the message: it is read without. */
  isBare: boolean;
}

/** Messages with their UIDs, in the same order. */
export interface ReadMessages {
  uids: number[];
  records: SentRecords;
}

/** Reads messages by UID; those that are gone are missing from the result. */
export async function readMessages(
  imap: BoundedImap,
  { uids, place, isBare }: MessagesRequest,
): Promise<ReadMessages> {
  const bytes = bytesFor(uids.length, isBare ? 0 : SMALL_BYTES);
  const fetched = await fetchByUid(imap, uids, { items: isBare ? OUTSIDE : ITEMS, bytes });
  const records = new Map<number, ConnectorRecord>();
  const large: FetchMessageObject[] = [];
  for (const message of fetched.values()) {
    // imapflow reports by `false` that the server sent nothing where the mail should be.
    const source = message.source || NOTHING;
    if (source.length >= SMALL_BYTES && (message.size ?? 0) > source.length) large.push(message);
    else records.set(message.uid, await messageRecord(place, { ...message, source }));
  }
  for (let offset = 0; offset < large.length; offset += LARGE_AT_ONCE) {
    const read = await readLarge(imap, large.slice(offset, offset + LARGE_AT_ONCE));
    for (const [uid, message] of read) records.set(uid, await messageRecord(place, message));
  }
  return { uids: [...records.keys()], records: sendRecords([...records.values()]) };
}
