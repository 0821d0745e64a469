import { describe, expect, it } from 'vitest';
import { entityOf, reasonOf } from '../../../test-support/airbyte/manifests.ts';
import { compileBounded } from '../expression.ts';

type Part = Record<string, unknown>;

/** Returns a record after transformations. */
function transformed(record: object, ...transformations: Part[]): unknown {
  const { records } = entityOf({ stream: { transformations } });
  const found = compileBounded(records).evaluate({ response: { data: [record] }, config: { user: 'me' } });
  return JSON.parse(JSON.stringify(Array.isArray(found) ? found[0] : found));
}

const added = (field: Part, parts: Part = {}) => ({ type: 'AddFields', fields: [field], ...parts });

/** What the classes of Airbyte’s CDK make of a record. */
describe('transformations', () => {
  it.each<[Part, object, unknown]>([
    [{ type: 'KeysToLower' }, { 'A b': 1, C: { D: [1] }, e: [] }, { 'a b': 1, c: { D: [1] }, e: [] }],
    [{ type: 'KeysToLower' }, {}, {}],
    [
      { type: 'KeysToSnakeCase' },
      { firstName: 1, HTTPServer2: { 'x--y': 2 }, _id: 3, '2fa': 4, ends_: 5, 'a b': [{ aB: 1 }] },
      { first_name: 1, httpserver_2: { x_y: 2 }, _id: 3, _2_fa: 4, ends_: 5, a_b: [{ aB: 1 }] },
    ],
    [
      { type: 'KeysReplace', old: ' ', new: '_' },
      { 'a b c': { ' d': 1 }, e: [{ ' f': 1 }] },
      { a_b_c: { _d: 1 }, e: [{ ' f': 1 }] },
    ],
    [{ type: 'KeysReplace', old: '$', new: "{{ config['user'] }}" }, { a$: 1 }, { ame: 1 }],
    [
      { type: 'DpathFlattenFields', field_path: ['fields'], delete_origin_value: true },
      { id: 1, fields: { a: 2 } },
      { id: 1, a: 2 },
    ],
    [
      { type: 'DpathFlattenFields', field_path: ['fields', 'in'] },
      { id: 1, fields: { in: { a: 2 } } },
      { id: 1, fields: { in: { a: 2 } }, a: 2 },
    ],
    [
      { type: 'DpathFlattenFields', field_path: ['fields'] },
      { id: 1, fields: { id: 2, a: 3 } },
      { id: 1, fields: { id: 2, a: 3 } },
    ],
    [
      { type: 'DpathFlattenFields', field_path: ['a'] },
      { id: 1, a: [{ b: 1 }] },
      { id: 1, a: [{ b: 1 }] },
    ],
    [
      {
        type: 'DpathFlattenFields',
        field_path: ['a'],
        replace_record: true,
        key_transformation: { prefix: 'p_', suffix: '_s' },
      },
      { id: 1, a: { b: 2 } },
      { p_b_s: 2 },
    ],
    [
      { type: 'RemoveFields', field_pointers: [['**']], condition: "{{ property|string == '' }}" },
      { a: '', b: { c: '', d: 0 }, e: ['', 1, ''], f: [''], g: ['', ''], h: [[''], [1]], i: null },
      { b: { d: 0 }, e: [null, 1], f: [], g: [null], h: [[], [1]], i: null },
    ],
    [
      added({ path: ['a', 'b'], value: '{{ record.id }}' }),
      { id: 1, a: { c: 2 } },
      { id: 1, a: { b: 1, c: 2 } },
    ],
    [added({ path: ['a', 'b', 'c'], value: 'x' }), { id: 1 }, { id: 1, a: { b: { c: 'x' } } }],
    [
      added({ path: ['a'], value: '{{ record.id }}' }, { condition: '{{ value > 1 }}' }),
      { id: 1 },
      { id: 1 },
    ],
    [
      added({ path: ['a'], value: '{{ record.id }}' }, { condition: '{{ record.id and value > 1 }}' }),
      { id: 2 },
      { id: 2, a: 2 },
    ],
    [added({ path: ['a'], value: '{{ record.b }}', value_type: 'integer' }), { b: '7' }, { b: '7', a: 7 }],
    [
      added({ path: ['a'], value: '{{ record.b }}', value_type: 'integer' }),
      { b: '07' },
      { b: '07', a: '07' },
    ],
    [
      added({ path: ['a'], value: '{{ record.b }}', value_type: 'boolean' }),
      { b: true },
      { b: true, a: true },
    ],
    [added({ path: ['a'], value: '{{ record.b }}', value_type: 'boolean' }), { b: 1 }, { b: 1, a: '1' }],
  ])('%j of %j', (transformation, record, expected) => {
    expect(transformed(record, transformation)).toEqual(expected);
  });

  it('follow each other', () => {
    const all = [
      { type: 'DpathFlattenFields', field_path: ['fields'], delete_origin_value: true },
      { type: 'KeysToLower' },
      { type: 'KeysReplace', old: ' ', new: '_' },
      added({ path: ['of'], value: '{{ record.a_b }}' }),
    ];
    expect(transformed({ id: 1, fields: { 'A B': 2 } }, ...all)).toEqual({ id: 1, a_b: 2, of: 2 });
  });

  it.each<[Part, object]>([
    [added({ path: ['a', 'b'], value: 'x' }), { a: 'text' }],
    [{ type: 'KeysToSnakeCase' }, { Größe: 1 }],
  ])('fail where the CDK does, or writes letters in ASCII: %j of %j', (transformation, record) => {
    expect(() => transformed(record, transformation)).toThrow(expect.objectContaining({ code: 'D3137' }));
  });

  it.each<[string, Part]>([
    ['a pattern of fields to remove', { type: 'RemoveFields', field_pointers: [['a', '*']] }],
    ['a pattern of fields that are flattened', { type: 'DpathFlattenFields', field_path: ['a', '*'] }],
    ['an added field in a list', added({ path: ['a', '0'], value: 'x' })],
    ['an added field of a type of its own', added({ path: ['a'], value: 'x', value_type: 'number' })],
    ['an empty text that is replaced', { type: 'KeysReplace', old: '', new: 'x' }],
    ['the transformation FlattenFields', { type: 'FlattenFields' }],
  ])('are refused for %s', (reason, transformation) => {
    expect(reasonOf({ stream: { transformations: [transformation] } })).toBe(reason);
  });
});
