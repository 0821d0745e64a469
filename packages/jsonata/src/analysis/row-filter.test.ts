import { describe, expect, it } from 'vitest';
import { Random } from '../../test-support/random.ts';
import { NAMES, randomDocument } from '../../test-support/random-document.ts';
import { ExpressionWriter } from '../../test-support/random-expression.ts';
import { compile, compileRowFilter } from '../index.ts';

const SEED = Number(process.env.ROW_FILTER_SEED ?? 20_261_126);
const COUNT = Number(process.env.ROW_FILTER_COUNT ?? 6000);
/** Rows that are filtered at a time. */
const BATCH = 3;

type Row = Record<string, unknown>;

describe('the filter of the rows that an expression needs', () => {
  it.each([
    '$[n > 1]',
    '$[$contains(name, /^x/)]',
    '$count($[n > 1])',
    '[$count($[n > 1]), $[name = "x"].n]',
    '$[n > 1][0]',
    '$[n > $least]^(n).name',
    '($x := $[n > 1]; $count($x))',
    '$[n > 1] {name: $count($)}',
  ])('exists for %s', (expression) => {
    expect(compileRowFilter(expression)).toBeDefined();
  });

  it.each([
    '$',
    '$[0]',
    '$[n]',
    'name',
    '$[n > $count($$)]',
    '$string()',
    '$eval("1")',
    '($m := 3; $[n > $m])',
    '$[n > 1] = $',
    '$#$i[n > 1]',
    '$.name[$ = "x"]',
  ])('does not exist for %s', (expression) => {
    expect(compileRowFilter(expression)).toBeUndefined();
  });
});

/** Returns an expression that selects rows in one of the ways that people write. */
function randomExpression(random: Random): string {
  const any = () => new ExpressionWriter(random).write(2);
  const leaf = () =>
    `${random.pick(NAMES)} ${random.pick(['=', '>', '!=', 'in'])} ${random.pick(['1', '"x"', any()])}`;
  const predicate = () =>
    random.pick([
      leaf,
      () => `(${leaf()} and ${leaf()})`,
      () => `$exists(${any()})`,
      () => `$not(${any()})`,
    ])();
  const rows = () => `$[${predicate()}]`;
  const form = random.pick([
    rows,
    () => `${rows()}.(${any()})`,
    () => `[${rows()}, ${rows()}.${random.pick(NAMES)}]`,
    () => `${rows()}[${random.pick(['0', '-1', '[0..1]'])}]`,
    () => `${rows()} {$string(${random.pick(NAMES)}): $count($)}`,
    () => `($x := ${rows()}; $count($x) > 1 ? $x : ${rows()})`,
    () => `$map(${rows()}, function($v) { $v.(${any()}) })`,
    () => `${rows()} ~> $append(${any()})`,
    () => `${rows()}^(${random.pick(NAMES)})`,
    any,
  ]);
  return form();
}

function outcomeOf(expression: string, rows: readonly unknown[]): string {
  try {
    return JSON.stringify({ value: compile(expression).evaluate(rows) });
  } catch (error) {
    return JSON.stringify({ code: (error as { code?: string }).code });
  }
}

describe('an expression over the rows that its filter selects', () => {
  // Property: the outcome is the same as over all rows.
  it(`has the same result, ${COUNT} random expressions, seed ${SEED}`, { timeout: 120_000 }, () => {
    const random = new Random(SEED);
    let [filtered, fewer] = [0, 0];
    for (let n = 0; n < COUNT; n++) {
      const rows: Row[] = random.many(0, 9, () =>
        Object.fromEntries(random.many(0, 7, () => [random.pick(NAMES), randomDocument(random, 2)])),
      );
      const text = JSON.stringify(rows);
      const expression = randomExpression(random);
      if (/\$(now|millis|random|shuffle)\b/.test(expression)) continue;
      let filter: ReturnType<typeof compileRowFilter>;
      try {
        filter = compileRowFilter(expression);
      } catch {
        continue;
      }
      if (filter === undefined) continue;
      filtered++;
      const all = JSON.parse(text) as Row[];
      const kept: unknown[] = [];
      for (let at = 0; at < all.length; at += BATCH) kept.push(...filter(all.slice(at, at + BATCH)));
      if (kept.length < all.length) fewer++;
      const [expected, actual] = [
        outcomeOf(expression, JSON.parse(text) as Row[]),
        outcomeOf(expression, kept),
      ];
      if (actual !== expected)
        expect({ expression, text, actual }).toEqual({ expression, text, actual: expected });
    }
    console.log(`${filtered} expressions with a filter, ${fewer} with fewer rows`);
    expect(filtered).toBeGreaterThan(COUNT / 5);
    expect(fewer).toBeGreaterThan(COUNT / 10);
  });
});
