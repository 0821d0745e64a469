/** Lists mailboxes. Runs in the session thread. */
import type { ListResponse } from 'imapflow';
import type { BoundedImap, MailboxStatus } from './bounded-imap.ts';
import { isAnswered } from './mail-query.ts';
import { nameOf } from './mailbox-wire.ts';

/** Largest number of mailboxes read: a hundred times as many as a sync keeps. */
const MAX_MAILBOXES = 5000;
const LIST_BYTES = 2 * 1024 * 1024;
const MAX_NAME_LENGTH = 1000;
/** Attributes in lower case; servers write them in any. */
const NOT_SELECTABLE = ['\\noselect', '\\nonexistent'];
const SPECIAL_USES = ['\\All', '\\Archive', '\\Drafts', '\\Flagged', '\\Junk', '\\Sent', '\\Trash'];

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
  /** Whether the server said how many messages it has. */
  isCounted: boolean;
}

type Named = Pick<ListedMailbox, 'path' | 'name'>;
type ListedEntry = ListResponse & Named;

/** Orders INBOX first, then by name. */
function compareMailboxes(a: Named, b: Named): number {
  const rank = ({ path }: Named) => (path === 'INBOX' ? 0 : 1);
  return rank(a) - rank(b) || (a.path < b.path ? -1 : 1);
}

/** Names a mailbox as the server lists it: imapflow removes a leading delimiter, which makes another name. */
function withName(imap: BoundedImap, entry: ListResponse): ListedEntry {
  const path = nameOf(imap, entry.pathAsListed);
  const { delimiter } = entry;
  const name = delimiter ? (path.split(delimiter).at(-1) ?? '') : path;
  return { ...entry, path, name: name || path };
}

function isUsable({ flags, path }: ListedEntry): boolean {
  const attributes = [...flags].map((flag) => flag.toLowerCase());
  return (
    path.length > 0 &&
    path.length <= MAX_NAME_LENGTH &&
    !attributes.some((flag) => NOT_SELECTABLE.includes(flag))
  );
}

/** Returns the special use, which imapflow recognises in one spelling only. */
function useOf({ specialUse, flags }: ListedEntry): string {
  const attributes = [...flags].map((flag) => flag.toLowerCase());
  return specialUse ?? SPECIAL_USES.find((use) => attributes.includes(use.toLowerCase())) ?? '';
}

/** Returns the counts of a mailbox from the LIST response, else by STATUS. @throws imapflow's errors */
async function countsOf(
  imap: BoundedImap,
  { status, pathAsListed }: ListedEntry,
): Promise<Pick<ListedMailbox, 'messages' | 'unread' | 'isCounted'>> {
  if (status?.messages !== undefined)
    return { messages: status.messages, unread: status.unseen ?? 0, isCounted: true };
  const { messages, unseen = 0 } = await imap
    .command(LIST_BYTES, () => imap.statusOf(pathAsListed))
    .catch((error): MailboxStatus => {
      if (!isAnswered(imap, error)) throw error;
      return {};
    });
  return { messages: messages ?? 0, unread: unseen, isCounted: messages !== undefined };
}

const UNCOUNTED = { messages: 0, unread: 0, isCounted: false };

/** Lists the mailboxes that can contain messages. @param maxCounts number of mailboxes whose messages may be counted */
export async function listMailboxes(imap: BoundedImap, maxCounts: number): Promise<ListedMailbox[]> {
  // Without LIST-STATUS, imapflow sends STATUS with names of its own making.
  const withStatus = maxCounts > 0 && imap.capabilities.has('LIST-STATUS');
  const query = withStatus ? { statusQuery: { messages: true, unseen: true } } : {};
  const listed = await imap.command(LIST_BYTES, () => imap.list(query));
  const named = listed.map((entry) => withName(imap, entry)).filter(isUsable);
  const usable = [...new Map(named.map((entry) => [entry.path, entry])).values()]
    .sort(compareMailboxes)
    .slice(0, MAX_MAILBOXES);
  const mailboxes: ListedMailbox[] = [];
  for (const entry of usable) {
    const { path, name, delimiter, subscribed } = entry;
    const isCounted = mailboxes.length < maxCounts || (withStatus && entry.status !== undefined);
    const counts = isCounted ? await countsOf(imap, entry) : UNCOUNTED;
    mailboxes.push({ path, name, delimiter: delimiter ?? '', use: useOf(entry), subscribed, ...counts });
  }
  return mailboxes;
}
