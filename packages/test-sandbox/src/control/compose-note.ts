import { randomBytes } from 'node:crypto';
import { collectMails, type Mail, type MailSource } from '@datadeck/sandbox/parts';

/** The content of a message that the control or a fault creates; everything has a default. */
export interface NoteText {
  from?: string;
  subject?: string;
  text?: string;
  labelIds?: readonly string[];
  /** Milliseconds since 1970; default now. */
  date?: number;
  /** When Gmail received it, ms since 1970; default its date. */
  receivedAt?: number;
}

/** Creates a short plain message with a new id, by default unread in the inbox. */
export function composeNote(defaultSubject: string, note: NoteText = {}): Omit<Mail, 'historyId'> {
  const from = note.from ?? 'Sandbox <sandbox@sandbox.example>';
  const id = randomBytes(8).toString('hex');
  const lines = [
    `From: ${from}`,
    'To: you@sandbox.example',
    `Subject: ${note.subject ?? defaultSubject}`,
    `Date: ${new Date(note.date ?? Date.now()).toUTCString().replace('GMT', '+0000')}`,
    `Message-ID: <${id}@sandbox.example>`,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=UTF-8',
    'Content-Transfer-Encoding: 8bit',
    '',
    note.text ?? 'This message was put here by the sandbox.',
    '',
  ];
  const mail = mailFromText(Buffer.from(lines.join('\r\n')), {
    labelIds: note.labelIds ?? ['INBOX', 'UNREAD'],
    key: id,
  });
  return note.receivedAt === undefined ? mail : { ...mail, internalDate: note.receivedAt };
}

/** Creates a message, in a new thread, from a whole mail (RFC 5322). Its date is now unless its headers contain one. */
export function mailFromText(
  raw: Buffer,
  options: Pick<MailSource, 'key' | 'labelIds'>,
): Omit<Mail, 'historyId'> {
  const read = () => raw;
  const [mail] = collectMails([
    { ...options, size: raw.length, fallbackDate: Date.now(), readHead: read, read },
  ]);
  if (!mail) throw new Error('No message was made');
  return mail;
}
