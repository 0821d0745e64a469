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
  const messages = [...fetched.values()];
  // imapflow reports by `false` that the server sent nothing where the mail should be.
  const isLarge = ({ source, size = 0 }: FetchMessageObject) =>
    source && source.length >= SMALL_BYTES && size > source.length;
  const large = await readLarge(imap, messages.filter(isLarge));
  const records: ConnectorRecord[] = [];
  for (const message of messages) {
    const { uid, source } = message;
    records.push(await messageRecord(place, large.get(uid) ?? { ...message, source: source || NOTHING }));
  }
  return { uids: [...fetched.keys()], records: sendRecords(records) };
}
