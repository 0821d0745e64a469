/** Lists mailboxes. Runs in the session thread. */
import type { ListResponse } from 'imapflow';
import type { BoundedImap } from './bounded-imap.ts';

/** Largest number of mailboxes read: a hundred times as many as a sync keeps. */
const MAX_MAILBOXES = 5000;
const LIST_BYTES = 2 * 1024 * 1024;
const MAX_NAME_LENGTH = 1000;
const NOT_SELECTABLE = ['\\Noselect', '\\NonExistent'];

/** One mailbox of the server's LIST response. */
export interface ListedMailbox {
  path: string;
  name: string;
  delimiter: string;
  /** Special use (RFC 6154), e.g. `\Sent`; else empty. */
  use: string;
  subscribed: boolean;
  messages: number;
  unread: number;
}

/** Orders INBOX first, then by name. */
function compareMailboxes(a: ListResponse, b: ListResponse): number {
  const rank = ({ path }: ListResponse) => (path.toUpperCase() === 'INBOX' ? 0 : 1);
  return rank(a) - rank(b) || (a.path < b.path ? -1 : 1);
}

/** Lists the mailboxes that can contain messages. @param withCounts whether to request message counts too */
export async function listMailboxes(imap: BoundedImap, withCounts: boolean): Promise<ListedMailbox[]> {
  const query = withCounts ? { statusQuery: { messages: true, unseen: true } } : {};
  const listed = await imap.command(LIST_BYTES, () => imap.list(query));
  const usable = listed.filter(
    ({ flags, path }) => path.length <= MAX_NAME_LENGTH && !NOT_SELECTABLE.some((flag) => flags.has(flag)),
  );
  return usable
    .sort(compareMailboxes)
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
