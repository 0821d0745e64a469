import type { GmailService, GoogleAccounts, LabelChange, Mail, Mailbox } from '@datadeck/sandbox/parts';
import { composeNote, mailFromText, type NoteText } from './compose-note.ts';
import { type MailOddity, oddMail } from './mail-oddities.ts';

/** Actions on a mailbox, which is named by its e-mail address. Ids are those of the Gmail API. */
export interface GmailControl {
  /** Returns the ids of all messages, or of a label's, newest first. */
  messageIds(email: string, labelId?: string): string[];
  /** Returns the labels and date of a message; undefined if it does not exist. */
  message(email: string, id: string): Pick<Mail, 'id' | 'labelIds' | 'internalDate'> | undefined;
  /** Adds a short message; returns its id. */
  insert(email: string, note?: NoteText): string;
  /** Adds a message with exactly this text, to a thread or in a new one; returns its id. */
  insertRaw(email: string, raw: string | Uint8Array, labelIds?: readonly string[], threadId?: string): string;
  /** Adds a message with a named oddity; returns its id. */
  insertOddity(email: string, oddity: MailOddity): string;
  /** Deletes a message permanently. Returns false if it does not exist. */
  remove(email: string, id: string): boolean;
  changeLabels(email: string, id: string, change: LabelChange): boolean;
  /** Creates a user label; returns its id. */
  createLabel(email: string, name: string): string;
  renameLabel(email: string, id: string, name: string): boolean;
  deleteLabel(email: string, id: string): boolean;
  /** Clears the history: requests with older start ids respond with 404. */
  expireHistory(email: string): void;
}

/** Creates the control of the mailboxes. */
export function gmailControl(gmail: GmailService, accounts: GoogleAccounts): GmailControl {
  const open = (email: string): Mailbox => {
    const account = accounts.byEmail(email);
    if (!account) throw new RangeError(`No Google account has the address ${email}`);
    return gmail.mailbox(account);
  };
  let inserted = 0;
  const arrive = (email: string, raw: Buffer, labelIds: readonly string[], threadId?: string) => {
    inserted += 1;
    const mail = mailFromText(raw, { labelIds, key: `control/${inserted}/${Date.now()}` });
    return open(email).insert({ ...mail, ...(threadId !== undefined && { threadId }) }).id;
  };
  return {
    messageIds: (email, labelId) =>
      open(email)
        .mails.filter((mail) => labelId === undefined || mail.labelIds.includes(labelId))
        .map((mail) => mail.id),
    message: (email, id) => open(email).mail(id),
    insert: (email, note) => open(email).insert(composeNote('A new message', note)).id,
    insertRaw: (email, raw, labelIds = ['INBOX', 'UNREAD'], threadId = undefined) =>
      arrive(email, Buffer.from(raw), labelIds, threadId),
    insertOddity: (email, oddity) => arrive(email, oddMail(oddity), ['INBOX']),
    remove: (email, id) => open(email).remove(id),
    changeLabels: (email, id, change) => open(email).changeLabels(id, change),
    createLabel: (email, name) => open(email).createLabel(name).id,
    renameLabel: (email, id, name) => open(email).renameLabel(id, name),
    deleteLabel: (email, id) => open(email).deleteLabel(id),
    expireHistory: (email) => open(email).history.expire(),
  };
}
