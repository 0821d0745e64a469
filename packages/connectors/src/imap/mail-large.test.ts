import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { MAIL_ODDITIES, oddMail } from '@datadeck/test-sandbox';
import { describe, expect, it } from 'vitest';
import { DOVECOT_MISSING, Dovecot } from '../../test-support/imap/index.ts';
import type { BoundedImap } from './bounded-imap.ts';
import { readLarge } from './mail-large.ts';
import { fetchByUid } from './mail-query.ts';
import { messageRecord } from './mail-record.ts';
import { openImap, openMailbox } from './open.ts';

const CORPUS = fileURLToPath(new URL('../../../../../shared/data/rfc822', import.meta.url));
const PASSWORD = 'open sesame';
const MAILBOX_REF = { mailbox: 'INBOX', uidValidity: '7' };
const BEGINNING = 32 * 1024;
const OUTSIDE = { uid: true, flags: true, internalDate: true, size: true };

interface Document {
  attachments: { filename: string; size: number }[];
  text: string;
  html: string;
}

const lines = (...parts: (string | string[])[]) => parts.flat().join('\r\n');
const multipart = (type: string, boundary: string, ...parts: string[]) =>
  lines(
    `Content-Type: multipart/${type}; boundary="${boundary}"`,
    '',
    parts.flatMap((part) => [`--${boundary}`, part]),
    `--${boundary}--`,
    '',
  );
const FILE = lines(
  'Content-Type: application/pdf; name="=?utf-8?Q?L=C3=B6we.pdf?="',
  'Content-Transfer-Encoding: base64',
  'Content-Disposition: attachment',
  '',
  Array.from({ length: 2000 }, () => 'JVBE'.repeat(19)),
);
const PLAIN = lines(
  'Content-Type: text/plain; charset=iso-8859-1; format=flowed',
  'Content-Transfer-Encoding: quoted-printable',
  '',
  'Gr=FC=DFe aus=20',
  'Wien,  =',
  'bis bald',
);
const HTML = lines(
  'Content-Type: text/html; charset=utf-8',
  'Content-Transfer-Encoding: base64',
  '',
  Buffer.from('<p>Grüße</p>').toString('base64'),
);
const head = (subject: string) => `From: Bo <bo@example.org>\r\nSubject: ${subject}`;
const BUNDLED: Record<string, string> = {
  'texts before a file': multipart('mixed', 'm', multipart('alternative', 'a', PLAIN, HTML), FILE),
  'texts after a file': multipart('mixed', 'm', FILE, PLAIN, HTML),
  'a file alone': FILE,
  'an attached message': multipart(
    'mixed',
    'm',
    PLAIN,
    `Content-Type: message/rfc822\r\n\r\n${head('inner')}\r\n${PLAIN}`,
  ),
  'a text with a name': multipart(
    'mixed',
    'm',
    PLAIN,
    `Content-Type: text/plain; name=a.txt\r\n\r\nnot mine`,
    FILE,
  ),
  'files with odd names': multipart(
    'mixed',
    'm',
    PLAIN,
    FILE,
    ...[
      'Content-Disposition: attachment; filename="Gr\xfc\xdfe.pdf"',
      'Content-Disposition: attachment; filename="Gr\xc3\xbc\xc3\x9fe.pdf"',
      'Content-Disposition: attachment; filename="=?cp850?Q?Gr=81=E1e?=.pdf"',
      "Content-Disposition: attachment; filename*=cp850''Gr%81%E1e.pdf",
      "Content-Disposition: attachment; filename*0*=utf-8''Gr%C3; filename*1*=%BC; filename*2=.pdf",
      'Content-Disposition: attachment; filename="C:\\temp\\a.pdf"',
      'Content-Disposition: attachment; filename=my order (1).pdf',
      'Content-Disposition: attachment; filename="a.pdf',
      'Content-Type: application/pdf; name="=?utf-8?B?R3LD?= =?utf-8?B?vC5wZGY=?="',
      'Content-Type: application/pdf name=a.pdf',
    ].map((header) => `${header}\r\n\r\nx`),
  ),
  'parts without a head': multipart('mixed', 'm', '\r\nno head', FILE),
};

/** Sample mails by name, with CRLF line ends. */
function readMails(): [name: string, mail: Buffer][] {
  const own = Object.entries(BUNDLED).map(([name, body]): [string, string] => [
    name,
    `${head(name)}\r\n${body}`,
  ]);
  const odd = MAIL_ODDITIES.map((name): [string, string] => [name, oddMail(name).toString('latin1')]);
  const real = globSync('**/*.eml', { cwd: CORPUS })
    .sort()
    .map((name): [string, string] => [name, readFileSync(join(CORPUS, name), 'latin1')]);
  return [...own, ...odd, ...real].map(([name, mail]) => [
    name,
    Buffer.from(mail.replaceAll(/\r?\n/g, '\r\n'), 'latin1'),
  ]);
}

/** Runs a task on a Dovecot mailbox with these mails, numbered in this order. */
async function withMailbox<T>(mails: readonly Buffer[], task: (imap: BoundedImap) => Promise<T>): Promise<T> {
  const dovecot = await Dovecot.start({ ada: PASSWORD });
  try {
    const box = join(dovecot.folder, 'mail', 'ada');
    for (const part of ['cur', 'new', 'tmp']) mkdirSync(join(box, part), { recursive: true });
    for (const [index, mail] of mails.entries())
      writeFileSync(join(box, 'cur', `${1_700_000_000 + index}.P${index}.test:2,`), mail);
    execFileSync('chown', ['-R', `--reference=${join(dovecot.folder, 'mail')}`, box]);
    const account = { host: '127.0.0.1', port: dovecot.ports.plain, security: 'none', user: 'ada' } as const;
    const secret = { value: PASSWORD, isToken: false };
    const imap = await openImap({ account, address: '127.0.0.1', secret, idleTimeoutMs: 60_000 });
    await openMailbox(imap, 'INBOX');
    return await task(imap).finally(() => imap.close());
  } finally {
    await dovecot.stop();
  }
}

/** Returns the documents made from a mail's parts and from its whole source. */
async function readBoth(
  imap: BoundedImap,
  uids: readonly number[],
  mails: readonly Buffer[],
): Promise<[fromParts: Document, whole: Document][]> {
  const bytes = 64 * 1024 * 1024;
  const { messages: fetched } = await fetchByUid(imap, uids, {
    items: { ...OUTSIDE, source: { maxLength: BEGINNING } },
    bytes: () => bytes,
  });
  const large = await readLarge(imap, [...fetched.values()]);
  return Promise.all(
    uids.map(async (uid) => {
      const message = large.get(uid);
      if (!message) throw new Error(`there is no message ${uid}`);
      const { bodyStructure: _, hasAllTexts: _all, ...outside } = message;
      const whole = { ...outside, source: mails[uid - 1] as Buffer };
      const records = [await messageRecord(MAILBOX_REF, message), await messageRecord(MAILBOX_REF, whole)];
      return records.map(({ data }) => data as unknown as Document) as [Document, Document];
    }),
  );
}

/** Removes what may differ: file sizes are estimates, and the server decides the order and types of files. */
function comparable({ attachments, text, html, ...others }: Document): Record<string, unknown> {
  const files = attachments.map(({ filename }) => filename).sort();
  // The number of empty lines after a multipart without its last boundary is undefined.
  return { ...others, files, text: text.trim(), html: html.trim() };
}

/** Returns whether the file sizes differ by at most 3 % or 64 bytes. */
function isNear(fromParts: Document, whole: Document): boolean {
  const sizesOf = ({ attachments }: Document) => attachments.map(({ size }) => size).sort((a, b) => a - b);
  const sizes = sizesOf(whole);
  return sizesOf(fromParts).every((size, index) => {
    const exact = sizes[index] ?? 0;
    return Math.abs(size - exact) <= Math.max(64, 0.03 * exact);
  });
}

/** Fields that differ for malformed mails; see docs/decisions/0116. */
const DIFFERENCES: Record<string, readonly string[]> = {
  // The server replaces NUL by the byte 0x80, which is a character of windows-1252.
  nul: ['subject', 'snippet', 'headers', 'text'],
  // Headers of 130 and 140 KB, of which only the first part is read.
  'flanker/long-header.eml': ['snippet', 'truncated', 'headers', 'text'],
  'mimekit-messages/stack-overflow.txt.eml': [
    'subject',
    'date',
    'snippet',
    'truncated',
    'messageId',
    'dateHeader',
    'headers',
    'text',
  ],
  // A text file in quoted-printable.
  'stalwart/legacy__047.eml': ['sizes'],
  // The server parses malformed boundaries and boundaries with a common prefix differently.
  'ruby-mail/mime_emails__raw_email4.eml': ['text'],
  'enmime/mail__qp-utf8-header-no-break.raw.eml': ['text'],
  'flanker/mailformed-headers.eml': ['snippet', 'text'],
  'stalwart/malformed__002.eml': ['snippet', 'text'],
  'stalwart/malformed__004.eml': ['snippet', 'text'],
  'stalwart/malformed__016.eml': ['snippet', 'text'],
  'stalwart/thirdparty__005.eml': ['snippet', 'text'],
};

describe.skipIf(DOVECOT_MISSING)('large IMAP message', () => {
  it('has the same record from its parts as from its source', async () => {
    const mails = readMails();
    const sources = mails.map(([, mail]) => mail);
    const differences: Record<string, string[]> = {};
    await withMailbox(sources, async (imap) => {
      for (let first = 1; first <= mails.length; first += 50) {
        const uids = sources.slice(first - 1, first + 49).map((_, index) => first + index);
        for (const [index, [fromParts, whole]] of (await readBoth(imap, uids, sources)).entries()) {
          const [found, expected] = [comparable(fromParts), comparable(whole)];
          const fields = Object.keys(expected).filter(
            (field) => !isDeepStrictEqual(found[field], expected[field]),
          );
          if (fields.length === 0 && !isNear(fromParts, whole)) fields.push('sizes');
          const [name = ''] = mails[first - 1 + index] ?? [];
          if (fields.length > 0) differences[name] = fields;
        }
      }
    });
    const present = new Set(mails.map(([name]) => name));
    const known = Object.entries(DIFFERENCES).filter(([name]) => present.has(name));

    expect(differences).toEqual(Object.fromEntries(known));
  }, 120_000);
});
