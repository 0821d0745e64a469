/** Runs in the thread of a session: commands that fetch messages. */
import type { FetchMessageObject, FetchQueryObject } from 'imapflow';
import type { BoundedImap } from './bounded-imap.ts';
import { meaningOf } from './classify.ts';
import { writeUidSet } from './uid-set.ts';

const MARGIN_BYTES = 512 * 1024;
/** Bytes that a server sends of a message in addition to its contents. */
const OUTSIDE_BYTES = 16 * 1024;
/** Items of an answer that hold contents. */
const CONTENTS = ['source', 'bodyStructure', 'bodyParts'] as const;

/** Fetches messages by UID; a server may send others, or some twice, which are dropped. */
export async function fetchByUid(
  imap: BoundedImap,
  uids: readonly number[],
  query: { items: FetchQueryObject; bytes: number },
): Promise<Map<number, FetchMessageObject>> {
  const asked = new Set(uids);
  const found = new Map<number, FetchMessageObject>();
  await imap.command(query.bytes, async () => {
    for await (const message of imap.fetch(writeUidSet(uids), query.items, { uid: true })) {
      // A change of flags is reported without what was asked for.
      const isAnswer = CONTENTS.every((item) => !query.items[item] || message[item] !== undefined);
      if (asked.has(message.uid) && isAnswer) found.set(message.uid, message);
    }
  });
  return found;
}

/** Whether the server refused a command, or sent something that cannot be read. */
function isAboutContent(error: unknown): boolean {
  const { kind } = meaningOf(error);
  return kind === 'refused' || kind === 'malformed';
}

/**
 * Fetches messages as `fetchByUid` does, without those that the server refuses or sends in a way that cannot be read.
 * @throws what imapflow throws, also when one of several messages ended the connection: they are then read by halves
 */
export async function fetchReadable(
  imap: BoundedImap,
  uids: readonly number[],
  query: { items: FetchQueryObject; bytes: number },
): Promise<Map<number, FetchMessageObject>> {
  if (uids.length === 0 || !imap.usable) return new Map();
  try {
    return await fetchByUid(imap, uids, query);
  } catch (error) {
    if (!isAboutContent(error) || (uids.length > 1 && !imap.usable)) throw error;
  }
  const found = new Map<number, FetchMessageObject>();
  if (uids.length === 1) return found;
  for (const uid of uids)
    for (const [key, one] of await fetchReadable(imap, [uid], query)) found.set(key, one);
  return found;
}

/** Returns the bytes that messages may take with so much of each. */
export function bytesFor(count: number, perMessage: number): number {
  return MARGIN_BYTES + count * (OUTSIDE_BYTES + perMessage);
}
