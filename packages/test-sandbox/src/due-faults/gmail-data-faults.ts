import { listFilter, type Mailbox, readListOptions } from '@datadeck/sandbox/parts';
import { composeNote } from '../control/compose-note.ts';
import type { DueFaults } from '../faults/fault-injector.ts';

/**
 * Changes the mailbox before a list is read if a fault is due: adds or removes the newest messages of the list, changes the
 * oldest. @throws GmailError 400 for invalid parameters
 */
export function changeMails(mailbox: Mailbox, query: URLSearchParams, faults: DueFaults): void {
  const inserts = faults.take('insert-between-pages');
  const deletes = faults.take('delete-between-pages');
  const updates = faults.take('update-between-pages');
  if (!inserts && !deletes && !updates) return;
  const options = readListOptions(mailbox, query);
  const labelIds = [...new Set(['INBOX', 'UNREAD', ...options.labelIds])];
  for (let left = inserts ? (inserts.count ?? 1) : 0; left > 0; left -= 1)
    mailbox.insert(composeNote('Arrived between two pages', { labelIds }));
  const listed = () => mailbox.mails.filter(listFilter(mailbox, options));
  if (deletes) for (const mail of listed().slice(0, deletes.count ?? 1)) mailbox.remove(mail.id);
  if (!updates) return;
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
