import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { MAIL_ODDITIES, oddMail } from '@datadeck/sandbox';
import PostalMime, { type Attachment } from 'postal-mime';
import { describe, expect, it } from 'vitest';
import { parseMail } from './mail-parser.ts';

const CORPUS = fileURLToPath(new URL('../../../../../shared/data/rfc822', import.meta.url));
const MAX_HEADER_LENGTH = 128 * 1024;

/**
 * What is read otherwise than by postal-mime, by mail: odd types and charsets, boundaries without a line, and texts with a name,
 * whose own tests say how they are read.
 */
const DIFFERENCES: Record<string, string[]> = {
  'enmime/mail__erroneous.raw.eml': ['headers', 'texts'],
  'enmime/mail__mime-bad-content-type.raw.eml': ['files'],
  'enmime/mail__mime-blank-media-name.raw.eml': ['files'],
  'enmime/mail__multipart-wo-boundary.raw.eml': ['texts'],
  'enmime/mail__qp-utf8-header-no-break.raw.eml': ['headers', 'texts'],
  'flanker/false-multipart.eml': ['texts'],
  'flanker/mailformed-headers.eml': ['texts'],
  'flanker/russian-attachment-yahoo.eml': ['files'],
  'flanker/spam__broken-ctype.eml': ['files'],
  'mimekit-messages/empty-multipart.txt.eml': ['texts'],
  'mimekit-messages/missing-subtype.txt.eml': ['files', 'texts'],
  'mimekit/yenc__simple.msg.eml': ['texts'],
  'missing-boundary': ['texts'],
  'php-imap/issue-40.eml': ['messageId', 'subject', 'headers', 'texts'],
  'ruby-mail/attachment_emails__attachment_with_encoded_name.eml': ['files'],
  'ruby-mail/error_emails__bad_date_header2.eml': ['texts'],
  'ruby-mail/error_emails__missing_body.eml': ['texts'],
  'ruby-mail/plain_emails__raw_email8.eml': ['files'],
  'stalwart/legacy__001.eml': ['subject', 'texts'],
  'stalwart/legacy__005.eml': ['subject', 'texts'],
  'stalwart/legacy__016.eml': ['files'],
  'stalwart/legacy__034.eml': ['texts'],
  'stalwart/malformed__001.eml': ['texts'],
  'stalwart/malformed__002.eml': ['texts'],
  'stalwart/malformed__004.eml': ['texts'],
  'stalwart/malformed__017.eml': ['texts'],
  'stalwart/thirdparty__012.eml': ['files', 'texts'],
};

/** Sample mails by name, each with LF and CRLF line ends. */
function readMails(): [name: string, mail: Buffer][] {
  const odd = MAIL_ODDITIES.map((name): [string, string] => [name, oddMail(name).toString('latin1')]);
  const real = globSync('**/*.eml', { cwd: CORPUS }).map((name): [string, string] => [
    name,
    readFileSync(join(CORPUS, name), 'latin1'),
  ]);
  return [...odd, ...real].flatMap(([name, mail]) =>
    [mail.replaceAll('\r\n', '\n'), mail.replaceAll(/\r?\n/g, '\r\n')].map((text): [string, Buffer] => [
      name,
      Buffer.from(text.slice(0, MAX_HEADER_LENGTH), 'latin1'),
    ]),
  );
}

const asciiOf = (text = '') => text.replaceAll(/[^\0-\x7f]+/g, '');

const filesOf = (attachments: readonly Attachment[]) =>
  attachments
    .filter(({ mimeType }) => !/^text\/(plain|html)$/.test(mimeType))
    .map(({ filename, mimeType, disposition, content }) => {
      const bytes = typeof content === 'string' ? Buffer.from(content) : Buffer.from(content as Uint8Array);
      return [filename, mimeType, disposition, bytes.toString('base64')];
    });

describe('parseMail', () => {
  // @covers 10.imap-headers-texts
  it('finds the same headers, texts and files as postal-mime', async () => {
    const differences: Record<string, string[]> = {};
    const names = new Set<string>();
    for (const [name, mail] of readMails()) {
      names.add(name);
      const known = await new PostalMime({ maxRfc822NestingDepth: 0 }).parse(mail).catch(() => undefined);
      if (!known) continue;
      const read = await parseMail(mail);
      const source = mail.toString('latin1');
      const found: Record<string, [unknown, unknown]> = {
        messageId: [read.messageId, known.messageId ?? ''],
        inReplyTo: [read.inReplyTo, known.inReplyTo ?? ''],
        subject: [asciiOf(read.subject), asciiOf(known.subject)],
        files: [filesOf(read.attachments), filesOf(known.attachments)],
      };
      // Bytes that are not UTF-8, escape sequences and charsets are read differently; their own tests say how.
      if (!mail.includes('\x1b'))
        found.headers = [asciiOf(JSON.stringify(read.headers)), asciiOf(JSON.stringify(known.headers))];
      // Named texts are files here, and adjacent texts of both types are joined differently.
      const isJoined = read.attachments.length > known.attachments.length || (known.text && known.html);
      if (!isJoined && !/format=flowed/i.test(source))
        found.texts = [[read.text, read.html].map(asciiOf), [known.text, known.html].map(asciiOf)];
      const kinds = Object.entries(found).filter(([, [own, other]]) => !isDeepStrictEqual(own, other));
      if (kinds.length > 0) differences[name] = kinds.map(([what]) => what);
    }
    const present = Object.entries(DIFFERENCES).filter(([name]) => names.has(name));
    expect(differences).toEqual(Object.fromEntries(present));
  }, 60_000);
});
