/** Lists a mailbox's messages and changes; the lists can be long. Runs in the session thread. */
import { ProviderError } from '../sdk/provider-error.ts';
import type { BoundedImap } from './bounded-imap.ts';
import { KnownMessages, type SavedMessages, WITHOUT_FLAGS } from './known-messages.ts';
import { listMailbox, type MailboxListing } from './mail-list.ts';
import { readUidSet } from './uid-set.ts';

/** One message of the mailbox's list. */
export interface ListedMessage {
  uid: number;
  /** Time the server received it, ms since 1970; 0 if the server does not say. */
  time: number;
}

/** A request for the list of messages. */
export interface ListRequest {
  /** Messages that are excluded, because this run has already yielded them. */
  known: SavedMessages;
  /** Whether the mailbox has a UIDVALIDITY. */
  isNumbered: boolean;
}

/** The messages of a mailbox, newest first. */
export interface MessageList {
  /** Number of messages, including those excluded as known. */
  total: number;
  /** False if the server has more messages than it listed. */
  isComplete: boolean;
  /** UID, time and index of the fingerprint of each remaining message. */
  remaining: Float64Array<ArrayBuffer>;
  fingerprints: string[];
}

/** Numbers per message in `MessageList.remaining`. */
export const LIST_WIDTH = 3;

/** A request for the changes since a cursor. */
export interface ChangesRequest extends ListRequest {
  /** UID set of messages that were beyond the limit of the last full run. */
  older: string;
}

/** Changes of a mailbox since a cursor, by UID in descending order. */
export interface Changes {
  /** New messages, messages with changed flags, and those that the last run could not read. */
  changed: Uint32Array<ArrayBuffer>;
  /** Index of the fingerprint of each of them. */
  indexes: Uint32Array<ArrayBuffer>;
  fingerprints: string[];
  /** Known messages that a complete listing no longer contains. */
  gone: Uint32Array<ArrayBuffer>;
  /** Number of messages in the mailbox. */
  total: number;
}

/** Numbers the distinct fingerprints. */
class Fingerprints {
  readonly #indexes = new Map<string, number>();

  indexOf(fingerprint: string): number {
    const index = this.#indexes.get(fingerprint) ?? this.#indexes.size;
    this.#indexes.set(fingerprint, index);
    return index;
  }

  get texts(): string[] {
    return [...this.#indexes.keys()];
  }
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

/** Lists the messages of the mailbox, newest first. */
export async function listMessages(imap: BoundedImap, request: ListRequest): Promise<MessageList> {
  countMessages(imap);
  const known = new KnownMessages(request.known);
  const { isNumbered } = request;
  // The engine removes what a full run does not see, so its list is always checked against another one.
  const listing = await listMailbox(imap, { isNumbered, withDates: true, isDoubted: () => true });
  const fingerprints = new Fingerprints();
  const remaining = [...listing.messages]
    .filter(([uid]) => !known.has(uid))
    .map(([uid, { time, fingerprint = WITHOUT_FLAGS }]) => ({ uid, time, fingerprint }))
    .sort(newestFirst)
    .flatMap(({ uid, time, fingerprint }) => [uid, time, fingerprints.indexOf(fingerprint)]);
  return {
    total: listing.messages.size,
    isComplete: listing.isComplete,
    remaining: Float64Array.from(remaining),
    fingerprints: fingerprints.texts,
  };
}

/** Returns the UIDs to read again: new ones, and known ones whose listed flags differ from the stored ones. */
function changedUids(
  { messages }: MailboxListing,
  known: KnownMessages,
  older: ReadonlySet<number>,
): number[] {
  return [...messages]
    .filter(([uid, { fingerprint }]) => {
      const stored = known.get(uid);
      if (stored === undefined) return !older.has(uid);
      return stored === '' || (fingerprint !== undefined && fingerprint !== stored);
    })
    .map(([uid]) => uid)
    .sort((a, b) => b - a);
}

/** Lists the changes since a cursor. */
export async function listChanges(imap: BoundedImap, since: ChangesRequest): Promise<Changes> {
  countMessages(imap);
  const known = new KnownMessages(since.known);
  const uids = known.uids();
  const listing = await listMailbox(imap, {
    isNumbered: since.isNumbered,
    withDates: false,
    isDoubted: (messages) => uids.some((uid) => !messages.has(uid)),
  });
  const changed = changedUids(listing, known, new Set(readUidSet(since.older)));
  const gone = listing.isComplete ? uids.filter((uid) => !listing.mayHave(uid)) : [];
  const fingerprints = new Fingerprints();
  const indexes = changed.map((uid) =>
    fingerprints.indexOf(listing.messages.get(uid)?.fingerprint ?? WITHOUT_FLAGS),
  );
  return {
    changed: Uint32Array.from(changed),
    indexes: Uint32Array.from(indexes),
    fingerprints: fingerprints.texts,
    gone: Uint32Array.from(gone.sort((a, b) => b - a)),
    total: listing.messages.size,
  };
}
