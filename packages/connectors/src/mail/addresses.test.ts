import { describe, expect, it } from 'vitest';
import { domainOf, parseAddresses } from './addresses.ts';

const read = (header: string) => parseAddresses(header).map(({ name, address }) => [name, address]);

describe('parseAddresses', () => {
  it.each<[header: string, addresses: [name: string, address: string][]]>([
    ['a@b.c', [['', 'a@b.c']]],
    [
      'Ada <a@b.c>, bo@d.e',
      [
        ['Ada', 'a@b.c'],
        ['', 'bo@d.e'],
      ],
    ],
    ['"a@b"@c', [['', '"a@b"@c']]],
    ['"a\\"b@x"@c.d', [['', '"a\\"b@x"@c.d']]],
    ['<"a b"@c.d>', [['', '"a b"@c.d']]],
    ['Ada <"x,y>z"@c.d>', [['Ada', '"x,y>z"@c.d']]],
    ['"a@b.c" <a@b.c>', [['a@b.c', 'a@b.c']]],
    ['a@b.c <a@b.c>', [['a@b.c', 'a@b.c']]],
    ['"other@evil.example" <a@b.c>', [['other@evil.example', 'a@b.c']]],
    ['"Lovelace, \\"Ada\\"" <a@b.c>', [['Lovelace, "Ada"', 'a@b.c']]],
    ['a@b.c (Ada (the first) L.)', [['Ada (the first) L.', 'a@b.c']]],
    ['Ada (work) <a@b.c>', [['Ada', 'a@b.c']]],
    ['a@(host)b.c', [['host', 'a@b.c']]],
    [
      'Friends: Ada <a@b.c>, bo@d.e;, cy@f.g',
      [
        ['Ada', 'a@b.c'],
        ['', 'bo@d.e'],
        ['', 'cy@f.g'],
      ],
    ],
    ['undisclosed-recipients:;', []],
    ['=?utf-8?Q?L=C3=B6we=2C_Bo?= <a@b.c>', [['Löwe, Bo', 'a@b.c']]],
    ['=?utf-8?Q?Bo,_L?= <a@b.c>', [['Bo, L', 'a@b.c']]],
    ['=?utf-8?Q?L=C3=B6?= =?utf-8?Q?we?= <a@b.c>', [['Löwe', 'a@b.c']]],
    ['=?utf-8?Q?x=40evil.example?=', [['x@evil.example', '']]],
    ['a @ b.c', [['', 'a@b.c']]],
    ['<@relay,@other:a@b.c>', [['', 'a@b.c']]],
    ['a@b . c', [['', 'a@b.c']]],
    ['a@b.c d@e.f', [['d@e.f', 'a@b.c']]],
    ['J. Doe (x) <j@b.c>', [['J. Doe', 'j@b.c']]],
    ['Cron Daemon <root>', [['Cron Daemon', 'root']]],
    ['root', [['root', '']]],
    ['<root>', [['root', '']]],
    ['<>', []],
    ['', []],
    ['"a@b.c"', [['a@b.c', '']]],
    ['"Ada a@b.c', [['Ada', 'a@b.c']]],
    ['Ada <a@b.c', [['Ada', 'a@b.c']]],
    ['Ada\r\n\t<a@b.c>', [['Ada', 'a@b.c']]],
    [
      'a@b.c;d@e.f',
      [
        ['', 'a@b.c'],
        ['', 'd@e.f'],
      ],
    ],
  ])('parses %j', (header, addresses) => expect(read(header)).toEqual(addresses));

  it('limits the number of addresses', () =>
    expect(parseAddresses('a@b.c,'.repeat(200_000)).length).toBeLessThanOrEqual(1000));

  it.each([
    '"',
    '<',
    '(',
    'a:',
    '@',
    '=?',
    '=?u?q?',
    '=?utf-8?q?a?= ',
    '\\',
    ' ',
    'a ',
    'a"',
    '<"',
    '"\\',
    '>(',
    'a@ ',
    ';',
  ])('parses a header that repeats %j in linear time', (piece) => {
    const header = piece.repeat(Math.ceil(65_536 / piece.length));
    const start = performance.now();
    for (const text of [header, `${header}"`, `${header}>`, `a ${header} b@c`]) parseAddresses(text);
    expect(performance.now() - start).toBeLessThan(2000);
  });
});

describe('domainOf', () => {
  it('returns the part after the last @ in lower case', () => {
    expect(domainOf('"a@b"@C.d')).toBe('c.d');
    expect(domainOf('root')).toBe('');
  });
});
