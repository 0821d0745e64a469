/** Runs in the thread of a session: fetches messages and makes records of them. */
import type { FetchMessageObject, FetchQueryObject } from 'imapflow';
import type { ConnectorRecord } from '../sdk/connector.ts';
import { type SentRecords, sendRecords } from '../sdk/thread-records.ts';
import { type BoundedImap, MESSAGE_BYTES } from './bounded-imap.ts';
import { meaningOf } from './classify.ts';
import type { MessagePlace } from './message-columns.ts';
import { messageRecord } from './message-record.ts';
import { writeUidSet } from './uid-set.ts';

const OUTSIDE = { uid: true, flags: true, internalDate: true, size: true };
/** The text of nearly all mail comes before its files, so the beginning is enough. */
const ITEMS = { ...OUTSIDE, source: { maxLength: MESSAGE_BYTES } };
const NOTHING = Buffer.alloc(0);
const MARGIN_BYTES = 512 * 1024;
/** Bytes that a server sends of a message in addition to its source. */
const OUTSIDE_BYTES = 16 * 1024;
const STRUCTURE_BYTES = 1024 * 1024;

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

/** Fetches messages by UID; a server may send others, or some twice, which are dropped. */
async function fetchByUid(
  imap: BoundedImap,
  uids: readonly number[],
  query: { items: FetchQueryObject; bytes: number },
): Promise<Map<number, FetchMessageObject>> {
  const asked = new Set(uids);
  const found = new Map<number, FetchMessageObject>();
  await imap.command(query.bytes, async () => {
    for await (const message of imap.fetch(writeUidSet(uids), query.items, { uid: true })) {
      // A change of flags is reported without a source.
      const isWhole = query.items.source === undefined || message.source !== undefined;
      if (asked.has(message.uid) && isWhole) found.set(message.uid, message);
    }
  });
  return found;
}

/** Adds BODYSTRUCTURE to a truncated message; leaves it unchanged if the server refuses or sends one too deep to be read. */
async function addStructure(imap: BoundedImap, message: FetchMessageObject): Promise<FetchMessageObject> {
  // A structure that breaks a limit ends the connection: the others are done without.
  if (!imap.usable) return message;
  try {
    const query = { items: { uid: true, bodyStructure: true }, bytes: STRUCTURE_BYTES };
    const structure = (await fetchByUid(imap, [message.uid], query)).get(message.uid)?.bodyStructure;
    return structure ? { ...message, bodyStructure: structure } : message;
  } catch (error) {
    const { kind } = meaningOf(error);
    if (kind === 'refused' || kind === 'malformed') return message;
    throw error;
  }
}

/** Reads messages by UID; those that are gone are missing from the result. */
export async function readMessages(
  imap: BoundedImap,
  { uids, place, isBare }: MessagesRequest,
): Promise<ReadMessages> {
  const perMessage = OUTSIDE_BYTES + (isBare ? 0 : MESSAGE_BYTES);
  const bytes = MARGIN_BYTES + uids.length * perMessage;
  const fetched = await fetchByUid(imap, uids, { items: isBare ? OUTSIDE : ITEMS, bytes });
  const records: ConnectorRecord[] = [];
  for (const message of fetched.values()) {
    // imapflow reports by `false` that the server sent nothing where the mail should be.
    const known = { ...message, source: message.source || NOTHING };
    const isWhole = (message.size ?? 0) <= MESSAGE_BYTES || known.source.length === 0;
    const described = isWhole ? known : await addStructure(imap, known);
    records.push(await messageRecord(place, described));
  }
  return { uids: [...fetched.keys()], records: sendRecords(records) };
}
