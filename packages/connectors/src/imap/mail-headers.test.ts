import { describe, expect, it } from 'vitest';
import { messageRecord } from './mail-record.ts';

const FILES = 'Content-Type: multipart/mixed; boundary=b';
const NUMBERING = { mailbox: 'INBOX', uidValidity: '1' };

/** Returns the subject, the names of the sender and the names of files of a mail whose bytes are Latin-1. */
async function namesOf(lines: readonly string[]): Promise<unknown> {
  const source = Buffer.from(lines.join('\r\n'), 'latin1');
  const { data } = await messageRecord(NUMBERING, { seq: 1, uid: 1, size: source.length, source });
  const { subject, from, attachments } = data as Record<string, unknown>;
  return [
    subject,
    (from as { name: string }).name,
    (attachments as { filename: string }[]).map((one) => one.filename),
  ];
}

/** Names in bytes, the charset of the text, and the names that people read. */
const HEADERS: [name: string, charset: string, bytes: string, read: string][] = [
  ['UTF-8', 'utf-8', 'Gr\xc3\xbc\xc3\x9fe', 'Grüße'],
  ['UTF-8 with another charset', 'iso-8859-1', 'Gr\xc3\xbc\xc3\x9fe', 'Grüße'],
  ['ISO-8859-1', 'iso-8859-1', 'Gr\xfc\xdfe', 'Grüße'],
  ['ISO-8859-1 with a wrong charset', 'utf-8', 'Gr\xfc\xdfe', 'Grüße'],
  ['windows-1252', 'us-ascii', '\x84Gr\xfc\xdfe\x93 \x96 5 \x80', '„Grüße“ – 5 €'],
  ['ISO-8859-2', 'iso-8859-2', 'Wa\xb3\xeasa', 'Wałęsa'],
  ['windows-1251', 'windows-1251', '\xcf\xf0\xe8\xe2\xe5\xf2', 'Привет'],
  ['KOI8-R', 'koi8-r', '\xf0\xd2\xc9\xd7\xc5\xd4', 'Привет'],
  ['code page 850', 'cp850', 'Gr\x81\xe1e', 'Grüße'],
  ['Big5', 'big5', '\xaaF\xa8\xca\xb6\xf0', '東京塔'],
  ['Shift_JIS', 'shift_jis', '\x93\x8c\x8b\x9e', '東京'],
  ['EUC-KR', 'ks_c_5601-1987', '\xc7\xd1\xb1\xdb', '한글'],
  ['ISO-2022-JP', 'iso-2022-jp', '\x1b$BEl5~\x1b(B', '東京'],
  ['a mixture', 'utf-8', 'caf\xe9 Gr\xc3\xbc\xc3\x9fe', 'café Grüße'],
];

describe('names in headers of a mail', () => {
  it.each(HEADERS)('are read from bytes of %s', async (_, charset, bytes, read) => {
    const names = await namesOf([
      `Subject: ${bytes}`,
      `From: "${bytes}" <bo@example.org>`,
      FILES,
      '',
      '--b',
      `Content-Type: text/plain; charset=${charset}`,
      '',
      'Hello',
      '--b',
      `Content-Type: application/pdf; charset="${charset}"; name="${bytes}"`,
      '',
      'x',
      '--b--',
    ]);

    expect(names).toEqual([read, read, [read]]);
  });

  it.each(HEADERS)('are read from a mail without parts in %s', async (_, charset, bytes, read) => {
    const head = [`Subject: ${bytes}`, `From: ${bytes} <bo@example.org>`];
    expect(await namesOf([...head, `Content-Type: text/plain; charset=${charset}`, '', 'Hello'])).toEqual([
      read,
      read,
      [],
    ]);
  });

  it.each([
    ['filename="=?cp850?Q?Gr=81=E1e?=.pdf"', 'Grüße.pdf'],
    ["filename*=cp850''Gr%81%E1e.pdf", 'Grüße.pdf'],
    ["filename*0*=utf-8''Gr%C3%BC; filename*1=%; filename*2*=%C3%9Fe.pdf", 'Grü%ße.pdf'],
  ])('are read from %s', async (parameter, read) => {
    const part = [
      '--b',
      'Content-Type: application/pdf',
      `Content-Disposition: attachment; ${parameter}`,
      '',
      'x',
    ];
    expect(await namesOf(['Subject: a', 'From: b', FILES, '', ...part, '--b--'])).toEqual(['a', 'b', [read]]);
  });
});
