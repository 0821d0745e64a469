import type { FetchMessageObject } from 'imapflow';
import { type ConnectorRecord, ProviderError } from '../sdk/index.ts';
import { type MessagePlace, messageRecord } from './message-record.ts';
import type { ImapSession } from './session.ts';
import { writeUidSet } from './uid-set.ts';

/** Messages of one request, and of a page. */
export const PAGE_SIZE = 50;
/** What is read of one message: its text comes before its files in nearly all mail. */
const MOST_BYTES = 128 * 1024;
const ITEMS = { uid: true, flags: true, internalDate: true, size: true, source: { maxLength: MOST_BYTES } };

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
    if (error instanceof ProviderError && error.failure === 'malformed') return message;
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
  const messages = await session.run((imap) => imap.fetchAll(writeUidSet(uids), ITEMS, { uid: true }));
  for (const message of messages) {
    // A server may tell of messages that nobody asked for, when their flags change; they come without their source.
    if (!uids.includes(message.uid) || message.source === undefined) continue;
    const isWhole = (message.size ?? 0) <= MOST_BYTES;
    const known = isWhole ? message : await describe(session, message);
    records.set(message.uid, await messageRecord(place, known));
  }
  return records;
}
