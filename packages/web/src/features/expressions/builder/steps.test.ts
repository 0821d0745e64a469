import { compile } from '@datadeck/jsonata';
import { describe, expect, it } from 'vitest';
import { EXPRESSIONS } from '../../../../test-support/expressions.ts';
import { meaningOf } from '../language/format.ts';
import { examplesFor } from './examples.ts';
import { firstFilter } from './filter-fields.tsx';
import { readSteps } from './read-steps.ts';
import { canGroup, canMeasure, canSort, fieldsOfRows, type RowField, valueAt } from './row-fields.ts';
import { type Filter, groupColumns, groupMeasure, type Steps, writeSteps } from './write-steps.ts';

function choicesFrom(seed: number) {
  let state = seed * 2_654_435_761 + 1;
  const below = (limit: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % limit;
  };
  return { below, one: <T>(items: readonly T[]): T => items[below(items.length)] as T };
}
type Choices = ReturnType<typeof choicesFrom>;

const TEXTS = ['open', 'closed', 'Ünï "quoted"', "it's", 'a\\b', '', 'null', '`', '1'];

function randomRow({ below, one }: Choices): Record<string, unknown> {
  return {
    state: one(TEXTS),
    ...(below(4) > 0 && { count: below(5) - 2 }),
    score: one([null, 0, 1.5, 7, 1e21]),
    user: { login: one(['ada', 'bo', 'Cy']), size: below(3) },
    draft: one([true, false]),
    at: one([null, '2026-01-31T23:59:59Z', '2026-02-01T00:00:00Z', '2025-02-01T00:00:00+02:00']),
    labels: [{ name: one(['bug', 'docs']) }, { name: one(['x', 'y']) }],
    'odd name': one(TEXTS),
    in: below(2),
  };
}

function randomFilter({ one, below }: Choices, field: RowField): Filter {
  const first = firstFilter(field);
  if (field.isList) return { ...first, value: one(['bug', 'x', 'none']) };
  const conditions = [
    'is',
    'is-not',
    'more',
    'at-least',
    'less',
    'at-most',
    'null',
    'not-null',
    'missing',
    'exists',
  ];
  const condition = field.kind === 'text' && below(3) === 0 ? 'contains' : one(conditions);
  const { value: _, ...rest } = first;
  if (['null', 'not-null', 'missing', 'exists'].includes(condition))
    return { ...rest, condition: condition as Filter['condition'] };
  // Booleans have no order.
  const isOrder = !['is', 'is-not', 'contains'].includes(condition);
  if (field.kind === 'boolean')
    return { ...rest, condition: isOrder ? 'is' : (condition as 'is'), value: one([true, false]) };
  const value =
    field.kind === 'number' ? one([-1, 0, 1.5, 7]) : one([...TEXTS, '2026-01-31', '2026-02-01', 'OPE']);
  if (condition === 'contains') delete rest.byDay;
  return {
    ...rest,
    condition: condition as Filter['condition'],
    value,
    skipsNull: isOrder || condition === 'contains' || first.byDay === true,
  };
}

function randomSteps(choices: Choices, fields: readonly RowField[]): Steps {
  const { below, one } = choices;
  const filters = Array.from({ length: below(3) }, () => randomFilter(choices, one(fields)));
  const plain = fields.filter(canGroup);
  const number = one(fields.filter(canMeasure));
  const summary = one(['count', 'sum', 'average', 'min', 'max'] as const);
  const measure = summary === 'count' ? { summary } : { summary, path: number.path, skipsNull: true };
  const kind = below(3);
  if (kind === 0) {
    const { path } = one(fields.filter(canSort));
    const order = below(2) === 0 ? { path, descending: below(2) === 0, skipsNull: true } : undefined;
    return { filters, ...(order && { order }) };
  }
  if (kind === 1) return { filters, measure };
  const field = one(plain);
  const grouping = {
    path: field.path,
    ...(field.isMoment && below(3) > 0 && { period: one(['year', 'month', 'day'] as const) }),
    convertsToText: true,
  };
  const order = { path: [one(Object.values(groupColumns(grouping, measure)))], descending: below(2) === 0 };
  return { filters, grouping, measure, ...(below(2) === 0 && { order }) };
}

/** Evaluates a filter without an expression. */
function keeps(row: unknown, { path, condition, value, byDay, skipsNull }: Filter): boolean {
  if (condition === 'has')
    return (row as { labels: { name: string }[] }).labels.some(({ name }) => name === value);
  const stored = valueAt(row, path);
  const found = byDay && typeof stored === 'string' ? stored.slice(0, 10) : stored;
  if (condition === 'missing') return found === undefined;
  if (condition === 'exists') return found !== undefined;
  if (found === undefined) return false;
  if (condition === 'null') return found === null;
  if (condition === 'not-null') return found !== null;
  if (skipsNull && found === null) return false;
  if (condition === 'is') return found === value;
  if (condition === 'is-not') return found !== value;
  if (condition === 'contains') return String(found).toLowerCase().includes(String(value).toLowerCase());
  const [one, other] = [found, value] as [number, number];
  if (condition === 'more') return one > other;
  if (condition === 'at-least') return one >= other;
  return condition === 'less' ? one < other : one <= other;
}

function summarise(rows: readonly unknown[], measure: ReturnType<typeof groupMeasure>): unknown {
  if (measure.summary === 'count') return rows.length;
  const numbers = rows
    .map((row) => valueAt(row, measure.path ?? []))
    .filter((it) => it !== undefined && it !== null) as number[];
  if (numbers.length === 0) return undefined;
  const sum = numbers.reduce((one, other) => one + other, 0);
  if (measure.summary === 'sum') return sum;
  if (measure.summary === 'average') return sum / numbers.length;
  return measure.summary === 'min' ? Math.min(...numbers) : Math.max(...numbers);
}

function inOrder(rows: readonly unknown[], { order }: Steps): unknown[] {
  if (!order) return [...rows];
  return rows.toSorted((a, b) => {
    const [one, other] = [a, b].map((row) => valueAt(row, order.path) ?? undefined) as [number, number];
    // A missing value is last in both orders.
    if (one === undefined || other === undefined)
      return Number(one === undefined) - Number(other === undefined);
    if (one === other) return 0;
    return one < other === order.descending ? 1 : -1;
  });
}

/** Evaluates steps without an expression. */
function evaluateSteps(rows: readonly unknown[], steps: Steps): unknown {
  const kept = rows.filter((row) => steps.filters.every((filter) => keeps(row, filter)));
  const { grouping, measure } = steps;
  if (!grouping) return measure ? summarise(kept, measure) : inOrder(kept, steps);
  // Objects order names that are whole numbers first.
  const groups: Record<string, unknown[]> = {};
  for (const row of kept) {
    const value = valueAt(row, grouping.path);
    if (value === undefined) continue;
    const text = grouping.convertsToText ? String(value) : (value as string);
    const name = grouping.period ? text.slice(0, { year: 4, month: 7, day: 10 }[grouping.period]) : text;
    groups[name] = [...(groups[name] ?? []), row];
  }
  const used = groupMeasure(steps);
  const columns = groupColumns(grouping, used);
  const result = Object.entries(groups)
    .map(([name, members]) => ({
      [columns.name]: name,
      [columns.measure]: summarise(members, used),
    }))
    .filter((group) => group[columns.measure] !== undefined);
  return inOrder(result, steps);
}

/** JSONata returns a list of one value as the value, no value for an empty one, and leaves out members without a value. */
const asResult = (value: unknown): unknown => {
  const plain: unknown = value === undefined ? undefined : JSON.parse(JSON.stringify(value));
  if (!Array.isArray(plain)) return plain;
  return plain.length > 1 ? plain : plain[0];
};

describe('the steps of the builder', () => {
  it.each(Array.from({ length: 40 }, (_, seed) => [seed]))(
    'are written, read and evaluated alike (%i)',
    (seed) => {
      const choices = choicesFrom(seed + 1);
      const rows = Array.from({ length: 30 }, () => randomRow(choices));
      const fields = fieldsOfRows(rows, []);
      expect(fields.map(({ name }) => name)).toContain('labels.name');
      for (let round = 0; round < 40; round++) {
        const steps = randomSteps(choices, fields);
        const text = writeSteps(steps);
        const read = readSteps(text);
        expect(read && writeSteps(read), text).toBe(text);
        if (text === '') continue;
        const result = compile(text).evaluate(rows);
        expect(asResult(result), text).toEqual(asResult(evaluateSteps(rows, steps)));
      }
    },
  );

  it('are read only from expressions of the same meaning', () => {
    const variants = [
      "$[state = 'open']^(<count)",
      '$ [ count>=-2 ]',
      '$count( $ )',
      '$max(`odd name`)',
      '$',
    ];
    for (const text of [...EXPRESSIONS, ...variants]) {
      const steps = readSteps(text);
      if (steps && text.trim() !== '$' && text.trim() !== '')
        expect(meaningOf(writeSteps(steps)), text).toBe(meaningOf(text));
    }
    expect(variants.filter((text) => readSteps(text) === undefined)).toEqual([]);
    for (const text of [
      '$[0]',
      '$.title',
      '$[state = $state]',
      '/* why */ $count($)',
      '$count($',
      '$sum(a + b)',
    ])
      expect(readSteps(text), text).toBeUndefined();
  });
});

describe('firstFilter', () => {
  it.each(['', 'open', 'two\nlines', 'x'.repeat(101), 'long '.repeat(4000), 'ü"\\'.repeat(20)])(
    'leaves the expression readable for each value of a row (%#)',
    (body) => {
      const [field] = fieldsOfRows([{ body }], []);
      const filter = field && firstFilter(field);
      const read = readSteps(writeSteps({ filters: filter ? [filter] : [] }));
      expect(read?.filters[0]?.path).toEqual(['body']);
      expect(String(read?.filters[0]?.value)).not.toMatch(/\n/);
    },
  );

  it('compares the days of moments', () => {
    const rows = [
      '2026-01-30T23:59:59Z',
      '2026-01-31T00:00:00Z',
      '2026-01-31T10:00:00Z',
      '2026-02-01T00:00:00Z',
    ];
    const [field] = fieldsOfRows([{ at: rows[1] }], []);
    const kept = (condition: Filter['condition']) => {
      const filters = field ? [{ ...firstFilter(field), condition }] : [];
      const found: unknown = compile(`$count(${writeSteps({ filters })})`).evaluate(
        rows.map((at) => ({ at })),
      );
      return found;
    };
    const conditions = ['is', 'more', 'at-least', 'less', 'at-most'] as const;
    expect(conditions.map(kept)).toEqual([2, 1, 3, 1, 3]);
  });
});

describe('examplesFor', () => {
  it.each(Array.from({ length: 20 }, (_, seed) => [seed]))(
    'writes expressions that can be evaluated (%i)',
    (seed) => {
      const choices = choicesFrom(seed + 100);
      const rows = Array.from({ length: 1 + choices.below(30) }, () => randomRow(choices));
      const examples = examplesFor(rows, fieldsOfRows(rows, ['user']));
      expect(examples.length).toBeGreaterThan(1);
      expect(new Set(examples.map(({ title }) => title)).size).toBe(examples.length);
      for (const { expression } of examples)
        expect(() => compile(expression).evaluate(rows), expression).not.toThrow();
    },
  );

  it('leaves out bots where rows say whether they are one', () => {
    const rows = [
      { reviewer: 'ada', bot: false, reviews: 3 },
      { reviewer: 'renovate', bot: true, reviews: 9 },
    ];
    const example = examplesFor(rows, fieldsOfRows(rows, [])).find(({ title }) => title === 'Without bots');
    expect(example?.expression).toBe('$[bot = false]');
    expect(readSteps(example?.expression ?? '')).toBeDefined();
  });

  it('has none without rows, and only the count for rows of plain values', () => {
    expect(examplesFor([], [])).toEqual([]);
    expect(
      examplesFor([1, 'two', null], fieldsOfRows([1, 'two', null], [])).map(({ expression }) => expression),
    ).toEqual(['$count($)']);
  });
});
