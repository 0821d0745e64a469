import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase } from '../../../test-support/test-database.ts';
import { folded, wordsIn } from './words.ts';

let database: Awaited<ReturnType<typeof openTestDatabase>>;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database?.close());

/** Evaluates one SQL expression. */
async function evaluate(expression: string, values: readonly string[]): Promise<unknown> {
  const { rows } = await database.db.$client.query<{ value: unknown }>(`select ${expression} as value`, [
    ...values,
  ]);
  return rows[0]?.value;
}
const isFound = (query: string, text: string) =>
  evaluate('search_terms(null, null, null, $1) @@ search_words_query($2, false)', [text, query]);

const BIDI = 'in\u202evoi\u200fce';

describe('words of texts', () => {
  it.each([
    ['report', 'See report.pdf for details'],
    ['pdf', 'See report.pdf for details'],
    ['report.pdf', 'See report.pdf for details'],
    ['example', 'https://www.example.org/docs/page?id=42'],
    ['example.org/docs', 'https://www.example.org/docs/page?id=42'],
    ['kowalska@mail', 'zofia.kowalska+news@mail.example.org'],
    ['next', 'The end.Next begins'],
    ['v1.2.3', 'Version v1.2.3 is out'],
    ['0815', 'Order 4711-0815'],
    ['11-25', 'Date 2026-11-25'],
    ['state-of', 'a state-of-the-art cluster'],
    ['state of the art', 'a state-of-the-art cluster'],
    ['iPhone15', '我喜歡iPhone15手機'],
    ['iphone15手機', '我喜歡iPhone15手機'],
    ['東', '東京タワーの夜'],
    ['夜', '東京タワーの夜'],
    ['iPhone', '새 iPhone을 샀다'],
    ['Python', 'ภาษาPythonดี'],
    ['launch', 'rocket🚀launch'],
    ['السلام', 'السَّلَامُ عَلَيْكُمْ'],
    ['كتاب', 'كتــــاب'],
    ['שלום', 'שָׁלוֹם עולם'],
    ['softhyphen', 'soft\u00adhyphen'],
    ['invoice', BIDI],
    ['zerowidth', 'zero\u200bwidth'],
    ['میخواهم', 'می\u200cخواهم'],
    ['می\u200cخواهم', 'میخواهم'],
    ['placeholder', 'replace <placeholder> here'],
    ['ampersand', 'the entity &ampersand; of HTML'],
    ['<b>', 'write <b> for bold'],
    ['joined', 'join\u200ded'],
    ['grapheme', 'graph\u034feme'],
    ['mongol', 'mon\u180egol'],
    ['東京', '東\u200b京'],
    ['ประเทศ', 'ประ\u200bเทศ'],
  ])('finds by %s "%s"', async (query, text) => {
    expect(await isFound(query, text)).toBe(true);
  });

  it.for([
    ['🚀', 'rocket🚀launch'],
    ['❤', 'with ❤️'],
  ])('finds by %s "%s"', async ([query = '', text = ''], { skip }) => {
    const isLetter = await evaluate("to_tsvector('simple', $1) <> ''", [query]);
    skip(isLetter !== true, "the database's locale does not count emoji as letters");
    expect(await isFound(query, text)).toBe(true);
  });

  it.each([
    ['14', 'Pi is 3.14'],
    ['京東', '東京タワーの夜'],
    ['report.txt', 'See report.pdf for details'],
  ])('does not find by %s "%s"', async (query, text) => {
    expect(await isFound(query, text)).toBe(false);
  });

  it('are the same in the index and in what is marked and corrected', async () => {
    const pieces = [
      'Invoice',
      'zażółć',
      'Straße',
      'v1.2.3',
      '4711',
      '.',
      '-',
      '/',
      '@',
      ' ',
      ' ',
      "'",
      '_',
      '<b>',
      '&amp;',
    ];
    const others = [
      '東京タワー',
      'ประเทศ',
      'Python',
      'soft\u00adhyphen',
      'می\u200cخواهم',
      'السَّلَامُ',
      'שָׁלוֹם',
      '한국어',
      '\u202e',
    ];
    const all = [...pieces, ...others];
    let seed = 20_261_126;
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
      return Math.floor((seed / 2 ** 31) * below);
    };
    const texts = Array.from({ length: 300 }, () =>
      Array.from({ length: 1 + random(8) }, () => all[random(all.length)]).join(''),
    );
    const pairs = texts.flatMap((text) =>
      [...wordsIn(text)].flatMap(([word]) => (folded(word) === '' ? [] : [{ text, word }])),
    );
    const { rows } = await database.db.$client.query(
      `select text, word from json_to_recordset($1) as (text text, word text)
       where not coalesce(search_terms(null, null, null, text) @@ search_words_query(word, false), false)`,
      [JSON.stringify(pairs)],
    );
    expect(pairs.length).toBeGreaterThan(600);
    expect(rows).toEqual([]);
  });

  it('requires the Latin words of a phrase with Chinese ones', async () => {
    const query = 'search_terms(null, null, null, $1) @@ search_phrase_query($2)';

    expect(await evaluate(query, ['使用Python处理', '使用Python'])).toBe(true);
    expect(await evaluate(query, ['使用Java处理', '使用Python'])).toBe(false);
  });
});
