/** Runs in the thread of a session: lists of a mailbox's messages, which can be long. */
import { ProviderError } from '../sdk/provider-error.ts';
import type { BoundedImap } from './bounded-imap.ts';
import { receivedAt } from './received-at.ts';
import { readUidSet, writeUidSet } from './uid-set.ts';

/** Messages of a mailbox at most. */
const MAX_MESSAGES = 1_000_000;
/** In larger mailboxes each UID is sent by itself: one line would hold them all. */
const MAX_SEARCHED_MESSAGES = 50_000;
const MARGIN_BYTES = 1024 * 1024;
/** Bytes that a server sends of a message at most: of its UID in a search, and of its UID, flags or date. */
const UID_BYTES = 12;
const HEAD_BYTES = 256;

/** A message of the mailbox's list. */
export interface Head {
  uid: number;
  /** When the server received it, ms. */
  time: number;
}

export interface HeadsRequest {
  /** Messages from this UID on are left out. */
  uidNext: number;
  /** Messages up to this one are left out. */
  after: Head | null;
}

/** The messages of a mailbox, newest first. */
export interface Heads {
  /** With those that `after` left out. */
  total: number;
  /** UID and time of each. */
  left: Float64Array<ArrayBuffer>;
}

export interface ChangesRequest {
  /** What the cursor knows. */
  known: string;
  uidNext: number;
  modseq: string;
  /** UIDs from this one on are not of interest: they came later. */
  before: number;
  /** Changes of this UID and greater ones are done. */
  after: number;
}

/** What happened to a mailbox since a cursor, by UID. */
export interface Changes {
  /** New messages, and messages with other flags. */
  brought: Uint32Array<ArrayBuffer>;
  /** Those and the messages that are gone, below `after`, in descending order. */
  left: Uint32Array<ArrayBuffer>;
  /** Messages that the mailbox holds. */
  total: number;
  /** What the next cursor knows. */
  known: string;
}

/** The largest UID (RFC 9051). */
const MAX_UID = 0xffff_ffff;

function tooMany(): ProviderError {
  return new ProviderError('invalid', 'The mailbox holds more than 1,000,000 messages, too many to be read.');
}

function isUid(uid: number): boolean {
  return uid > 0 && uid <= MAX_UID;
}

/** How many messages the open mailbox holds. @throws ProviderError when they are too many */
export function countMessages({ mailbox }: BoundedImap): number {
  const count = mailbox === false ? 0 : mailbox.exists;
  if (count > MAX_MESSAGES) throw tooMany();
  return count;
}

/** Newest first; of messages received in the same second the later numbered. */
function newestFirst(a: Head, b: Head): number {
  return b.time - a.time || b.uid - a.uid;
}

/** Every message of the mailbox, newest first. */
export async function listHeads(imap: BoundedImap, { uidNext, after }: HeadsRequest): Promise<Heads> {
  const count = countMessages(imap);
  const times = new Map<number, number>();
  await imap.command(MARGIN_BYTES + count * HEAD_BYTES, async () => {
    if (count === 0) return;
    for await (const { uid, internalDate } of imap.fetch('1:*', { uid: true, internalDate: true }))
      if (isUid(uid) && uid < uidNext) times.set(uid, receivedAt(internalDate).getTime());
  });
  if (times.size > MAX_MESSAGES) throw tooMany();
  const heads = [...times].map(([uid, time]) => ({ uid, time })).sort(newestFirst);
  const left = after ? heads.filter((head) => newestFirst(head, after) > 0) : heads;
  return { total: heads.length, left: Float64Array.from(left.flatMap(({ uid, time }) => [uid, time])) };
}

async function listUids(imap: BoundedImap): Promise<number[]> {
  const count = countMessages(imap);
  if (count <= MAX_SEARCHED_MESSAGES)
    return imap.command(MARGIN_BYTES + count * UID_BYTES, async () => {
      const found = await imap.search({ all: true }, { uid: true });
      // imapflow reports a refusal by this value; as a failure it is tried again.
      if (!Array.isArray(found)) throw new Error('the search was refused');
      return found.filter(isUid);
    });
  const uids = new Set<number>();
  await imap.command(MARGIN_BYTES + count * HEAD_BYTES, async () => {
    for await (const { uid } of imap.fetch('1:*', { uid: true })) if (isUid(uid)) uids.add(uid);
  });
  return [...uids].sort((a, b) => a - b);
}

/** Lists known messages whose flags changed. @param kept in ascending order */
async function listFlagged(imap: BoundedImap, kept: readonly number[], modseq: string): Promise<number[]> {
  if (kept.length === 0) return [];
  // The range is shorter to send than the set.
  const range = `${kept[0]}:${kept.at(-1)}`;
  const among = new Set(kept);
  const flagged = new Set<number>();
  const options = { uid: true, changedSince: BigInt(modseq) };
  await imap.command(MARGIN_BYTES + countMessages(imap) * HEAD_BYTES, async () => {
    for await (const { uid } of imap.fetch(range, { uid: true, flags: true }, options))
      if (among.has(uid)) flagged.add(uid);
  });
  return [...flagged];
}

/** Lists what changed since a cursor. */
export async function listChanges(imap: BoundedImap, since: ChangesRequest): Promise<Changes> {
  const uids = (await listUids(imap)).filter((uid) => uid < since.before);
  const existing = new Set(uids);
  const known = readUidSet(since.known);
  const kept = known.filter((uid) => existing.has(uid));
  const flagged = await listFlagged(imap, kept, since.modseq);
  const brought = [...new Set([...uids.filter((uid) => uid >= since.uidNext), ...flagged])];
  const gone = known.filter((uid) => !existing.has(uid));
  const left = [...new Set([...brought, ...gone])].filter((uid) => uid < since.after).sort((a, b) => b - a);
  return {
    brought: Uint32Array.from(brought),
    left: Uint32Array.from(left),
    total: uids.length,
    known: writeUidSet([...kept, ...brought]),
  };
}
