import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { byEngine } from '../../test-support/outcome.ts';
import { Random } from '../../test-support/random.ts';
import { NAMES, randomDocument } from '../../test-support/random-document.ts';
import { ExpressionWriter } from '../../test-support/random-expression.ts';
import { randomJoin } from '../../test-support/random-join.ts';
import { parse } from '../compiler/parse.ts';
import { compile } from '../index.ts';
import { rowFields } from './row-fields.ts';

const SEED = Number(process.env.ROW_FIELDS_SEED ?? 20_261_126);
const COUNT = Number(process.env.ROW_FIELDS_COUNT ?? 2000);

type Row = Record<string, unknown>;

const pathsOf = (expression: string) => rowFields(parse(expression))?.paths.map((path) => path.join('.'));

describe('the fields that an expression reads of rows', () => {
  it.each([
    ['$count($)', []],
    ['[1..10]', []],
    ['title', ['title']],
    ['$.title', ['title']],
    ['$sum(additions)', ['additions']],
    ['$[state = "open"].user.login', ['state', 'user.login']],
    ['$[$contains(title, /^fix/)].number', ['title', 'number']],
    ['$^(>created_at)[[0..9]].title', ['created_at', 'title']],
    ['$.{"number": number, "who": user.login}', ['number', 'user.login']],
    [['$', '{user.login: $count($)}'].join(''), ['user.login']],
    ['$ {user.login: {"count": $count($), "sum": $sum(additions)}}', ['user.login', 'additions']],
    ['$each($ {state: $count(number)}, function($n, $s) { $n > 5 ? {$s: $n} })', ['state', 'number']],
    ['$.labels.name ~> $distinct()', ['labels.name']],
    ['$map($, function($r) { $r.title })', ['title']],
    ['($open := $[state = "open"]; $count($open) & $open.title)', ['state', 'title']],
    ['$reverse($).id', ['id']],
    ['labels[0].name', ['labels']],
    ['$filter($, function($r) { $r.size > 3 }).id', ['size', 'id']],
    ['$$.title', ['title']],
    ['$@$r.title', ['title']],
    ['$$@$r.{"t": $r.title}', ['title']],
  ])('%s', (expression, expected) => {
    expect(pathsOf(expression)).toEqual(expected);
  });

  it.each([
    '$',
    '$[state = "open"]',
    '$.*',
    '**.name',
    '$string($)',
    '$.$string()',
    '$ = []',
    '$eval("title")',
    '$keys($)',
    '$map($, function($r) { $r })',
    '($f := function() { $ }; $f().title)',
    '[$x := $, $x].title',
    '$#$i.title',
    'title.%',
    '$ ? 1 : 2',
    '{"rows": $}',
    '{"rows": $}.rows.title',
    '($g := $ {state: $}; $g.open.title)',
    '$map($, function($r) { {"a": $r} }).a.title',
    '$reduce($, function($a, $b) { $a + $b.n })',
    '$ ~> |$|{"x": 1}|',
  ])('are unknown for %s', (expression) => {
    expect(pathsOf(expression)).toBeUndefined();
  });

  it.each<[string, string[] | undefined]>([
    ['$mails.subject', ['subject']],
    ['$pulls@$p.$mails@$m[$m.from.name = $p.user].{"s": $m.subject}', ['from.name', 'subject']],
    ['$mails@$m.$pulls@$p[$m.a = $p.b].$p', ['a']],
    ['$pulls.($p := $; $count($mails[from = $p.user]))', ['from']],
    ['$pulls[user in $mails.from.name]', ['from.name']],
    ['$.title & $count($mails)', []],
    ['$mails@$m.$pulls@$p[$m.a = $p.b].$m', undefined],
    ['$mails@$m.$pulls@$p[$m = $p.b].$p', undefined],
    ['$mails@$m.$pulls@$p[$m.a = $p.b]{$m.c: $p.d}', undefined],
    ['$mails', undefined],
  ])('are found for the rows of a variable: %s', (expression, expected) => {
    const fields = rowFields(parse(expression), [], { isInput: false, variables: ['mails'] });
    expect(fields?.paths.map((path) => path.join('.'))).toEqual(expected);
  });

  it('are those of the input and of its variable', () => {
    const source = { isInput: true, variables: ['pulls'] };
    const fields = rowFields(parse('$.title & $pulls@$p.$mails@$m[$m.a = $p.b].$p.c'), [], source);
    expect(fields?.paths.map((path) => path.join('.'))).toEqual(['title', 'b', 'c']);
  });

  it('are marked when one has a predicate of its own', () => {
    expect(rowFields(parse('$.title[$length($) > 3]'))?.arePlain).toBe(false);
    expect(rowFields(parse('$.title'))?.arePlain).toBe(true);
  });
});

/** Returns an expression over an array of rows, of forms that people write and of any other. */
function randomExpression(random: Random): string {
  const any = () => new ExpressionWriter(random).write(2);
  const form = random.pick([
    () => any(),
    () => `$[${any()}].(${any()})`,
    () => `$ {$string(${any()}): ${any()}}`,
    () => `$^(${random.pick(NAMES)}).${random.pick(NAMES)}`,
    () => `$map($, function($v, $i) { $v.(${any()}) })`,
    () => `$filter($, function($v) { $v.(${any()}) = $v.${random.pick(NAMES)} }).${random.pick(NAMES)}`,
    () => `($x := $[${any()}]; $y := $x.(${any()}); [$count($x), $y])`,
    () => `($f := function($v) { $v.${random.pick(NAMES)} & $string(${any()}) }; $map($, $f))`,
    () => `$.{"k": ${any()}, "l": ${any()}}`,
    () => `(${any()}) ~> $append(${any()})`,
    () => `$reverse($[${any()}]).${random.pick(NAMES)}[${random.pick(['0', '-1', '$ > 1'])}]`,
  ]);
  return form();
}

function outcomeOf(expression: string, rows: readonly Row[]): unknown {
  try {
    return { value: compile(expression).evaluate(rows) };
  } catch (error) {
    return { code: (error as { code?: string }).code };
  }
}

describe('an expression over rows that have only the fields that it reads', () => {
  // Property: the outcome is the same as over whole rows.
  it(`has the same result, ${COUNT} random expressions, seed ${SEED}`, { timeout: 120_000 }, () => {
    const random = new Random(SEED);
    let [known, values] = [0, 0];
    for (let n = 0; n < COUNT; n++) {
      const rows = random.many(0, 6, () =>
        Object.fromEntries(random.many(0, 7, () => [random.pick(NAMES), randomDocument(random, 3)])),
      );
      const text = JSON.stringify(rows);
      const expression = randomExpression(random);
      let fields: ReturnType<typeof rowFields>;
      try {
        fields = rowFields(parse(expression));
      } catch {
        continue;
      }
      if (fields === undefined || /\$(now|millis|random|shuffle)\b/.test(expression)) continue;
      known++;
      const names = new Set(fields.paths.map(([name]) => name));
      const picked = (JSON.parse(text) as Row[]).map((row) =>
        Object.fromEntries(Object.entries(row).filter(([name]) => names.has(name))),
      );
      const expected = outcomeOf(expression, JSON.parse(text) as Row[]);
      if ('value' in (expected as object)) values++;
      const actual = outcomeOf(expression, picked);
      if (!isDeepStrictEqual(JSON.stringify(actual), JSON.stringify(expected)))
        expect({ expression, text, outcome: actual }).toEqual({ expression, text, outcome: expected });
    }
    console.log(`${known} expressions with known fields, ${values} with a value`);
    expect(known).toBeGreaterThan(COUNT / 5);
    expect(values).toBeGreaterThan(COUNT / 10);
  });
});

describe('a join over lists that have only the fields that it reads', () => {
  // Property: the outcome is the same as over whole rows.
  it(`has the same result, ${COUNT} random joins, seed ${SEED}`, { timeout: 120_000 }, () => {
    const random = new Random(SEED);
    let known = 0;
    for (let n = 0; n < COUNT; n++) {
      const { expression, lists } = randomJoin(random);
      const text = JSON.stringify(lists);
      const expected = byEngine(expression, JSON.parse(text), JSON.parse(text) as Record<string, unknown>);
      for (const name of ['a', 'b', 'c'] as const) {
        const fields = rowFields(parse(expression), ['a', 'b', 'c'], { isInput: false, variables: [name] });
        if (fields === undefined) continue;
        known++;
        const names = new Set(fields.paths.map(([first]) => first));
        const bindings = JSON.parse(text) as Record<string, unknown[]>;
        bindings[name] = (bindings[name] as unknown[]).map((row) =>
          typeof row === 'object' && row !== null && !Array.isArray(row)
            ? Object.fromEntries(Object.entries(row).filter(([field]) => names.has(field)))
            : row,
        );
        const actual = byEngine(expression, JSON.parse(text), bindings);
        if (JSON.stringify(actual) !== JSON.stringify(expected))
          expect({ expression, name, text, outcome: actual }).toEqual({ outcome: expected });
      }
    }
    console.log(`${known} lists with known fields`);
    expect(known).toBeGreaterThan(COUNT / 2);
  });
});
