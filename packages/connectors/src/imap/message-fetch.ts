import type { FetchMessageObject, FetchQueryObject } from 'imapflow';
import { type ConnectorRecord, ProviderError } from '../sdk/index.ts';
import { type MessagePlace, messageRecord } from './message-record.ts';
import type { ImapSession } from './session.ts';
import { writeUidSet } from './uid-set.ts';

/** Messages of one request, and of a page. */
export const PAGE_SIZE = 50;
/** What is read of one message: its text comes before its files in nearly all mail. */
const MOST_BYTES = 128 * 1024;
const OUTSIDE = { uid: true, flags: true, internalDate: true, size: true };
const ITEMS = { ...OUTSIDE, source: { maxLength: MOST_BYTES } };
const NOTHING = Buffer.alloc(0);

function isRefusal(error: unknown): boolean {
  return error instanceof ProviderError && (error.failure === 'invalid' || error.failure === 'malformed');
}

/**
 * Some messages by UID with their beginnings. One that the server cannot read makes it refuse all that were asked for with
 * it: it is searched for, and of it is read what the server tells of it besides. @throws ProviderError when that is nothing
 */
async function fetchMessages(session: ImapSession, uids: readonly number[]): Promise<FetchMessageObject[]> {
  const ask = (items: FetchQueryObject) =>
    session.run((imap) => imap.fetchAll(writeUidSet(uids), items, { uid: true }));
  try {
    return await ask(ITEMS);
  } catch (error) {
    if (!isRefusal(error)) throw error;
  }
  if (uids.length === 1) return (await ask(OUTSIDE)).map((message) => ({ ...message, source: NOTHING }));
  const middle = Math.ceil(uids.length / 2);
  const first = await fetchMessages(session, uids.slice(0, middle));
  return [...first, ...(await fetchMessages(session, uids.slice(middle)))];
}

/**
 * How a message too large to be read whole is built, from the server. A structure too deep to be read is done without:
 * the message is kept with the files that its beginning shows.
 */
async function describe(session: ImapSession, message: FetchMessageObject): Promise<FetchMessageObject> {
  try {
    const [described] = await session.run((imap) =>
      imap.fetchAll(String(message.uid), { uid: true, bodyStructure: true }, { uid: true }),
    );
    const structure = described?.bodyStructure;
    return structure ? { ...message, bodyStructure: structure } : message;
  } catch (error) {
    if (isRefusal(error)) return message;
    throw error;
  }
}

/** The records of some messages by UID; those that vanished meanwhile are not there. @throws ProviderError */
export async function fetchRecords(
  session: ImapSession,
  place: MessagePlace,
  uids: readonly number[],
): Promise<Map<number, ConnectorRecord>> {
  const records = new Map<number, ConnectorRecord>();
  if (uids.length === 0) return records;
  for (const message of await fetchMessages(session, uids)) {
    // A server may tell of messages that nobody asked for, when their flags change; they come without their source.
    if (!uids.includes(message.uid) || message.source === undefined) continue;
    // imapflow tells by `false` that the server sent nothing where the mail should be.
    const read = { ...message, source: message.source || NOTHING };
    const isWhole = (message.size ?? 0) <= MOST_BYTES || read.source.length === 0;
    const known = isWhole ? read : await describe(session, read);
    records.set(message.uid, await messageRecord(place, known));
  }
  return records;
}
