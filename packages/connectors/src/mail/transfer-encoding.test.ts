import { randomBytes, randomInt } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { decodeBody, decodeFile } from './transfer-encoding.ts';

const decode = (body: string, encoding: string) =>
  decodeBody(Buffer.from(body, 'latin1'), encoding).toString('latin1');

describe('decodeBody', () => {
  it.each([
    ['', ''],
    ['a', 'a\n'],
    ['a\r\n', 'a\n'],
    ['a\r\r\nb\n\r\nc', 'a\nb\n\nc\n'],
    ['a\rb\r', 'a\rb\n'],
  ])('ends each line with LF: %j', (body, lines) => expect(decode(body, '8bit')).toBe(lines));

  it.each([
    ['=41=4a=6B', 'AJk\n'],
    ['soft =\r\nbreak', 'soft break\n'],
    ['=', ''],
    ['=4', '=4\n'],
    ['=XY =3D=', '=XY ='],
    ['=0D=0A', '\r\n\n'],
  ])('decodes quoted-printable: %j', (body, text) => expect(decode(body, 'quoted-printable')).toBe(text));

  it.each([
    ['SGVsbG8=', 'Hello'],
    ['SGVs\r\nbG8=\r\n', 'Hello'],
    ['SGVsbG8=\r\nV29ybGQ=', 'HelloWorld'],
    ['S G*V-s_bG8', 'Hello'],
    ['\n\nSGV*sbG8=', 'Hello'],
    ['SGVsbG8= ignored\nmore', 'Hello'],
    ['Hello Ada, how are you?', 'Hello Ada, how are you?\n'],
    ['SGVsbG8=\n___\nThe list', 'Hello'],
    ['SGVs\n\nThe list of a', 'Hel'],
  ])('decodes base64 with or without padding: %j', (body, text) => expect(decode(body, 'base64')).toBe(text));

  it('decodes repeated line ends and escapes in linear time', () => {
    const begun = performance.now();
    for (const encoding of ['8bit', 'quoted-printable', 'base64'])
      for (const piece of ['\r', '=', '=\r', 'QQ==']) decode(piece.repeat(1_000_000), encoding);
    expect(performance.now() - begun).toBeLessThan(8000);
  });
});

describe('decodeFile', () => {
  const decoded = (body: string) => decodeFile(Buffer.from(body, 'latin1'), 'base64');

  it('decodes base64 with blanks and tabs anywhere in it', () => {
    for (let length = 1; length < 400; length++) {
      const content = randomBytes(length);
      const width = 4 * randomInt(1, 20);
      const encoded =
        content
          .toString('base64')
          .match(new RegExp(`.{1,${width}}`, 'g'))
          ?.join('\r\n') ?? '';
      const spaced = encoded.replaceAll(/./g, (char) => {
        const blanks = randomInt(8) === 0 ? [' ', '\t', '  ', '\t '][randomInt(4)] : '';
        // A blank in the padding is the only one with a meaning: text may follow it.
        return char === '=' ? char : `${blanks}${char}`;
      });
      expect(decoded(spaced).equals(content), JSON.stringify(spaced)).toBe(true);
      expect(decoded(` ${spaced}\t\r\n \r\n`).equals(content)).toBe(true);
    }
  });

  it.each([
    ['SGVsbG8=', 'Hello'],
    ['SGVs\r\nbG8=\r\n', 'Hello'],
    ['S GVs\tbG8 =\r\n', 'Hello'],
    ['SGVsbG8=\r\nV29y bGQ=', 'HelloWorld'],
    ['SGVsbG8= ignored\nmore', 'Hello'],
    ['SG VsbG8=\n___\nThe list', 'Hello'],
    [`${'SGVs'.repeat(40)}\0bG8=`, `${'Hel'.repeat(40)}lo`],
    ['', ''],
  ])('decodes %j', (body, text) => expect(decoded(body).toString('latin1')).toBe(text));

  it.each([
    'Hello Ada, how are you?\r\n',
    '%PDF-1.4\r\n1 0 obj\r\n<< /Type /Catalog >>\r\n\x00\x01\xff stream',
    '\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00',
    'id,name\r\n1,Ada\r\n',
  ])('keeps what is not encoded byte for byte: %j', (body) =>
    expect(decoded(body).toString('latin1')).toBe(body),
  );

  it('decodes repeated blanks and padding in linear time', () => {
    const begun = performance.now();
    for (const piece of ['=', '= ', '=\t\n', 'A ', ' ', '=A']) decoded(piece.repeat(1_000_000));
    expect(performance.now() - begun).toBeLessThan(8000);
  });
});
