import { type ConnectorRecord, ProviderError, receiveRecords } from '../sdk/index.ts';
import type { MessagePlace } from './message-columns.ts';
import type { ReadMessages } from './message-read.ts';
import type { ImapSession } from './session.ts';

/** Messages of one request, and of a page. */
export const PAGE_SIZE = 100;

/** Whether another request may fare better: the server refused this one, or its answer could not be read. */
function isAboutContent(error: unknown): boolean {
  return error instanceof ProviderError && (error.failure === 'invalid' || error.failure === 'malformed');
}

/**
 * Reads some messages by UID. A message that the server or the thread cannot read makes the request fail for all: the
 * request is bisected, and a message that fails alone is read without its source. @throws ProviderError if that fails too
 */
async function readMessages(
  session: ImapSession,
  place: MessagePlace,
  uids: readonly number[],
): Promise<ReadMessages[]> {
  try {
    return [await session.ask({ messages: { uids, place, isBare: false } })];
  } catch (error) {
    if (!isAboutContent(error)) throw error;
  }
  if (uids.length === 1) return [await session.ask({ messages: { uids, place, isBare: true } })];
  const middle = Math.ceil(uids.length / 2);
  const first = await readMessages(session, place, uids.slice(0, middle));
  return [...first, ...(await readMessages(session, place, uids.slice(middle)))];
}

/** Reads the records of some messages by UID; those that are gone are missing from the result. @throws ProviderError */
export async function fetchRecords(
  session: ImapSession,
  place: MessagePlace,
  uids: readonly number[],
): Promise<Map<number, ConnectorRecord>> {
  if (uids.length === 0) return new Map();
  const read = await readMessages(session, place, uids);
  return new Map(
    read.flatMap((part) =>
      receiveRecords(part.records).map((record, index) => [part.uids[index] ?? 0, record]),
    ),
  );
}
