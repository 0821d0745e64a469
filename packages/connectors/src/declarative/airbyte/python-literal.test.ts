import { describe, expect, it } from 'vitest';
import { imported, stream } from '../../../test-support/airbyte/manifests.ts';
import { compileBounded } from '../expression.ts';
import { type Literal, LiteralText, readLiteral } from './python-literal.ts';

/** Returns a literal as JSON has it; expressions without quotes are in angle brackets. */
function plain(literal: Literal | undefined): unknown {
  if (literal instanceof LiteralText) return literal.isQuoted ? literal.template : `<${literal.template}>`;
  if (Array.isArray(literal)) return literal.map(plain);
  if (typeof literal !== 'object' || literal === null) return literal;
  return Object.fromEntries(Object.entries(literal).map(([name, own]) => [name, plain(own)]));
}

/** Prints a value as Python does. */
function printed(value: unknown, quote: string): string {
  if (Array.isArray(value)) return `[${value.map((item) => printed(item, quote)).join(', ')}]`;
  if (typeof value === 'object' && value !== null)
    return `{${Object.entries(value)
      .map(([name, own]) => `${quote}${name}${quote}: ${printed(own, quote)}`)
      .join(', ')}}`;
  if (typeof value === 'string') return quote + value.replaceAll('\\', '\\\\') + quote;
  return value === null ? 'None' : value === true ? 'True' : value === false ? 'False' : String(value);
}

/** Returns a value of nested lists and objects, by a number. */
function generated(seed: number, depth = 0): unknown {
  const kinds = [
    seed % 97,
    -(1 + (seed % 13)) / 2,
    `text ${seed}`,
    seed % 2 === 0,
    null,
    'a {b} [c], (d): e\\n',
    '',
  ];
  if (depth > 2 || seed % 3 === 0) return kinds[seed % kinds.length];
  const items = Array.from({ length: seed % 4 }, (_, index) => generated(seed * 7 + index, depth + 1));
  return seed % 3 === 1 ? items : Object.fromEntries(items.map((item, index) => [`key ${index}`, item]));
}

describe('a text that Python reads as a list or an object', () => {
  it('is read, with each quote', () => {
    for (let seed = 0; seed < 300; seed++)
      for (const quote of ["'", '"']) {
        const value = [generated(seed)];
        expect(plain(readLiteral(printed(value, quote)))).toEqual(value);
      }
  });

  it.each<[string, unknown]>([
    ['(1, "a")', [1, 'a']],
    [' { "a": { "b": [ -1.5 ] } } ', { a: { b: [-1.5] } }],
    ['"quoted"', 'quoted'],
    ['[{{ record.id }}]', ['<{{ record.id }}>']],
    ["['{{ record.id }}', \"a{{ b['c'] }}d\"]", ['{{ record.id }}', "a{{ b['c'] }}d"]],
    ["{'a': {{ config['x'] }}, 'b': 'it\\'s {{ y }}'}", { a: "<{{ config['x'] }}>", b: "it's {{ y }}" }],
    ['{{ record.id }}', undefined],
    ['{% if a %}[1]{% endif %}', undefined],
    ['[{% if a %}1{% endif %}]', undefined],
    ['[1', undefined],
    ['[abc]', undefined],
    ['[constructor]', undefined],
    ['[1] + [2]', undefined],
    ['[f(1)]', undefined],
    ['query { a }', undefined],
    ['12', undefined],
    ['[\uE0001\uE000]', undefined],
  ])('is read as it is printed: %s', (text, value) => {
    expect(plain(readLiteral(text))).toEqual(value);
  });
});

describe('a body with such texts', () => {
  const bodyOf = (request_body_json: object) => {
    const { document, streams } = imported([
      stream('books', { requester: { http_method: 'POST', request_body_json } }),
    ]);
    return document?.entities[0]?.request.body ?? streams[0]?.reason;
  };
  const sent = (body: object) =>
    compileBounded(bodyOf(body) ?? '').evaluate({ config: { user: '7', shelves: 'a' } });

  it('has lists, objects and numbers in their place', () => {
    expect(
      sent({
        group: "['country']",
        selector: '{"orderBy": [{"field": "country", "limit": 5}], "all": False, "none": None}',
        ids: '[{{ config["user"] }}]',
        names: '["{{ config.user }}", "x{{ config.user }}"]',
        quoted: "'{{ config.user }}'",
        text: 'query { a }',
      }),
    ).toEqual({
      group: ['country'],
      selector: { orderBy: [{ field: 'country', limit: 5 }], all: false, none: null },
      ids: [7],
      names: ['7', 'x7'],
      quoted: '7',
      text: 'query { a }',
    });
  });

  it.each([['["a", "b"]'], ["{{ config['shelves'] }}"], ['{{ config.shelves }}']])(
    'is no parameter, of which there would be several: %s',
    (value) => {
      const parameters = { requester: { request_parameters: { of: value } } };
      expect(imported([stream('books', parameters)]).streams[0]?.reason).toBe(
        'a parameter with several values',
      );
    },
  );
});
