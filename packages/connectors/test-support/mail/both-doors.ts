import { type MimePart, readMessage } from '@datadeck/sandbox/parts';
import { messageRecord as gmailRecord } from '../../src/google/mail-record.ts';
import { messageRecord as imapRecord } from '../../src/imap/mail-record.ts';
import type { ConnectorRecord } from '../../src/sdk/index.ts';

const ARRIVAL = new Date('2026-03-05T12:00:00Z');

/** Returns a part as Gmail's API does, but with the text of a part that has a file name. */
function payloadOf({ children, content, attached: _, ...part }: MimePart): object {
  const body = { size: content.length, data: content.toString('base64url') };
  return { ...part, body, ...(children.length > 0 ? { parts: children.map(payloadOf) } : {}) };
}

/** Reads a mail through Gmail's door. */
export const throughGmail = (source: Buffer) =>
  gmailRecord({ id: '1', internalDate: String(ARRIVAL.getTime()), payload: payloadOf(readMessage(source)) });

/** Reads a mail through IMAP's door. */
export const throughImap = (source: Buffer) =>
  imapRecord(
    { mailbox: 'INBOX', uidValidity: '1' },
    { seq: 1, uid: 1, size: source.length, source, internalDate: ARRIVAL },
  );

/** Returns what both doors store of a mail, without blank lines around texts. */
export function readingOf(record: ConnectorRecord) {
  const data = record.data as Record<string, unknown>;
  const { from, to, cc, replyTo, subject, dateHeader, date, messageId, inReplyTo } = data;
  const [text, html] = [data.text, data.html].map((one) => String(one).replaceAll(/\n+/g, '\n').trim());
  const attachments = data.attachments as { filename: string; mimeType: string }[];
  const files = attachments.map(({ filename, mimeType }) => [filename, mimeType]);
  return { from, to, cc, replyTo, subject, dateHeader, date, messageId, inReplyTo, text, html, files };
}
