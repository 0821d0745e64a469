import { describe, expect, it } from 'vitest';
import { decodeBody } from './transfer-encoding.ts';

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
