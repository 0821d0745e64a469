import { randomBytes } from 'node:crypto';
import { collectMails } from './collect-mails.ts';
import type { Mail } from './mail.ts';

/** What a message made by the control or a fault says; everything has a default. */
export interface NoteText {
  from?: string;
  subject?: string;
  text?: string;
  labelIds?: readonly string[];
  /** Milliseconds since 1970; now, unless told. */
  date?: number;
}

/** A short plain message with a fresh id. */
export function composeNote(subject: string, note: NoteText = {}): Omit<Mail, 'historyId'> {
  const from = note.from ?? 'Sandbox <sandbox@sandbox.example>';
  const id = randomBytes(8).toString('hex');
  const lines = [
    `From: ${from}`,
    'To: you@sandbox.example',
    `Subject: ${note.subject ?? subject}`,
    `Date: ${new Date(note.date ?? Date.now()).toUTCString().replace('GMT', '+0000')}`,
    `Message-ID: <${id}@sandbox.example>`,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=UTF-8',
    'Content-Transfer-Encoding: 8bit',
    '',
    note.text ?? 'This message was put here by the sandbox.',
    '',
  ];
  return mailFromText(Buffer.from(lines.join('\r\n')), {
    labelIds: note.labelIds ?? ['INBOX', 'UNREAD'],
    key: id,
  });
}

/** A message from the text of a whole mail. */
export function mailFromText(
  raw: Buffer,
  place: { labelIds: readonly string[]; key: string },
): Omit<Mail, 'historyId'> {
  const read = () => raw;
  const [mail] = collectMails([
    { ...place, size: raw.length, fallbackDate: Date.now(), readHead: read, read },
  ]);
  if (!mail) throw new Error('No message was made');
  return mail;
}
