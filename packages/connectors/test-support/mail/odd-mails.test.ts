import { type MimePart, readMessage } from '@datadeck/sandbox';
import { describe, expect, it } from 'vitest';
import { messageRecord as gmailRecord } from '../../src/google/message-record.ts';
import { messageRecord as imapRecord } from '../../src/imap/message-record.ts';
import type { ConnectorRecord } from '../../src/sdk/index.ts';
import { ODD_MAILS } from './odd-mails.ts';

const ARRIVAL = new Date('2026-03-05T12:00:00Z');

/** Returns a part as Gmail's API does, but with the text of a part that has a file name. */
function payloadOf({ children, content, attached: _, ...part }: MimePart): object {
  const body = { size: content.length, data: content.toString('base64url') };
  return { ...part, body, ...(children.length > 0 ? { parts: children.map(payloadOf) } : {}) };
}

const throughGmail = (source: Buffer) =>
  gmailRecord({ id: '1', internalDate: String(ARRIVAL.getTime()), payload: payloadOf(readMessage(source)) });

const throughImap = (source: Buffer) =>
  imapRecord(
    { mailbox: 'INBOX', uidValidity: '1' },
    { seq: 1, uid: 1, size: source.length, source, internalDate: ARRIVAL },
  );

/** Returns what both doors store of a mail, without blank lines around texts. */
function readingOf(record: ConnectorRecord) {
  const data = record.data as Record<string, unknown>;
  const { from, to, cc, replyTo, subject, dateHeader, date, messageId, inReplyTo } = data;
  const [text, html] = [data.text, data.html].map((one) => String(one).replaceAll(/\n+/g, '\n').trim());
  const attachments = data.attachments as { filename: string; mimeType: string }[];
  const files = attachments.map(({ filename, mimeType }) => [filename, mimeType]);
  return { from, to, cc, replyTo, subject, dateHeader, date, messageId, inReplyTo, text, html, files };
}

describe('an odd mail', () => {
  // @covers 10.mail-both-doors
  it.each(ODD_MAILS)('is read by Gmail and IMAP alike and rightly: %s', async (_, written, expected) => {
    const source = Buffer.from(written, 'latin1');
    const imap = readingOf(await throughImap(source));

    expect(imap).toMatchObject(
      Object.fromEntries(
        Object.entries({
          subject: expected.subject,
          from: expected.from === undefined ? undefined : { name: expected.from },
          dateHeader: expected.date,
          text: expected.text,
          html: expected.html,
        }).filter(([, value]) => value !== undefined),
      ),
    );
    const people = imap.to as { name: string; address: string }[];
    if (expected.to) expect(people.map(({ name, address }) => address || name)).toEqual(expected.to);
    if (expected.files) expect(imap.files.map(([name]) => name)).toEqual(expected.files);
    expect(readingOf(throughGmail(source))).toEqual(imap);
  });

  it('has a kind of its own', () => {
    expect(ODD_MAILS.length).toBeGreaterThanOrEqual(240);
    expect(new Set(ODD_MAILS.map(([kind]) => kind)).size).toBe(ODD_MAILS.length);
  });
});
