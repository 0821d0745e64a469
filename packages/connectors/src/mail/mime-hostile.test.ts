import { describe, expect, it } from 'vitest';
import { parseMime } from './mime-parser.ts';
import { partsWithAlternatives } from './mime-part.ts';
import { readMailParts } from './read-mail.ts';

const MEGABYTE = 1024 * 1024;
const MAX_TEXT = 65_536;
const MIXED = 'Content-Type: multipart/mixed; boundary=b\n';
const nested = (depth: number) =>
  Array.from(
    { length: depth },
    (_, at) => `Content-Type: multipart/mixed; boundary=b${at}\n\n--b${at}\n`,
  ).join('');

const read = (source: string) => readMailParts(parseMime(Buffer.from(source, 'latin1')), MAX_TEXT);

describe('parseMime of a hostile mail', () => {
  it.each<[start: string, piece: string]>([
    [`${MIXED}\n`, '--\n'],
    [`${MIXED}\n`, '--bx\n'],
    [`${MIXED}\n`, '--b\n'],
    [`${MIXED}\n`, '--b\nX: y\n\nz\n'],
    [`${MIXED}\n`, '--b\nContent-Disposition: attachment\n\n'],
    [`${MIXED}\n`, '--b\nContent-Type: text/html\n\n<b\n'],
    [MIXED, '--x: y\n'],
    [MIXED, '--x\nA: b\n'],
    ['X: ', 'a'],
    ['X: ', '\xfc'],
    ['X: 1\n', ' y\n'],
    ['', ' \n'],
    ['', 'A: \xfc\n'],
    ['', 'Content-Type: text/plain\n'],
    ['', ':'],
    [nested(300), '--q\n'],
    [nested(300), '--b299--\n'],
    ['\n', '\r'],
    ['\n', '\r\r\n'],
    ['\n', '\0'],
    ['Content-Transfer-Encoding: base64\n\n', 'QQ==\n \n'],
    ['Content-Transfer-Encoding: x-uuencode\n\nbegin 644 a\n', '#86)C\n'],
    ['Content-Transfer-Encoding: x-uuencode\n\n', 'begin 644 \n'],
    ['Content-Transfer-Encoding: quoted-printable\n\n', '=     '],
    ['Content-Transfer-Encoding: ', '('],
    ['Content-Type: text/plain; charset=', 'a'],
  ])('takes linear time after %j for many %j', (start, piece) => {
    const source = `Subject: odd\n${start}${piece.repeat(Math.ceil(MEGABYTE / piece.length))}`;
    const begun = performance.now();

    expect(read(source).subject).toBe('odd');
    expect(performance.now() - begun).toBeLessThan(8000);
  });

  it('limits parts, levels, headers and their length', () => {
    const parts = partsWithAlternatives(parseMime(Buffer.from(`${MIXED}\n${'--b\n\na\n'.repeat(20_000)}`)));
    const deepest = partsWithAlternatives(parseMime(Buffer.from(nested(1000))));
    const { headers } = parseMime(Buffer.from(`X: ${'a'.repeat(MEGABYTE)}\n${'A: b\n'.repeat(20_000)}`));

    expect([parts.length, deepest.length]).toEqual([10_000, 257]);
    expect([headers.length, headers[0]?.value.length]).toEqual([10_000, 65_533]);
  });
});
