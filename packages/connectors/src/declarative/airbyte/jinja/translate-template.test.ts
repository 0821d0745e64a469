import { readFileSync } from 'node:fs';
import { parse } from '@datadeck/jsonata';
import { describe, expect, it } from 'vitest';
import { compileBounded } from '../../expression.ts';
import { call } from './code.ts';
import type { Variables } from './translate-expression.ts';
import { translateTemplate } from './translate-template.ts';

/** Texts that Jinja prints, written by `python3 scripts/airbyte/expressions.py --write`: one for each context, null for an error. */
interface Table {
  now: string;
  contexts: Record<string, unknown>[];
  cases: { template: string; texts: (string | null)[] }[];
}
const table: Table = JSON.parse(
  readFileSync(new URL('../../../../test-support/airbyte/expressions.json', import.meta.url), 'utf8'),
);

const variables: Variables = ([root = '', ...path]) =>
  root === 'record' && path.length === 0 ? call('record', 'any') : undefined;
const translate = (template: string) => translateTemplate(template, variables);

/** Returns the value of a template’s only expression. */
function evaluated(template: string, record: object): unknown {
  const value = compileBounded(translate(template).value).evaluate({ record, now: table.now });
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

describe('the text of a template', () => {
  it.each(table.cases)('is what Jinja prints: $template', ({ template, texts }) => {
    const expression = compileBounded(translate(template).text);
    for (const [index, expected] of texts.entries()) {
      if (expected === null) continue;
      const text = expression.evaluate({ ...table.contexts[index], now: table.now }) ?? '';
      expect(text, JSON.stringify(table.contexts[index])).toBe(expected);
    }
  });

  it('has most of its cases without an error in Jinja', () => {
    const texts = table.cases.flatMap((one) => one.texts);
    expect(texts.filter((text) => text !== null).length).toBeGreaterThan(texts.length * 0.7);
  });

  it('is a constant without expressions', () => {
    expect(translate('plain').constant).toBe('plain');
    expect(translate('{{ "a" }}').constant).toBe('a');
    expect(translate('{{ record.a }}').constant).toBeUndefined();
    expect(translate("{{ 'a' + 'b' }}").constant).toBe('ab');
    expect(translate("{{ 'a' }}_{{ 1 }}{{ true }}").constant).toBe('a_1True');
    expect(translate("{{ '' or 'b' }}").constant).toBe('b');
    expect(translate("{{ 'a' if false else 'b' }}").constant).toBe('b');
    expect(translate("{{ 'a' and record.a }}").text).toBe(translate('{{ record.a }}').text);
  });
});

describe('the value of a template', () => {
  it.each<[string, object, unknown]>([
    ['{{ record.a }}', { a: 5 }, 5],
    ['{{ record.a }}', {}, undefined],
    ['{{ record.a }} ', { a: 5 }, '5 '],
    ['{{ [record.a, record.b] }}', { a: [1, 2], b: 3 }, [[1, 2], 3]],
    ['{{ [record.a] }}', { a: [] }, [[]]],
    ["{{ {'a': record.a} }}", { a: [1] }, { a: [1] }],
    ['{{ record.a > record.b }}', { a: 250, b: true }, true],
    ['{{ record.a > 1 }}', { a: true }, false],
    ['{{ record.a > record.b }}', { a: 'b', b: 'a' }, true],
    ['{{ record.a | float }}', { a: 2 }, '2.0'],
    ['{{ record.a | hash }}', { a: '' }, 'd41d8cd98f00b204e9800998ecf8427e'],
  ])('is that of its only expression: %s', (template, record, expected) => {
    expect(evaluated(template, record)).toEqual(expected);
  });
});

describe('a template without translation', () => {
  it.each([
    ['{{ other }}', 'the variable other'],
    ['{{ unknown() }}', 'the function unknown'],
    ['{{ constructor() }}', 'the function constructor'],
    ['{{ record.a | unknown }}', 'the filter unknown'],
    ['{{ record.a | constructor }}', 'the filter constructor'],
    ['{{ record.a | tojson }}', 'the filter tojson'],
    ['{{ record.a.unknown() }}', 'the method unknown'],
    ['{{ record.a.constructor() }}', 'the method constructor'],
    ['{{ record.a is constructor }}', 'the test “is constructor”'],
    ['{{ record.items }}', 'the method items as a value'],
    ['{{ record.a | hash("crc32") }}', 'the hash crc32'],
    ['{{ record.a | hash(record.b) }}', 'the name of a hash that is computed'],
    ['{{ record.a | selectattr("b") }}', 'the filter selectattr with this test'],
    ['{{ record.a | selectattr("b", "gt", 1) }}', 'the filter selectattr with this test'],
    ['{{ record.a[::2] }}', 'a slice with a step'],
    ['{{ record.a.strftime("%Y") }}', 'the date of a computed value'],
    ['{{ now_utc().strftime("%U") }}', 'the date format %U'],
    ['{{ now_utc() - 1 }}', 'a calculation with dates'],
    ['{{ [now_utc()] }}', 'a date in a list or an object'],
    ['{{ {1: 2} }}', 'a name of a member that is no text'],
    ['{{ {"a": 1, "a": 2} }}', 'an object with two members of one name'],
    ['{{ duration("1 day") }}', '"1 day" is no duration'],
    ['{{ day_delta(record.a) }}', 'a number of days that is computed'],
    ['{% for a, b in record.c %}{% endfor %}', 'a loop with several variables'],
    ['{% for a in record.c %}{% else %}none{% endfor %}', 'a loop with “else”'],
    ['{% set a, b = record.c %}', 'several variables that are set at once'],
    ['{{ record.a ', 'the template is not well formed'],
    ['{% if record.a %}', 'the template is not well formed'],
    ['a'.repeat(20_001), 'the template is too long'],
  ])('is refused with its reason: %s', (template, reason) => {
    expect(() => translate(template)).toThrowError(
      expect.objectContaining({ name: 'UntranslatableError', message: expect.stringContaining(reason) }),
    );
  });
});

/** Draws the same numbers for the same seed. */
function drawing(seed: number): (end: number) => number {
  let state = seed;
  return (end) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * end);
  };
}

const LEAVES = [
  'record.a',
  "record['b c']",
  "record['`']",
  "record['and'].in",
  "'it\\'s'",
  '"$x := 1; }"',
  '-3',
  '1.5',
  'none',
  'True',
  'now_utc()',
  'record.get("x", [])',
];

/** Returns a generated expression of Jinja. */
function expressionOf(draw: (end: number) => number, depth: number): string {
  const inner = () => expressionOf(draw, depth - 1);
  if (depth === 0) return LEAVES[draw(LEAVES.length)] as string;
  switch (draw(12)) {
    case 0:
      return `(${inner()} if ${inner()} else ${inner()})`;
    case 1:
      return `(${inner()} ${['and', 'or'][draw(2)]} ${inner()})`;
    case 2:
      return `(${inner()} ${['==', '!=', '<', '>=', 'in', 'not in'][draw(6)]} ${inner()})`;
    case 3:
      return `(${inner()} ${['+', '-', '*', '/', '//', '%', '~'][draw(7)]} ${inner()})`;
    case 4:
      return `[${inner()}, ${inner()}]`;
    case 5:
      return `{'a': ${inner()}, 'b"\\'': ${inner()}}`;
    case 6:
      return `(${inner()}) | ${['int', 'float', 'string', 'length', 'join(",")', 'default("d")', 'hash'][draw(7)]}`;
    case 7:
      return `(${inner()})[${inner()}]`;
    case 8:
      return `(${inner()})[${draw(3)}:]`;
    case 9:
      return `(${inner()}).${['lower()', 'split("/")', 'strip("]^-")', 'get("k", 1)', 'replace("a", "$1")'][draw(5)]}`;
    case 10:
      return `not ${inner()}`;
    default:
      return `(${inner()} is ${['defined', 'none', 'string'][draw(3)]})`;
  }
}

describe('generated templates', () => {
  it('make well-formed expressions, or are refused', () => {
    let translated = 0;
    for (let seed = 1; seed <= 500; seed++) {
      const draw = drawing(seed * 7919);
      const one = expressionOf(draw, 1 + draw(3));
      const template = draw(2) === 0 ? `{{ ${one} }}` : `{% set x = ${one} %}a{% if x %}{{ x }}{% endif %}`;
      let result: ReturnType<typeof translate>;
      try {
        result = translate(template);
      } catch (error) {
        expect(error, template).toHaveProperty('name', 'UntranslatableError');
        continue;
      }
      translated++;
      for (const source of [result.text, result.truth, result.value])
        expect(() => parse(source), `${template}\n${source}`).not.toThrow();
    }
    expect(translated).toBeGreaterThan(250);
  });

  it('stay short where variables are set over and over', () => {
    const sets = Array.from({ length: 60 }, () => '{% set x = [x or x, x] %}').join('');
    const { text } = translate(`{% set x = record.a %}${sets}{{ x }}`);
    expect(text.length).toBeLessThan(200_000);
  });
});
