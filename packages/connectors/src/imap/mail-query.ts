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
/** Refusals without a single message after which the server is taken to refuse all of them. */
const MAX_FRUITLESS_REFUSALS = 7;

/** Items to fetch, and the largest number of bytes of a response. */
export interface MessageQuery {
  items: FetchQueryObject;
  /** Bytes of a response with `count` messages. */
  bytes(count: number): number;
}

/** Messages by UID, and the last refusal if the server refused some of the commands. */
export interface Fetched {
  messages: Map<number, FetchMessageObject>;
  refusal?: unknown;
}

/**
 * Returns whether a server refused or garbled one answer and still accepts commands. The rest of its answers can be used.
 */
export function isAnswered(imap: BoundedImap, error: unknown): boolean {
  const { kind } = interpretError(error);
  return imap.usable && kind !== 'busy' && kind !== 'unreachable';
}

/**
 * Adds the messages of one FETCH by UID. Joins the parts of a message that the server sends in several responses; drops
 * messages that were not requested, and unsolicited flag updates, which lack the requested content.
 */
async function fetchInto(
  messages: Map<number, FetchMessageObject>,
  imap: BoundedImap,
  uids: readonly number[],
  { items, bytes }: MessageQuery,
): Promise<void> {
  const requested = new Set(uids);
  const parts = new Map<number, FetchMessageObject>();
  const keep = () => {
    for (const [uid, message] of parts)
      if (CONTENT_ITEMS.every((item) => !items[item] || message[item] !== undefined))
        messages.set(uid, message);
  };
  await imap
    .command(bytes(uids.length), async () => {
      for await (const message of imap.fetch(writeUidSet(uids), items, { uid: true })) {
        if (requested.has(message.uid)) parts.set(message.uid, { ...parts.get(message.uid), ...message });
      }
    })
    .finally(keep);
}

/**
 * Fetches messages by UID. Servers refuse a whole command because of one message, so a refused command is bisected; the
 * result omits messages that are refused alone or not sent.
 * @throws imapflow's errors, also when one of several messages ended the connection; the caller then bisects
 */
export async function fetchByUid(
  imap: BoundedImap,
  uids: readonly number[],
  query: MessageQuery,
): Promise<Fetched> {
  const messages = new Map<number, FetchMessageObject>();
  const waiting: (readonly number[])[] = uids.length > 0 ? [uids] : [];
  let refusal: unknown;
  for (let refusals = 0; waiting.length > 0 && refusals < MAX_FRUITLESS_REFUSALS; ) {
    const part = waiting.shift() as readonly number[];
    try {
      await fetchInto(messages, imap, part, query);
    } catch (error) {
      if (!isAnswered(imap, error)) throw error;
      refusal = error;
      refusals = messages.size === 0 ? refusals + 1 : 0;
      const missing = part.filter((uid) => !messages.has(uid));
      const middle = Math.ceil(missing.length / 2);
      if (part.length > 1 && missing.length > 0)
        waiting.push(...[missing.slice(0, middle), missing.slice(middle)].filter(({ length }) => length > 0));
    }
  }
  return { messages, refusal };
}

/** Returns a query's limit: bytes of a response with `count` messages of `perMessage` content bytes each. */
export function bytesFor(perMessage: number): (count: number) => number {
  return (count) => MARGIN_BYTES + count * (METADATA_BYTES + perMessage);
}
