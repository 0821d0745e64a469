/** Runs in the thread of a session. */
import type { ListResponse } from 'imapflow';
import type { BoundedImap } from './bounded-imap.ts';

/** A hundred times as many mailboxes as a sync keeps. */
const MAX_MAILBOXES = 5000;
const LIST_BYTES = 2 * 1024 * 1024;
const MAX_NAME_LENGTH = 1000;
const HOLDS_NOTHING = ['\\Noselect', '\\NonExistent'];

/** A mailbox of the server's list. */
export interface ListedMailbox {
  path: string;
  name: string;
  delimiter: string;
  /** For example `\Sent`, else empty. */
  use: string;
  subscribed: boolean;
  messages: number;
  unread: number;
}

/** INBOX first, then by name. */
function inOrder(a: ListResponse, b: ListResponse): number {
  const rank = ({ path }: ListResponse) => (path.toUpperCase() === 'INBOX' ? 0 : 1);
  return rank(a) - rank(b) || (a.path < b.path ? -1 : 1);
}

/** The mailboxes that can hold messages. @param counts whether their counts are asked for too */
export async function listMailboxes(imap: BoundedImap, counts: boolean): Promise<ListedMailbox[]> {
  const query = counts ? { statusQuery: { messages: true, unseen: true } } : {};
  const listed = await imap.command(LIST_BYTES, () => imap.list(query));
  const usable = listed.filter(
    ({ flags, path }) => path.length <= MAX_NAME_LENGTH && !HOLDS_NOTHING.some((flag) => flags.has(flag)),
  );
  return usable
    .sort(inOrder)
    .slice(0, MAX_MAILBOXES)
    .map(({ path, name, delimiter, specialUse, subscribed, status }) => ({
      path,
      name,
      delimiter: delimiter ?? '',
      use: specialUse ?? '',
      subscribed,
      messages: status?.messages ?? 0,
      unread: status?.unseen ?? 0,
    }));
}
