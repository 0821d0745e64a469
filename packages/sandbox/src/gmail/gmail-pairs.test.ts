import { mailFromText } from '@datadeck/test-sandbox';
import { describe, expect, it } from 'vitest';
import { GMAIL_PAIRS } from '../../test-support/gmail-pairs.ts';
import { readMessage } from '../mime/mime-tree.ts';
import { messageResource } from './message-resource.ts';
import { snippetOf } from './snippet.ts';

describe('messageResource', () => {
  it.each(GMAIL_PAIRS)('responds like Gmail: $name', ({ mail, answer }) => {
    const entry = mailFromText(Buffer.from(mail), { labelIds: [], key: 'pair' });
    const resource = messageResource({ ...entry, historyId: 1 }, { format: 'full', metadataHeaders: [] });
    expect(resource).toMatchObject(answer);
  });

  it('omits data and attachment ids of containers', () => {
    const pair = GMAIL_PAIRS.find(({ mail }) => mail.includes('message/delivery-status'));
    const entry = mailFromText(Buffer.from(pair?.mail ?? ''), { labelIds: [], key: 'pair' });
    const resource = messageResource({ ...entry, historyId: 1 }, { format: 'full', metadataHeaders: [] });
    expect(resource.payload?.parts?.slice(1).map((part) => part.body)).toEqual([{ size: 0 }, { size: 0 }]);
    const leaf = resource.payload?.parts?.[1]?.parts?.[0];
    expect(leaf && 'parts' in leaf).toBe(false);
  });
});

const REPEATED: [string, string][] = [
  ['encoded words that never end', `Subject: ${'=?a?q?'.repeat(300_000)}\r\n\r\nx`],
  ['encoded words by the thousand', `Subject: ${'=?utf-8?q?=41?= '.repeat(100_000)}\r\n\r\nx`],
  ['comments that never end', `Date: ${'('.repeat(1_000_000)}\r\n\r\nx`],
  ['parameters without a value', `Content-Type: text/plain; ${'a'.repeat(2_000_000)}\r\n\r\nx`],
  ['semicolons before a far equals sign', `Content-Type: text/plain${';'.repeat(1_000_000)}a=b\r\n\r\nx`],
  ['pieces of a name', `Content-Disposition: attachment${'; filename*1*=%41'.repeat(100_000)}\r\n\r\nx`],
  ['styles that never end', `Content-Type: text/html\r\n\r\n${'<style '.repeat(300_000)}`],
  ['angle brackets', `Content-Type: text/html\r\n\r\n${'<'.repeat(2_000_000)}`],
  ['comments of HTML that never end', `Content-Type: text/html\r\n\r\n${'<!--'.repeat(500_000)}`],
  [
    'damaged lines of base64',
    `Content-Transfer-Encoding: base64\r\n\r\n${`${'A'.repeat(44)}!\r\n\r\n`.repeat(50_000)}`,
  ],
  [
    'parts by the hundred thousand',
    `Content-Type: multipart/mixed; boundary=a\r\n\r\n${'--a\r\n\r\n'.repeat(300_000)}`,
  ],
  ['messages in messages', 'Content-Type: message/rfc822\r\n\r\n'.repeat(100_000)],
  ['delivery reports in delivery reports', 'Content-Type: message/delivery-status\r\n\r\n'.repeat(100_000)],
  ['multiparts in multiparts', 'Content-Type: multipart/mixed; boundary=a\r\n\r\n--a\r\n'.repeat(50_000)],
];

describe('readMessage of a hostile mail', () => {
  it.each(REPEATED)('reads %s in linear time', (_, text) => {
    const before = process.cpuUsage();
    const message = readMessage(Buffer.from(text));
    expect(snippetOf(message).length).toBeLessThanOrEqual(201);
    mailFromText(Buffer.from(text), { labelIds: [], key: 'hostile' });
    // Processor time does not depend on the machine's load. Quadratic code would need minutes.
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1000).toBeLessThan(5000);
  });
});
