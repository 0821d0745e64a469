/** FETCH commands for messages. Runs in the session thread. */
import type { FetchMessageObject, FetchQueryObject } from 'imapflow';
import type { BoundedImap } from './bounded-imap.ts';
import { interpretError } from './classify.ts';
import { writeUidSet } from './uid-set.ts';

const MARGIN_BYTES = 512 * 1024;
/** Bytes that a server may send per message in addition to its content. */
const METADATA_BYTES = 16 * 1024;
/** Items of a FETCH response that contain message content. */
const CONTENT_ITEMS = ['source', 'bodyStructure', 'bodyParts'] as const;

/** Fetches messages by UID. Drops duplicates and messages that were not requested. */
export async function fetchByUid(
  imap: BoundedImap,
  uids: readonly number[],
  query: { items: FetchQueryObject; bytes: number },
): Promise<Map<number, FetchMessageObject>> {
  const requested = new Set(uids);
  const found = new Map<number, FetchMessageObject>();
  await imap.command(query.bytes, async () => {
    for await (const message of imap.fetch(writeUidSet(uids), query.items, { uid: true })) {
      // Unsolicited flag updates lack the requested items.
      const isComplete = CONTENT_ITEMS.every((item) => !query.items[item] || message[item] !== undefined);
      if (requested.has(message.uid) && isComplete) found.set(message.uid, message);
    }
  });
  return found;
}

/** Returns whether the server refused a command or sent an unreadable response. */
function isRefusedOrUnreadable(error: unknown): boolean {
  const { kind } = interpretError(error);
  return kind === 'refused' || kind === 'malformed';
}

/**
 * Fetches messages like `fetchByUid`, but omits messages that the server refuses or that cannot be parsed.
 * @throws imapflow's errors, also when one of several messages ended the connection; the caller then bisects
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
    if (!isRefusedOrUnreadable(error) || (uids.length > 1 && !imap.usable)) throw error;
  }
  const found = new Map<number, FetchMessageObject>();
  if (uids.length === 1) return found;
  for (const uid of uids)
    for (const [key, one] of await fetchReadable(imap, [uid], query)) found.set(key, one);
  return found;
}

/** Returns the byte limit of a response with `count` messages of `perMessage` content bytes each. */
export function bytesFor(count: number, perMessage: number): number {
  return MARGIN_BYTES + count * (METADATA_BYTES + perMessage);
}
