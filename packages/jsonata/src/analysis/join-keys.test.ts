import { describe, expect, it } from 'vitest';
import { agree, byEngine } from '../../test-support/outcome.ts';
import { Random } from '../../test-support/random.ts';
import { randomJoin } from '../../test-support/random-join.ts';
import { compileJoinKeys, joinKeys, parse, type RowSource } from '../index.ts';

const SEED = Number(process.env.JOINS_SEED ?? 20261129);
const COUNT = Number(process.env.JOINS_COUNT ?? 4000);
const LIMITS = { most: 1000, timeMs: 1000 };

const sourceOf = (name: string): RowSource => ({ isInput: false, variables: [name] });

/** Returns a field's text or number; undefined where it is anything else, or below an array. */
function scalarAt(row: unknown, path: readonly string[]): string | number | undefined {
  let value = row;
  for (const name of path) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    value = Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
  }
  return typeof value === 'string' || typeof value === 'number' ? value : undefined;
}

function keysOf(expression: string, source: RowSource, lists: Record<string, unknown>) {
  try {
    return compileJoinKeys(expression, source, LIMITS)?.(lists, lists);
  } catch {
    // The whole expression is evaluated over all rows.
    return undefined;
  }
}

describe('the keys of a join', () => {
  it(`leave out no row that is needed, ${COUNT} random joins, seed ${SEED}`, { timeout: 300_000 }, () => {
    const random = new Random(SEED);
    const counts = { pushed: 0, reduced: 0, values: 0, errors: 0 };
    for (let i = 0; i < COUNT; i++) {
      const { expression, lists } = randomJoin(random);
      for (const name of ['a', 'b', 'c'] as const) {
        const { fields } = joinKeys(parse(expression), sourceOf(name)) ?? {};
        const keys = keysOf(expression, sourceOf(name), lists);
        if (fields === undefined || keys === undefined) continue;
        const needed = lists[name].filter((row) =>
          fields.some((path) => {
            const value = scalarAt(row, path);
            return value === undefined || keys.includes(value);
          }),
        );
        counts.pushed++;
        if (needed.length === lists[name].length) continue;
        counts.reduced++;
        const expected = byEngine(expression, lists, { ...lists });
        const actual = byEngine(expression, lists, { ...lists, [name]: needed });
        if (expected.kind === 'error') counts.errors++;
        else if (expected.value !== undefined) counts.values++;
        if (!agree(expected, actual)) expect({ expression, name, lists, keys, actual }).toEqual({ expected });
      }
    }
    console.log(JSON.stringify(counts));
    expect(counts.reduced).toBeGreaterThan(COUNT / 10);
    expect(counts.values).toBeGreaterThan(COUNT / 20);
    expect(counts.errors).toBeGreaterThan(COUNT / 1000);
  });

  const lists = {
    pulls: [
      { number: 1, user: { login: 'ada', names: ['Ada', 'A.'] }, state: 'open' },
      { number: 2, user: { login: 'ben' }, state: 'closed' },
    ],
  };

  it.each<[string, unknown[]]>([
    ['$pulls@$p.$mails@$m[$m.from = $p.user.login].$m.subject', ['ada', 'ben']],
    ['$pulls@$p[state = "open"].$mails@$m[$p.user.login = $m.from and $m.size > 3].$m.subject', ['ada']],
    ['$pulls.($p := $; {"title": title, "mails": $count($mails[from = $p.user.login])})', ['ada', 'ben']],
    ['$map($pulls, function($p) { $count($mails[from = $p.user.login]) })', ['ada', 'ben']],
    ['$filter($pulls, function($p) { $exists($mails[from = $p.user.login]) })', ['ada', 'ben']],
    ['$mails[from in $pulls.user.names].subject', ['A.', 'Ada']],
    ['$count($mails[kind = "x" and from = $pulls[0].user.login])', ['ada']],
    ['$mails[from = $string($pulls[1].number)]', ['2']],
    ['$mails@$m[from in $pulls.user.login].$m.subject', ['ada', 'ben']],
    ['{"a": $mails[from = "x"], "b": $count($mails[from = $who])}', ['x']],
    ['$mails[$.from = "x" and to != $pulls.number]^(>date)[0]', ['x']],
  ])('are found in %s: %j', (expression, keys) => {
    expect(keysOf(expression, sourceOf('mails'), lists)?.toSorted()).toEqual(keys);
  });

  it.each([
    '$mails',
    '$count($mails)',
    '$mails[0]',
    '$mails[size > 3]',
    '$mails[from = "x" or size = 3]',
    '$mails[$length(from) > 1 and from = "x"]',
    '$mails[from = to]',
    '$mails[from[0] = "x"]',
    '$mails[from = $.to & ""]',
    '$mails#$i[from = "x"]',
    '$mails[from = "x" and $count($mails) > 1]',
    '$mails[from = $pulls[0].user.login] ~> $f',
    '[$mails[from = "x"], $mails[0]]',
    '($mails := $pulls; $mails[from = "x"])',
    '[$mails[from = "x"], $eval("$mails")]',
    '$mails[from = $now()]',
    '$mails[from = $f(1)]',
    '$mails[from = $string()]',
    '($count := function($x) { $x }; $count($mails[from = "x"]))',
    '[$mails[from = "x"], $pulls.user.%.number]',
    '$pulls@$p.$pulls@$q[$exists($mails[from = $p.user.login])]',
    '$mails@$m[$m.from = "x"]',
    '($m := $mails[1]; $mails@$m[$m.from = "x"])',
    '$mails@$m[$m.from = "x"].$mails@$n[$n.from = $m.to]',
    '$mails[from in $mails.to]',
    '($f := function($p) { $mails[from = $p] }; $f("x"))',
    '$pulls^($count($mails[from = $.user.login]))',
    '$pulls{user.login: $count($mails[from = "x"])}',
    '$pulls@$p.$mails@$m[from = "x"]',
    '$mails[[1..3]]',
    '$mails[from = "x"][]{from: $count($mails)}',
  ])('are not looked for in %s', (expression) => {
    expect(joinKeys(parse(expression), sourceOf('mails'))).toBeUndefined();
  });

  it('are not looked for when the list is read as the input, too', () => {
    const source = { isInput: true, variables: ['mails'] };
    expect(joinKeys(parse('$mails[from in $pulls.user.login].subject'), source)).toBeDefined();
    for (const other of [
      '$count($)',
      '$count($$)',
      'subject',
      '$string()',
      '**',
      '$map($pulls, function($p) { subject })',
    ])
      expect(joinKeys(parse(`[$mails[from = "x"], ${other}]`), source), other).toBeUndefined();
  });

  it('are not returned when they are too many', () => {
    const keys = compileJoinKeys('$mails[n in $n]', sourceOf('mails'), { most: 3 });
    expect(keys?.(undefined, { n: [1, '1', [2], null, true, {}] })?.toSorted()).toEqual(['1', 1, 2]);
    expect(keys?.(undefined, { n: [1, '1', 2, 3] })).toBeUndefined();
  });
});
