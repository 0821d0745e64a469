import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { MAIL_ODDITIES, oddMail } from '@datadeck/test-sandbox';
import PostalMime, { type Attachment } from 'postal-mime';
import { describe, expect, it } from 'vitest';
import { parseMime } from './mime-parser.ts';
import { readMailParts } from './read-mail.ts';

const CORPUS = fileURLToPath(new URL('../../../../../shared/data/rfc822', import.meta.url));
const MAX_HEADER_LENGTH = 128 * 1024;

/**
 * What is read otherwise than by postal-mime, by mail: odd types and charsets, boundaries without a line, texts with a name,
 * uuencode, backslashes in names, and headers without a name or of 64 KB. Their own tests say how they are read.
 */
const DIFFERENCES: Record<string, string[]> = {
  'enmime/mail__erroneous.raw.eml': ['texts'],
  'enmime/mail__mime-bad-content-type.raw.eml': ['files'],
  'enmime/mail__mime-blank-media-name.raw.eml': ['files'],
  'enmime/mail__multipart-wo-boundary.raw.eml': ['texts'],
  'enmime/mail__qp-utf8-header-no-break.raw.eml': ['headers', 'texts'],
  'flanker/false-multipart.eml': ['texts'],
  'flanker/long-header.eml': ['subject', 'headers'],
  'flanker/mailformed-headers.eml': ['texts'],
  'flanker/russian-attachment-yahoo.eml': ['files'],
  'flanker/spam__broken-ctype.eml': ['files'],
  'mimekit-messages/empty-multipart.txt.eml': ['texts'],
  'mimekit-messages/feedback-report.txt.eml': ['headers'],
  'mimekit-messages/issue358.txt.eml': ['headers'],
  'mimekit-messages/missing-subtype.txt.eml': ['files', 'texts'],
  'mimekit-messages/stack-overflow.txt.eml': ['headers'],
  'mimekit/yenc__simple.msg.eml': ['texts'],
  'missing-boundary': ['texts'],
  'php-imap/issue-40.eml': ['messageId', 'subject', 'headers', 'texts'],
  'postal-mime/calendar-event.eml': ['files'],
  'ruby-mail/attachment_emails__attachment_with_encoded_name.eml': ['files'],
  'ruby-mail/error_emails__bad_date_header2.eml': ['texts'],
  'ruby-mail/error_emails__missing_body.eml': ['texts'],
  'ruby-mail/error_emails__multiple_references_with_one_invalid.eml': ['headers'],
  'ruby-mail/plain_emails__raw_email8.eml': ['files'],
  'ruby-mail/rfc2822__example13.eml': ['headers'],
  'stalwart/legacy__001.eml': ['subject', 'texts'],
  'stalwart/legacy__005.eml': ['subject', 'texts'],
  'stalwart/legacy__016.eml': ['files'],
  'stalwart/legacy__017.eml': ['files'],
  'stalwart/legacy__034.eml': ['texts'],
  'stalwart/legacy__035.eml': ['files'],
  'stalwart/legacy__039.eml': ['files'],
  'stalwart/legacy__048.eml': ['files'],
  'stalwart/malformed__001.eml': ['texts'],
  'stalwart/malformed__002.eml': ['texts'],
  'stalwart/malformed__004.eml': ['texts'],
  'stalwart/malformed__017.eml': ['files'],
  // "?garbage" under base64 is shown as it is.
  'stalwart/thirdparty__002.eml': ['texts'],
  'stalwart/thirdparty__012.eml': ['texts'],
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

/** Returns what both readers must agree on: not the line ends, NUL, and characters of other charsets. */
const asciiOf = (text = '') =>
  text
    .replaceAll(/[^\0-\x7f]+/g, '')
    .replaceAll('\0', '')
    .replaceAll(/\r\n?/g, '\n');

const isText = (mimeType: string) => /^text\/(plain|html)$/.test(mimeType);

/** Returns the files of postal-mime as they are listed here: those with a name or the disposition of a file. */
const filesOf = (attachments: readonly Attachment[]) =>
  attachments
    .filter(
      ({ mimeType, filename, disposition }) =>
        !isText(mimeType) && (filename || disposition === 'attachment'),
    )
    .map(({ filename, mimeType, content }) => {
      const bytes = typeof content === 'string' ? Buffer.from(content) : Buffer.from(content as Uint8Array);
      return [filename ?? '', mimeType, bytes.toString('base64')];
    });

describe('parseMime', () => {
  it('finds the same headers, texts and files as postal-mime', async () => {
    const differences: Record<string, string[]> = {};
    const names = new Set<string>();
    for (const [name, mail] of readMails()) {
      names.add(name);
      const known = await new PostalMime({ maxRfc822NestingDepth: 0 }).parse(mail).catch(() => undefined);
      if (!known) continue;
      const read = readMailParts(parseMime(mail), MAX_HEADER_LENGTH);
      const source = mail.toString('latin1');
      const files = read.files
        .filter(({ file }) => !isText(file.mimeType))
        .map(({ file, part }) => [file.filename, file.mimeType, Buffer.from(part.read()).toString('base64')]);
      // Lines without a field name are no headers.
      const headers = known.headers
        .filter(({ originalKey }) => /^[!-9;-~]+$/.test(originalKey))
        .slice(0, 200)
        .map(({ originalKey, value }) => [originalKey, value]);
      const found: Record<string, [unknown, unknown]> = {
        messageId: [read.messageId, known.messageId ?? ''],
        inReplyTo: [read.inReplyTo, known.inReplyTo ?? ''],
        subject: [asciiOf(read.subject), asciiOf(known.subject)],
        files: [files, filesOf(known.attachments)],
      };
      // Bytes that are not UTF-8, escape sequences and charsets are read differently; their own tests say how.
      if (!mail.includes('\x1b'))
        found.headers = [
          read.headers.map(({ name, value }) => [name, asciiOf(value)]),
          headers.map(([name, value]) => [name, asciiOf(value)]),
        ];
      // Named texts are files here, and adjacent texts of both types are joined differently.
      const isJoined = read.files.length > filesOf(known.attachments).length || (known.text && known.html);
      if (!isJoined && !/format=flowed/i.test(source))
        found.texts = [[read.text, read.html].map(asciiOf), [known.text, known.html].map(asciiOf)];
      const kinds = Object.entries(found).filter(([, [own, other]]) => !isDeepStrictEqual(own, other));
      if (kinds.length > 0) differences[name] = kinds.map(([what]) => what);
    }
    const present = Object.entries(DIFFERENCES).filter(([name]) => names.has(name));
    expect(differences).toEqual(Object.fromEntries(present));
  }, 60_000);
});
