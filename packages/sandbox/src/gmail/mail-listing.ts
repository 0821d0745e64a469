import { invalidArgument } from './gmail-error.ts';
import type { Mail } from './mail.ts';
import type { Mailbox } from './mailbox.ts';
import { isSearchMatch, parseSearch } from './search-query.ts';

/** The parameters of a listing of messages or threads. */
export interface ListOptions {
  labelIds: readonly string[];
  query: string;
  pageToken: string | undefined;
  maxResults: number;
  includeSpamTrash: boolean;
}

/** Reads the parameters of a listing. @throws GmailError 400 for invalid ones */
export function readListOptions(mailbox: Mailbox, query: URLSearchParams): ListOptions {
  const labelIds = query.getAll('labelIds').filter((id) => id !== '');
  for (const id of labelIds) {
    if (!mailbox.labels.some((label) => label.id === id)) throw invalidArgument(`Invalid label: ${id}`);
  }
  return {
    labelIds,
    query: query.get('q') ?? '',
    pageToken: query.get('pageToken') ?? undefined,
    maxResults: pageSize(query.get('maxResults')),
    includeSpamTrash: query.get('includeSpamTrash') === 'true',
  };
}

/** Returns the page size: default 100, at most 500. */
export function pageSize(text: string | null): number {
  if (text === null || text === '') return 100;
  if (!/^\d{1,10}$/.test(text))
    throw invalidArgument(`Invalid value at 'max_results' (TYPE_UINT32), "${text}"`);
  return Math.min(500, Math.max(1, Number(text)));
}

/** Returns a filter for messages in the listing. Like Gmail, it includes spam and trash only on request. */
export function listFilter(mailbox: Mailbox, options: ListOptions): (mail: Mail) => boolean {
  const search = parseSearch(options.query, mailbox);
  const seesHidden = (label: string) => options.includeSpamTrash || search.places.includes(label);
  return (mail) => {
    for (const label of ['SPAM', 'TRASH'])
      if (mail.labelIds.includes(label) && !seesHidden(label)) return false;
    return options.labelIds.every((label) => mail.labelIds.includes(label)) && isSearchMatch(search, mail);
  };
}

/** One page of messages that pass the filter. */
export interface ListPage<Item> {
  items: Item[];
  nextPageToken: string | undefined;
  estimate: number;
}

/**
 * Returns a page of messages, newest first. The token names the last message shown, so that new and deleted messages
 * cause no repeats or gaps. The estimate is as rough as Gmail's: exact only on the last page.
 */
export function listPage<Item>(
  mails: readonly Mail[],
  options: ListOptions,
  pick: (mail: Mail) => Item | undefined,
): ListPage<Item> {
  const items: Item[] = [];
  let last: Mail | undefined;
  for (let at = startOf(mails, options.pageToken); at < mails.length; at += 1) {
    const mail = mails[at];
    const item = mail && pick(mail);
    if (!mail || item === undefined) continue;
    if (items.length === options.maxResults)
      return { items, nextPageToken: last && tokenAfter(last), estimate: 2 * options.maxResults + 1 };
    items.push(item);
    last = mail;
  }
  return { items, nextPageToken: undefined, estimate: items.length };
}

function tokenAfter(mail: Mail): string {
  return (BigInt(mail.internalDate) * 2n ** 64n + BigInt(`0x${mail.id}`)).toString();
}

/** Returns the index after the message that the token names, whether or not it still exists. */
function startOf(mails: readonly Mail[], token: string | undefined): number {
  if (token === undefined) return 0;
  if (!/^\d{1,40}$/.test(token)) throw invalidArgument('Invalid pageToken');
  const date = Number(BigInt(token) >> 64n);
  const id = (BigInt(token) & (2n ** 64n - 1n)).toString(16).padStart(16, '0');
  let low = 0;
  let high = mails.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const mail = mails[middle];
    if (mail && (mail.internalDate > date || (mail.internalDate === date && mail.id >= id))) low = middle + 1;
    else high = middle;
  }
  return low;
}
