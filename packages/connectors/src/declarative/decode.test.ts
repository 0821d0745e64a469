import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { ProviderError } from '../sdk/provider-error.ts';
import { decode } from './decode.ts';

type Kind = Parameters<typeof decode>[0];

const KINDS: readonly Kind[] = ['json', 'ndjson', 'csv', 'xml', 'feed'];
const decodeText = (kind: Kind, text: string) => decode(kind, Buffer.from(text));

/** Returns `SyntaxError`, the failure of a ProviderError, or the value. @throws other errors */
function outcomeOf(kind: Kind, bytes: Uint8Array): unknown {
  try {
    return decode(kind, bytes);
  } catch (error) {
    if (error instanceof ProviderError) return error.failure;
    if (error instanceof SyntaxError) return 'SyntaxError';
    throw error;
  }
}
const outcomeOfText = (kind: Kind, text: string) => outcomeOf(kind, Buffer.from(text));

const ROWS = Array.from({ length: 30 }, (_, index) => ({
  id: String(index),
  title: ['plain', 'a "quoted" one', 'two\nlines', 'commas, semicolons; bars |', ' <b> & ]]>', 'Grüße 🚀'][
    index % 6
  ],
  state: index % 2 ? 'open' : '',
}));
const escapeXml = (text = '') =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&#62;');
const rowXml = ({ id, title, state }: (typeof ROWS)[number]) =>
  `<row id="${id}"><title>${escapeXml(title)}</title><state>${state}</state></row>`;
const XML = `<?xml version="1.0"?>\n<!-- of a test --><rows n="30">${ROWS.map(rowXml).join('\n')}</rows>`;
const FEED = `<rss version="2.0"><channel><title>News</title>${ROWS.map(
  ({ id, title }) => `<item><guid>${id}</guid><title>${escapeXml(title)}</title></item>`,
).join('')}</channel></rss>`;
const csvWith = (separator: string) =>
  [['id', 'title', 'state'], ...ROWS.map((row) => Object.values(row))]
    .map((row) => row.map((field = '') => `"${field.replaceAll('"', '""')}"`).join(separator))
    .join('\r\n');
const SAMPLES: Readonly<Record<Kind, string>> = {
  json: JSON.stringify({ rows: ROWS }),
  ndjson: ROWS.map((row) => `${JSON.stringify(row)}\n`).join(''),
  csv: csvWith(','),
  xml: XML,
  feed: FEED,
};

describe('decode', () => {
  it('reads the values of each format', () => {
    expect(decodeText('json', SAMPLES.json)).toEqual({ rows: ROWS });
    expect(decodeText('ndjson', SAMPLES.ndjson)).toEqual(ROWS);
    for (const separator of [',', ';', '\t', '|'])
      expect(decodeText('csv', csvWith(separator)), separator).toEqual(ROWS);
    expect(decodeText('xml', XML)).toEqual({
      rows: {
        '@n': '30',
        row: ROWS.map(({ id, title = '', state }) => ({ '@id': id, title: title.trim(), state })),
      },
    });
  });

  it.each(KINDS)('reads %s behind a byte order mark and with the line ends of Windows', (kind) => {
    const text = SAMPLES[kind];
    expect(decodeText(kind, `\ufeff${text}`)).toEqual(decodeText(kind, text));
    if (kind === 'ndjson') expect(decodeText(kind, text.replaceAll('\n', '\r\n\r\n'))).toEqual(ROWS);
  });

  it.each(['json', 'xml', 'feed'] as const)('refuses %s that is cut off anywhere', (kind) => {
    const bytes = Buffer.from(SAMPLES[kind]);
    for (let end = 0; end < bytes.length; end += 7)
      expect(outcomeOf(kind, bytes.subarray(0, end)), `after ${end} bytes`).toBe('SyntaxError');
  });

  it.each(KINDS)('refuses a page of HTML and random bytes in place of %s, or reads them in time', (kind) => {
    for (const html of [
      '<html>',
      '<!DOCTYPE html>\n<html><head></head><body>Back soon</body></html>',
      '<HTML></HTML>',
    ])
      expect(outcomeOfText(kind, html), html).toBe('SyntaxError');
    let state = 7;
    const next = (end: number) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return (state >>> 8) % end;
    };
    for (let round = 0; round < 400; round++) {
      const bytes = Buffer.from(SAMPLES[kind]);
      for (let change = 0; change <= next(8); change++) {
        const [from, to] = [next(bytes.length), next(bytes.length)];
        if (next(2)) bytes[from] = next(256);
        else bytes.copyWithin(from, to, to + next(40));
      }
      // Other errors than those of the interface are thrown.
      outcomeOf(kind, bytes);
    }
  });

  it.each<[Kind, string, string]>([
    ['json', 'levels', `${'['.repeat(65)}${']'.repeat(65)}`],
    ['json', 'levels without end', '['.repeat(4_000_000)],
    ['json', 'values', `[${'{},'.repeat(200_000)}{}]`],
    ['ndjson', 'levels', `{"a":${'['.repeat(65)}${']'.repeat(65)}}`],
    ['ndjson', 'lines', '1\n'.repeat(200_001)],
    ['csv', 'rows', `a\n${'1\n'.repeat(200_000)}`],
    ['csv', 'columns', 'a,'.repeat(200_001)],
    ['csv', 'short rows of many columns', `${'a,'.repeat(1000)}\n${'1\n'.repeat(1000)}`],
    ['xml', 'levels', `${'<a>'.repeat(65)}${'</a>'.repeat(65)}`],
    ['xml', 'levels without end', '<a>'.repeat(2_000_000)],
    ['xml', 'elements', `<a>${'<b/>'.repeat(200_000)}</a>`],
    ['xml', 'attributes', `<a ${Array.from({ length: 200_001 }, (_, index) => `a${index}=""`).join(' ')}/>`],
    ['feed', 'items', `<rss><channel>${'<item/>'.repeat(200_000)}</channel></rss>`],
    ['feed', 'levels of XHTML', `<feed><entry><content type="xhtml">${'<i>'.repeat(70)}`],
  ])('refuses %s with too many %s', (kind, _, text) => {
    expect(outcomeOfText(kind, text)).toBe('malformed');
  });

  it('reads what has just as many levels and values as allowed', () => {
    expect(outcomeOfText('json', `${'['.repeat(64)}${']'.repeat(64)}`)).toBeInstanceOf(Array);
    expect(decodeText('json', `[${'1,'.repeat(199_999)}1]`)).toHaveLength(200_000);
    expect(outcomeOfText('xml', `${'<a>'.repeat(64)}${'</a>'.repeat(64)}`)).toBeTypeOf('object');
    expect(decodeText('json', JSON.stringify(['[[,,'.repeat(100_000), '\\"[,']))).toHaveLength(2);
  });

  it.each([
    ['quotes', 'csv', '"'.repeat(8_000_000)],
    ['open quotes', 'csv', `a,b\n${'",'.repeat(4_000_000)}`],
    ['separators that differ', 'csv', ',;\t|'.repeat(40_000)],
    ['comments that are not closed', 'xml', '<!--'.repeat(2_000_000)],
    [
      'open angle brackets',
      'feed',
      `<rss><channel><title>${'&lt;'.repeat(2_000_000)}</title></channel></rss>`,
    ],
    ['ampersands', 'feed', `<rss><channel><title>${'&'.repeat(8_000_000)}</title></channel></rss>`],
    ['texts with spaces', 'feed', `<rss><channel><title>${'& '.repeat(4_000_000)}</title></channel></rss>`],
  ] as const)('reads or refuses 8 MB of %s within its time', (_, kind, text) => {
    const before = process.cpuUsage();
    outcomeOfText(kind, text);
    expect(process.cpuUsage(before).user / 1e6).toBeLessThan(8);
  });
});

describe('decode of CSV', () => {
  it.each([
    ['', []],
    ['id,title', []],
    ['id\n1\n\n2\n', [{ id: '1' }, { id: '2' }]],
    ['id, title \n1, a', [{ id: '1', title: ' a' }]],
    [
      'a,,a\n1,2,3\n4',
      [
        { a: '1', column2: '2', a_2: '3' },
        { a: '4', column2: '', a_2: '' },
      ],
    ],
    ['a,b\n1,2,,\n', [{ a: '1', b: '2' }]],
    ['__proto__,constructor\n1,2', [{ constructor: '2' }]],
    ['a,b\n1,2,3', 'SyntaxError'],
    ['a,b\n1,"2', 'SyntaxError'],
    ['a,b\n"1"2,3', 'SyntaxError'],
    ['a\0b\n1', 'SyntaxError'],
  ])('reads %j as %j', (text, expected) => {
    expect(outcomeOfText('csv', text)).toEqual(expected);
  });

  it('reads other charsets of spreadsheets', () => {
    const text = 'name;place\nJörg;Köln\n';
    const expected = [{ name: 'Jörg', place: 'Köln' }];
    expect(decode('csv', iconv.encode(text, 'windows-1252'))).toEqual(expected);
    expect(decode('csv', iconv.encode(text, 'utf-16le', { addBOM: true }))).toEqual(expected);
  });
});

describe('decode of XML', () => {
  it.each([
    ['<a/>', { a: '' }],
    ['<a b="1"/>', { a: { '@b': '1' } }],
    ['<a b="1"> x </a>', { a: { '@b': '1', '#text': 'x' } }],
    ['<a> x &amp; &#x79; <![CDATA[<z>]]> </a>', { a: 'x & y <z>' }],
    ['<n:a xmlns:n="urn:n"><n:b>1</n:b></n:a>', { 'n:a': { '@xmlns:n': 'urn:n', 'n:b': '1' } }],
    [
      '<a><b>1</b>text<c/><b>2</b><b x="3"/></a>',
      { a: { b: ['1', '2', { '@x': '3' }], c: '', '#text': 'text' } },
    ],
    ['<a><__proto__><b/></__proto__><constructor>1</constructor></a>', { a: { constructor: '1' } }],
    ['<a><b></a>', 'SyntaxError'],
    ['<a/><b/>', 'SyntaxError'],
    ['<a/>more', 'SyntaxError'],
    ['more<a/>', 'SyntaxError'],
    ['', 'SyntaxError'],
    ['{"a":1}', 'SyntaxError'],
  ])('reads %s as %j', (text, expected) => {
    expect(outcomeOfText('xml', text)).toEqual(expected);
  });

  it('expands no entity and reads no other file', () => {
    const levels = Array.from(
      { length: 9 },
      (_, index) => `<!ENTITY l${index + 1} "${`&l${index};`.repeat(10)}">`,
    );
    const bomb = `<?xml version="1.0"?><!DOCTYPE l [<!ENTITY l0 "lol">${levels.join('\n')}]><l>&l9;</l>`;
    for (const kind of ['xml', 'feed'] as const) {
      expect(outcomeOfText(kind, bomb)).toBe('malformed');
      expect(outcomeOfText(kind, '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>')).toBe(
        'malformed',
      );
      expect(outcomeOfText(kind, '<!DOCTYPE a [ <!-- > --> <!ENTITY x "y"> ]><a>&x;</a>')).toBe('malformed');
    }
    expect(decodeText('xml', '<!DOCTYPE a SYSTEM "file:///etc/passwd"><a>&x; &amp;l9;</a>')).toEqual({
      a: '&x; &l9;',
    });
  });

  it.each(['iso-8859-1', 'windows-1251', 'shift_jis', 'gb18030', 'koi8-r', 'utf-16le', 'utf-16be', 'utf-8'])(
    'reads the charset %s as the document declares it',
    (charset) => {
      const name = { 'windows-1251': 'Привет', 'koi8-r': 'Привет', shift_jis: 'こんにちは', gb18030: '你好' }[
        charset
      ];
      const text = `<?xml version='1.0' encoding='${charset}'?>\n<a b="${name ?? 'Grüße'}">${name ?? 'Grüße'}</a>`;
      const expected = { a: { '@b': name ?? 'Grüße', '#text': name ?? 'Grüße' } };
      expect(decode('xml', iconv.encode(text, charset))).toEqual(expected);
      expect(decode('xml', iconv.encode(text, charset, { addBOM: charset.startsWith('utf') }))).toEqual(
        expected,
      );
    },
  );
});
