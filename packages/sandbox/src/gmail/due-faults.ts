import type { DueFaults } from '../faults/fault-injector.ts';
import { composeNote } from './compose-note.ts';
import { invalidArgument } from './gmail-error.ts';
import { type ListOptions, type ListPage, listFilter } from './mail-listing.ts';
import type { Mailbox } from './mailbox.ts';
import type { MessageResource, PartResource } from './message-resource.ts';

/** Changes the mailbox before a listing if a fault is due: adds or removes the newest messages, changes the oldest. */
export function beforeList(mailbox: Mailbox, options: ListOptions, faults: DueFaults): void {
  const inserts = faults.take('insert-between-pages');
  const labelIds = [...new Set(['INBOX', 'UNREAD', ...options.labelIds])];
  for (let left = inserts ? (inserts.count ?? 1) : 0; left > 0; left -= 1)
    mailbox.insert(composeNote('Arrived between two pages', { labelIds }));
  const listed = () => mailbox.mails.filter(listFilter(mailbox, options));
  const deletes = faults.take('delete-between-pages');
  if (deletes) for (const mail of listed().slice(0, deletes.count ?? 1)) mailbox.remove(mail.id);
  const updates = faults.take('update-between-pages');
  if (updates)
    for (const mail of listed().slice(-(updates.count ?? 1)))
      mailbox.changeLabels(mail.id, toggled(mail.labelIds));
}

function toggled(labelIds: readonly string[]): { add: string[] } | { remove: string[] } {
  return labelIds.includes('STARRED') ? { remove: ['STARRED'] } : { add: ['STARRED'] };
}

/** Changes a label just before the response, if a fault is due. */
export function changeLabels(mailbox: Mailbox, faults: DueFaults): void {
  const label = mailbox.labels.find((each) => each.type === 'user');
  if (!label) return;
  const renamed = faults.take('label-renamed');
  if (renamed) mailbox.renameLabel(label.id, renamed.name ?? `${label.name} (renamed)`);
  if (faults.take('label-deleted')) mailbox.deleteLabel(label.id);
}

/** Rejects a page token if a fault is due. @throws GmailError */
export function refusePageToken(pageToken: string | undefined, faults: DueFaults): void {
  if (pageToken !== undefined && faults.take('page-token-expired'))
    throw invalidArgument('Invalid pageToken');
}

/** The token of the first page. */
const FIRST_PAGE = `${2n ** 63n * 2n ** 64n}`;

/** Returns the page size: the requested one, or a smaller one if a fault is due. */
export function oddSize(requested: number, faults: DueFaults): number {
  const short = faults.take('short-page');
  return short ? Math.min(requested, short.count ?? 2) : requested;
}

/** Returns the listing's options with that page size. */
export function oddOptions(options: ListOptions, faults: DueFaults): ListOptions {
  return { ...options, maxResults: oddSize(options.maxResults, faults) };
}

/** Returns the page, damaged if a fault is due. */
export function oddPage<Item>(page: ListPage<Item>, options: ListOptions, faults: DueFaults): ListPage<Item> {
  const { pageToken } = options;
  refusePageToken(pageToken, faults);
  if (pageToken !== undefined && faults.take('page-token-loop')) return { ...page, nextPageToken: pageToken };
  if (pageToken !== undefined && pageToken !== FIRST_PAGE && faults.take('page-token-cycle'))
    return { ...page, nextPageToken: FIRST_PAGE };
  if (!faults.take('empty-page-with-next')) return page;
  return { items: [], nextPageToken: pageToken ?? FIRST_PAGE, estimate: page.estimate };
}

/** Returns the message, damaged if a fault is due. */
export function oddMessage(
  message: MessageResource,
  faults: DueFaults,
): MessageResource | Record<string, unknown> {
  if (faults.take('missing-payload')) return { ...message, payload: undefined };
  if (message.payload && faults.take('missing-body'))
    changeParts(message.payload, (part) => delete part.body);
  if (message.payload && faults.take('bad-base64url')) {
    changeParts(message.payload, (part) => {
      if (part.body?.data !== undefined) part.body.data = `%%${part.body.data.slice(3)}*`;
    });
  }
  return faults.take('unknown-field')
    ? { ...message, classificationLabelValues: [{ labelId: 'new', fields: [] }] }
    : message;
}

function changeParts(part: PartResource, change: (part: PartResource) => void): void {
  change(part);
  for (const child of part.parts ?? []) changeParts(child, change);
}
