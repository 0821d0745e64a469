import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MAIL_ODDITIES, oddMail } from '@datadeck/sandbox';
import PostalMime, { type Attachment } from 'postal-mime';
import { describe, expect, it } from 'vitest';
import { parseMail } from './mail-parser.ts';

const CORPUS = fileURLToPath(new URL('../../../../../shared/data/rfc822', import.meta.url));
const MAX_HEADER_LENGTH = 128 * 1024;

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
    for (const [name, mail] of readMails()) {
      const known = await new PostalMime({ maxRfc822NestingDepth: 0 }).parse(mail).catch(() => undefined);
      if (!known) continue;
      const { headers, subject, messageId, inReplyTo, attachments, text, html } = await parseMail(mail);
      // Bytes that are not UTF-8, escape sequences and charsets are read differently; their own tests say how.
      const headersOf = (list: unknown) => asciiOf(JSON.stringify(list));
      if (!mail.includes('\x1b'))
        expect([name, headersOf(headers)]).toEqual([name, headersOf(known.headers)]);
      const named = { subject, messageId, inReplyTo };
      const { subject: title = '', messageId: id = '', inReplyTo: other = '' } = known;
      expect([name, { ...named, subject: asciiOf(subject) }]).toEqual([
        name,
        { subject: asciiOf(title), messageId: id, inReplyTo: other },
      ]);
      expect([name, filesOf(attachments)]).toEqual([name, filesOf(known.attachments)]);
      // Named texts are files here, and adjacent texts of both types are joined differently.
      const isJoined = attachments.length > known.attachments.length || (known.text && known.html);
      // Charsets and format=flowed are read differently; their own tests say how.
      if (isJoined || name === 'missing-boundary' || /format=flowed/i.test(mail.toString('latin1'))) continue;
      const texts = [text, html].map(asciiOf);
      expect([name, texts]).toEqual([name, [known.text, known.html].map(asciiOf)]);
    }
  }, 60_000);
});
