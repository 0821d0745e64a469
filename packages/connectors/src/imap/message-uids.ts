/** Lists a mailbox's messages and changes; the lists can be long. Runs in the session thread. */
import { ProviderError } from '../sdk/provider-error.ts';
import type { BoundedImap } from './bounded-imap.ts';
import { receivedAt } from './received-at.ts';
import { readUidSet, writeUidSet } from './uid-set.ts';

/** Largest mailbox that is read, messages. */
const MAX_MESSAGES = 1_000_000;
/** Largest mailbox listed by SEARCH, which returns all UIDs in one line. Larger ones are listed by FETCH. */
const MAX_SEARCHED_MESSAGES = 50_000;
const MARGIN_BYTES = 1024 * 1024;
/** Bytes that a server may send per message: in a SEARCH response, and in a FETCH response with UID, flags or date. */
const UID_BYTES = 12;
const ENTRY_BYTES = 256;

/** One message of the mailbox's list. */
export interface ListedMessage {
  uid: number;
  /** Time the server received it, ms since 1970. */
  time: number;
}

/** A request for the list of messages. */
export interface ListRequest {
  /** UIDs from this one on are excluded. */
  uidNext: number;
  /** Messages up to and including this one are excluded; null to include all. */
  after: ListedMessage | null;
}

/** The messages of a mailbox, newest first. */
export interface MessageList {
  /** Number of messages, including those excluded by `after`. */
  total: number;
  /** UID and time of each remaining message, alternating. */
  remaining: Float64Array<ArrayBuffer>;
}

/** A request for the changes since a cursor. */
export interface ChangesRequest {
  /** UID set stored by the cursor. */
  known: string;
  uidNext: number;
  modseq: string;
  /** UIDs from this one on are excluded, because they arrived after the run started. */
  before: number;
  /** Changes of this UID and greater ones are already stored. */
  after: number;
}

/** Changes of a mailbox since a cursor, by UID. */
export interface Changes {
  /** New messages and messages with changed flags. */
  changed: Uint32Array<ArrayBuffer>;
  /** Changed and deleted messages below `after`, in descending order. */
  remaining: Uint32Array<ArrayBuffer>;
  /** Number of messages in the mailbox. */
  total: number;
  /** UID set for the next cursor. */
  known: string;
}

/** The largest UID (RFC 9051). */
const MAX_UID = 0xffff_ffff;

function tooManyMessagesError(): ProviderError {
  return new ProviderError('invalid', 'The mailbox has more than 1,000,000 messages, too many to sync.');
}

function isUid(uid: number): boolean {
  return uid > 0 && uid <= MAX_UID;
}

/** Returns the number of messages in the open mailbox. @throws ProviderError when it exceeds `MAX_MESSAGES` */
export function countMessages({ mailbox }: BoundedImap): number {
  const count = mailbox === false ? 0 : mailbox.exists;
  if (count > MAX_MESSAGES) throw tooManyMessagesError();
  return count;
}

/** Orders by time received, newest first; in the same second by UID, highest first. */
function newestFirst(a: ListedMessage, b: ListedMessage): number {
  return b.time - a.time || b.uid - a.uid;
}

/** Lists the messages of the mailbox, newest first. */
export async function listMessages(imap: BoundedImap, { uidNext, after }: ListRequest): Promise<MessageList> {
  const count = countMessages(imap);
  const times = new Map<number, number>();
  await imap.command(MARGIN_BYTES + count * ENTRY_BYTES, async () => {
    if (count === 0) return;
    for await (const { uid, internalDate } of imap.fetch('1:*', { uid: true, internalDate: true }))
      if (isUid(uid) && uid < uidNext) times.set(uid, receivedAt(internalDate).getTime());
  });
  if (times.size > MAX_MESSAGES) throw tooManyMessagesError();
  const messages = [...times].map(([uid, time]) => ({ uid, time })).sort(newestFirst);
  const remaining = after ? messages.filter((message) => newestFirst(message, after) > 0) : messages;
  return {
    total: messages.length,
    remaining: Float64Array.from(remaining.flatMap(({ uid, time }) => [uid, time])),
  };
}

async function listUids(imap: BoundedImap): Promise<number[]> {
  const count = countMessages(imap);
  if (count <= MAX_SEARCHED_MESSAGES)
    return imap.command(MARGIN_BYTES + count * UID_BYTES, async () => {
      const found = await imap.search({ all: true }, { uid: true });
      // imapflow returns another type when the server refuses; throw so that the client retries.
      if (!Array.isArray(found)) throw new Error('the search was refused');
      return found.filter(isUid);
    });
  const uids = new Set<number>();
  await imap.command(MARGIN_BYTES + count * ENTRY_BYTES, async () => {
    for await (const { uid } of imap.fetch('1:*', { uid: true })) if (isUid(uid)) uids.add(uid);
  });
  return [...uids].sort((a, b) => a - b);
}

/** Lists known messages whose flags changed. @param kept known UIDs that still exist, ascending */
async function listFlagged(imap: BoundedImap, kept: readonly number[], modseq: string): Promise<number[]> {
  if (kept.length === 0) return [];
  // A range is shorter to send than the set.
  const range = `${kept[0]}:${kept.at(-1)}`;
  const among = new Set(kept);
  const flagged = new Set<number>();
  const options = { uid: true, changedSince: BigInt(modseq) };
  await imap.command(MARGIN_BYTES + countMessages(imap) * ENTRY_BYTES, async () => {
    for await (const { uid } of imap.fetch(range, { uid: true, flags: true }, options))
      if (among.has(uid)) flagged.add(uid);
  });
  return [...flagged];
}

/** Lists the changes since a cursor. */
export async function listChanges(imap: BoundedImap, since: ChangesRequest): Promise<Changes> {
  const uids = (await listUids(imap)).filter((uid) => uid < since.before);
  const existing = new Set(uids);
  const known = readUidSet(since.known);
  const kept = known.filter((uid) => existing.has(uid));
  const flagged = await listFlagged(imap, kept, since.modseq);
  const changed = [...new Set([...uids.filter((uid) => uid >= since.uidNext), ...flagged])];
  const gone = known.filter((uid) => !existing.has(uid));
  const remaining = [...new Set([...changed, ...gone])]
    .filter((uid) => uid < since.after)
    .sort((a, b) => b - a);
  return {
    changed: Uint32Array.from(changed),
    remaining: Uint32Array.from(remaining),
    total: uids.length,
    known: writeUidSet([...kept, ...changed]),
  };
}
