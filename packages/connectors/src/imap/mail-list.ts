/**
 * Lists the messages of the open mailbox, and finds out whether the list is complete: servers omit messages from one
 * answer that they list in the next. Runs in the session thread.
 */
import type { FetchQueryObject, SearchObject } from 'imapflow';
import type { BoundedImap } from './bounded-imap.ts';
import { flagsKey } from './known-messages.ts';
import { isAnswered } from './mail-query.ts';
import { receivedAt } from './received-at.ts';
import { isUid, writeUidSet } from './uid-set.ts';

/** Largest mailbox listed by SEARCH, which returns all UIDs in one line. */
const MAX_SEARCHED_MESSAGES = 50_000;
const MARGIN_BYTES = 1024 * 1024;
/** Bytes that a server may send per message: in a SEARCH response, and in a FETCH response with UID, flags and date. */
const UID_BYTES = 12;
const ENTRY_BYTES = 256;

/** A listed message. */
export interface ListedEntry {
  /** Time the server received it, ms since 1970; 0 if the server does not say. */
  time: number;
  /** Key of its flags; undefined if the server did not send them. */
  flags: string | undefined;
}

/** The messages of a mailbox, by UID. */
export interface MailboxListing {
  messages: Map<number, ListedEntry>;
  /** Whether the server listed at least as many messages as it counts. */
  isComplete: boolean;
  /** Returns whether any answer listed a UID; false means that the message is gone if the listing is complete. */
  mayHave(uid: number): boolean;
}

interface ListOptions {
  withDates: boolean;
  /** Returns whether the listing needs a second one, although it has as many messages as the mailbox. */
  isDoubted(messages: ReadonlyMap<number, ListedEntry>): boolean;
}

/** Returns the number of messages as the server last reported it; undefined if it did not. */
function countOf({ mailbox }: BoundedImap): number | undefined {
  return mailbox === false ? undefined : (mailbox.exists as number | undefined);
}

/** Collects the entries of one FETCH; a refused one may have sent some. @throws imapflow's errors */
async function fetchEntries(
  imap: BoundedImap,
  range: { set: string; isUids: boolean; count: number },
  { withDates }: ListOptions,
  into: Map<number, ListedEntry>,
): Promise<void> {
  const items: FetchQueryObject = { uid: true, flags: true };
  if (withDates) items.internalDate = true;
  await imap.command(MARGIN_BYTES + range.count * ENTRY_BYTES, async () => {
    for await (const message of imap.fetch(range.set, items, { uid: range.isUids })) {
      if (!isUid(message.uid)) continue;
      const before = into.get(message.uid);
      into.set(message.uid, {
        time: receivedAt(message.internalDate).getTime() || (before?.time ?? 0),
        flags: flagsKey(message.flags) ?? before?.flags,
      });
    }
  });
}

/** Lists UIDs by SEARCH. @returns undefined if the server refuses, or if its answer would be too long */
async function searchUids(
  imap: BoundedImap,
  count: number,
  query: SearchObject = { all: true },
): Promise<Set<number> | undefined> {
  if (count > MAX_SEARCHED_MESSAGES) return undefined;
  const bytes = MARGIN_BYTES + count * UID_BYTES;
  return imap.command(bytes, async () => {
    const found = await imap.search(query, { uid: true });
    // imapflow returns false for every failure.
    if (!imap.usable) throw new Error('the connection was lost');
    return Array.isArray(found) ? new Set(found.filter(isUid)) : undefined;
  });
}

/** SEARCH compares dates in the time zone of the server, at most 14 hours from UTC. */
const DAY_MS = 86_400_000;

/**
 * Lists the messages that arrived since a time, and up to a day before, by SEARCH and FETCH.
 * @returns undefined if the server refuses the search, or if its answer would be too long
 * @throws imapflow's errors
 */
export async function listSince(
  imap: BoundedImap,
  since: number,
): Promise<Pick<MailboxListing, 'messages' | 'isComplete'> | undefined> {
  const query = { since: new Date(since - DAY_MS) };
  const uids = await searchUids(imap, countOf(imap) ?? 0, query);
  if (!uids) return undefined;
  const messages = new Map<number, ListedEntry>();
  if (uids.size > 0) {
    const options = { withDates: true, isDoubted: () => false };
    await fetchEntries(imap, { set: writeUidSet(uids), isUids: true, count: uids.size }, options, messages);
  }
  for (const uid of messages.keys()) if (!uids.has(uid)) messages.delete(uid);
  return { messages, isComplete: messages.size === uids.size };
}

/**
 * Returns the mailbox's count. Asks the server once more when it did not say it, or counts and lists none.
 * @param listedCount number of listed messages @returns the larger count; undefined if the server says none
 */
async function confirmedCount(imap: BoundedImap, listedCount: number): Promise<number | undefined> {
  const count = countOf(imap);
  if (count !== undefined && (listedCount > 0 || count > 0)) return count;
  const { messages } = await imap
    .command(MARGIN_BYTES, () => imap.statusOf())
    .catch((error) => {
      if (!isAnswered(imap, error)) throw error;
      return { messages: count };
    });
  return Math.max(messages ?? 0, count ?? 0) || count || messages;
}

/** Sets the date of a message without one to that of the message before it, so that it keeps its place. */
export function fillDates(messages: Map<number, ListedEntry>): void {
  let last = 0;
  for (const uid of [...messages.keys()].sort((a, b) => a - b)) {
    const entry = messages.get(uid) as ListedEntry;
    entry.time ||= last;
    last = entry.time;
  }
}

/** Lists the open mailbox by FETCH, and where that may lack messages also by SEARCH. @throws imapflow's errors */
export async function listMailbox(imap: BoundedImap, options: ListOptions): Promise<MailboxListing> {
  const messages = new Map<number, ListedEntry>();
  const fetchAll = async (range: { set: string; isUids: boolean; count: number }) => {
    try {
      await fetchEntries(imap, range, options, messages);
      return undefined;
    } catch (error) {
      if (!isAnswered(imap, error)) throw error;
      return error;
    }
  };
  const count = countOf(imap) ?? 0;
  const refusal = count > 0 ? await fetchAll({ set: '1:*', isUids: false, count }) : undefined;
  const isShort = () => messages.size < (countOf(imap) ?? Number.POSITIVE_INFINITY);
  let searched: Set<number> | undefined;
  if (refusal || isShort() || options.isDoubted(messages)) {
    searched = await searchUids(imap, Math.max(count, messages.size));
    if (refusal && !searched) throw refusal;
    const missing = [...(searched ?? [])].filter((uid) => !messages.has(uid));
    if (missing.length > 0)
      await fetchAll({ set: writeUidSet(missing), isUids: true, count: missing.length });
    // What the server counts and finds exists, even if it sends nothing else about it.
    if (isShort())
      for (const uid of missing) if (!messages.has(uid)) messages.set(uid, { time: 0, flags: undefined });
  }
  const expected = searched ? await confirmedCount(imap, messages.size) : countOf(imap);
  return {
    messages,
    isComplete:
      expected === undefined
        ? searched !== undefined && [...searched].every((uid) => messages.has(uid))
        : messages.size >= expected,
    mayHave: (uid) => messages.has(uid) || searched?.has(uid) === true,
  };
}
