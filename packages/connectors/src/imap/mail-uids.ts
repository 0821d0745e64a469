/** Lists a mailbox's messages and changes; the lists can be long. Runs in the session thread. */
import { ProviderError } from '../sdk/provider-error.ts';
import type { BoundedImap } from './bounded-imap.ts';
import { byUid, type KnownMessage, type KnownMessages } from './known-messages.ts';
import { fillDates, type ListedEntry, listMailbox, listSince } from './mail-list.ts';
import { readUidSet } from './uid-set.ts';

/** One message of the mailbox's list. */
export interface ListedMessage {
  uid: number;
  /** Time the server received it, ms since 1970; 0 if the server does not say. */
  time: number;
}

/** A request for the list of messages. */
export interface ListRequest {
  /** The last message that this run has yielded; it and newer ones are left out. */
  after: ListedMessage | null;
  /** Lists only messages that arrived since then, ms since 1970. */
  since?: number | undefined;
}

/** The messages of a mailbox, newest first. */
export interface MessageList {
  /** Number of messages since the date, including those that the run has yielded. */
  total: number;
  /** False if the server has more messages than it listed. */
  isComplete: boolean;
  /** UID and time of each remaining message. */
  remaining: Float64Array<ArrayBuffer>;
}

/** Numbers per message in `MessageList.remaining`. */
export const LIST_WIDTH = 2;

/** A request for the changes since a cursor. */
export interface ChangesRequest {
  /** The stored messages. */
  known: KnownMessages;
  /** UID set of messages whose content the server did not send. */
  askAgain: string;
  /** UID set of messages that were beyond the limit of the last full run. */
  older: string;
  /** Whether as many messages are stored as a sync may keep, so that it would not keep older ones. */
  isFull: boolean;
  /** Whether the mailbox has a UIDVALIDITY. Otherwise a UID may be another message than the stored one. */
  isNumbered: boolean;
  /** Only messages that arrived since then are new, ms since 1970. */
  since?: number | undefined;
}

/** Changes of a mailbox since a cursor, by UID in descending order. */
export interface Changes {
  /** New messages, messages with changed flags, and those whose content is asked for again. */
  changed: Uint32Array<ArrayBuffer>;
  /** Stored messages that a complete listing no longer contains. */
  gone: Uint32Array<ArrayBuffer>;
  /** Number of messages in the mailbox. */
  total: number;
}

/** Largest mailbox that is read, messages. */
const MAX_MESSAGES = 1_000_000;

/** Returns the number of messages in the open mailbox. @throws ProviderError when it exceeds `MAX_MESSAGES` */
export function countMessages({ mailbox }: BoundedImap): number {
  // A server may omit EXISTS, which imapflow's types do not say.
  const count = (mailbox === false ? undefined : (mailbox.exists as number | undefined)) ?? 0;
  if (count > MAX_MESSAGES)
    throw new ProviderError('invalid', 'The mailbox has more than 1,000,000 messages, too many to sync.');
  return count;
}

/** Orders by time received, newest first; in the same second by UID, highest first. */
export function newestFirst(a: ListedMessage, b: ListedMessage): number {
  return b.time - a.time || b.uid - a.uid;
}

/** Returns whether a message arrived since a time. One without a time may have, and is wanted. */
function isSince(time: number, since: number | undefined): boolean {
  return since === undefined || time === 0 || time >= since;
}

/** Counts the messages that arrived since a time; without one, all. */
export async function countSince(imap: BoundedImap, since: number | undefined): Promise<number> {
  if (since === undefined) return countMessages(imap);
  return (await listMessages(imap, { after: null, since })).total;
}

/** Lists the messages of the mailbox, newest first. */
export async function listMessages(imap: BoundedImap, { after, since }: ListRequest): Promise<MessageList> {
  countMessages(imap);
  const found = since === undefined ? undefined : await listSince(imap, since);
  // The engine removes what a full run does not see, so its list is always checked against another one.
  const listing = found ?? (await listMailbox(imap, { withDates: true, isDoubted: () => true }));
  fillDates(listing.messages);
  const wanted = [...listing.messages]
    .map(([uid, { time }]) => ({ uid, time }))
    .filter(({ time }) => isSince(time, since));
  const remaining = wanted
    .filter((message) => after === null || newestFirst(message, after) > 0)
    .sort(newestFirst)
    .flatMap(({ uid, time }) => [uid, time]);
  return {
    total: wanted.length,
    isComplete: listing.isComplete,
    remaining: Float64Array.from(remaining),
  };
}

/** Returns whether a listed message differs from the stored one, as far as both are known. */
function differs(listed: ListedEntry, stored: KnownMessage, isNumbered: boolean): boolean {
  if (!isNumbered && listed.time > 0 && listed.time !== stored.time) return true;
  return listed.flags !== undefined && stored.flags !== undefined && listed.flags !== stored.flags;
}

/** Returns the message that a newest-first list of the stored ones ends with; undefined if there is none. */
function oldestOf({ uids, times }: KnownMessages): ListedMessage | undefined {
  const messages = Array.from(uids, (uid, at) => ({ uid, time: times[at] ?? 0 }));
  return messages.reduce<ListedMessage | undefined>(
    (oldest, message) => (oldest && newestFirst(message, oldest) < 0 ? oldest : message),
    undefined,
  );
}

/**
 * Returns a test of listed messages that are not stored. They are new unless they were beyond the limit of the last full run
 * (`older`), or a full mailbox (`isFull`) keeps only newer ones.
 */
function newMessageTest({ known, older, isFull }: ChangesRequest): (message: ListedMessage) => boolean {
  const unwanted = new Set(readUidSet(older));
  const oldest = isFull ? oldestOf(known) : undefined;
  return (message) =>
    !unwanted.has(message.uid) && (!oldest || message.time === 0 || newestFirst(message, oldest) < 0);
}

/** Lists the changes since a cursor. */
export async function listChanges(imap: BoundedImap, since: ChangesRequest): Promise<Changes> {
  countMessages(imap);
  const { isNumbered, isFull } = since;
  const known = byUid(since.known);
  const askAgain = new Set(readUidSet(since.askAgain));
  const stored = [...new Set([...known.keys(), ...askAgain])];
  const { messages, isComplete, mayHave } = await listMailbox(imap, {
    withDates: !isNumbered || isFull || since.since !== undefined,
    isDoubted: (listed) => stored.some((uid) => !listed.has(uid)),
  });
  const isNew = newMessageTest(since);
  for (const uid of askAgain) known.delete(uid);
  const changed = [...messages].filter(([uid, entry]) => {
    const before = known.get(uid);
    return before
      ? differs(entry, before, isNumbered)
      : (isNew({ uid, time: entry.time }) && isSince(entry.time, since.since)) || askAgain.has(uid);
  });
  const gone = isComplete ? stored.filter((uid) => !mayHave(uid)) : [];
  return {
    changed: Uint32Array.from(changed, ([uid]) => uid)
      .sort()
      .reverse(),
    gone: Uint32Array.from(gone).sort().reverse(),
    total: messages.size,
  };
}
