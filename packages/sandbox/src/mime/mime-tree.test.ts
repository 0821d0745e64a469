import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { MAIL_ODDITIES, oddMail } from '@datadeck/test-sandbox';
import libmime from 'libmime';
import { describe, expect, it } from 'vitest';
import { filesUnder } from '../folder/read-mail-folder.ts';
import { headerValue } from './header-block.ts';
import { readMailDate } from './mail-date.ts';
import { readMessage, walkParts } from './mime-tree.ts';
import { readParameters } from './parameters.ts';

const corpus = fileURLToPath(new URL('../../../../../shared/data/rfc822', import.meta.url));

function read(...lines: string[]) {
  return readMessage(Buffer.from(lines.join('\r\n'), 'utf8'));
}

describe('header parsing', () => {
  it('unfolds and decodes headers, also when words split a character', () => {
    expect(libmime.decodeWords('=?utf-8?B?w7w=?= =?utf-8?Q?ber_alles?= und')).toBe('über alles und');
    const bytes = Buffer.from('é');
    const halves = [bytes.subarray(0, 1), bytes.subarray(1)].map(
      (half) => `=?utf-8?B?${half.toString('base64')}?=`,
    );
    expect(libmime.decodeWords(halves.join(' '))).toBe('é');
    expect(libmime.decodeWords('=?iso-8859-2?Q?Wa=B3=EAsa?=')).toBe('Wałęsa');
    expect(libmime.decodeWords('=?unknown?Q?caf=C3=A9?= =?broken')).toBe('café =?broken');
    expect(headerValue(read('Subject: a', '\tb', '  c', '', '').headers, 'subject')).toBe('a\tb  c');
  });

  it('reads raw bytes, mbox lines and garbage', () => {
    const raw = Buffer.concat([
      Buffer.from('From x Mon\nSubject: caf\xe9\ngarbage line\nTo: a@b\n\nbody', 'latin1'),
    ]);
    const { headers, content } = readMessage(raw);
    expect(headers).toEqual([
      { name: 'Subject', value: 'café' },
      { name: 'To', value: 'a@b' },
    ]);
    expect(content.toString()).toBe('body');
  });

  it('reads parameters with continuations and charsets', () => {
    const { value, parameters } = readParameters(
      'attachment; filename*0*=utf-8\'\'%E2%82%AC; filename*1=" rates.txt"; size=1',
    );
    expect([value, parameters.get('filename'), parameters.get('size')]).toEqual([
      'attachment',
      '€ rates.txt',
      '1',
    ]);
    expect(
      readParameters('text/plain; charset="utf-8"; name="=?utf-8?B?4pi6?="').parameters.get('name'),
    ).toBe('☺');
  });

  it('reads dates in common and obsolete forms', () => {
    const expected = Date.UTC(2002, 7, 22, 11, 26, 25);
    for (const text of [
      'Thu, 22 Aug 2002 18:26:25 +0700',
      '22 Aug 02 11:26:25 GMT',
      'Thu, 22 Aug 2002 07:26:25 -0400 (EDT)',
      '22-Aug-2002 07:26:25 EDT',
    ]) {
      expect(readMailDate(text)).toBe(expected);
    }
    expect(readMailDate('soon')).toBeUndefined();
  });
});

describe('readMessage', () => {
  it('numbers parts like the Gmail API', () => {
    const message = read(
      'Content-Type: multipart/mixed; boundary=a',
      '',
      '--a',
      'Content-Type: multipart/alternative; boundary=b',
      '',
      '--b',
      '',
      'plain',
      '--b',
      'Content-Type: text/html',
      '',
      '<p>',
      '--b--',
      '--a',
      'Content-Type: message/rfc822',
      '',
      'Subject: inner',
      '',
      'text',
      '--a--',
      'epilogue',
    );
    const parts = [...walkParts(message)].map(({ partId, mimeType }) => `${partId} ${mimeType}`);

    expect(parts).toEqual([
      ' multipart/mixed',
      '0 multipart/alternative',
      '0.0 text/plain',
      '0.1 text/html',
      '1 message/rfc822',
      '1.0 text/plain',
    ]);
    expect([...walkParts(message)][2]?.content.toString()).toBe('plain');
  });

  it('decodes transfer encodings and charsets to UTF-8', () => {
    const qp = read(
      'Content-Type: text/plain; charset=iso-8859-15',
      'Content-Transfer-Encoding: quoted-printable',
      '',
      '=A4 10 =',
      'more =3D=Z',
    );
    expect(qp.content.toString()).toBe('€ 10 more ==Z');
    expect(read('Content-Transfer-Encoding: base64', '', 'SGVs', 'bG8=').content.toString()).toBe('Hello');
    expect(read('Content-Type: text/plain; charset=utf-7', '', 'Hi +AOQ-').content.toString()).toBe('Hi ä');
  });

  it.each(MAIL_ODDITIES)('reads the malformed message "%s"', (oddity) => {
    expect([...walkParts(readMessage(oddMail(oddity)))].length).toBeGreaterThan(0);
  });

  it.skipIf(!existsSync(corpus))('never throws on the test mail of other projects', () => {
    const files = filesUnder(corpus, '');
    expect(files.length).toBeGreaterThan(400);
    for (const file of files) {
      if (file.endsWith('.xz')) continue;
      const parts = [...walkParts(readMessage(readFileSync(file)))];
      expect(parts.length).toBeGreaterThan(0);
    }
  });
});
