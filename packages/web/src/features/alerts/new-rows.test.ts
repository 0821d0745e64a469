import type { ChangedRow } from '@datadeck/contract';
import { describe, expect, it } from 'vitest';
import { newRowTest } from './new-rows.ts';

const marks = (newKeys: string[], rows: ChangedRow[] = [], keyField: string | null = null) =>
  newRowTest({ keyField, newKeys, changes: { appeared: 1, changed: 0, disappeared: 0, rows } });
const appeared = (row: unknown): ChangedRow => ({ kind: 'appeared', key: null, row });

describe('newRowTest', () => {
  it.each<[string, boolean, unknown]>([
    ['its key', true, { id: 12 }],
    ['the preferred key', true, { id: 5, _id: '12' }],
    ['another key', false, { id: 13 }],
    ['an inherited name', false, { id: {}, toString: '12' }],
    ['no key', false, { title: '12' }],
    ['no object', false, 12],
  ])('identifies a row by %s', (_, expected, row) => {
    expect(marks(['12'])(row)).toBe(expected);
  });

  it('uses the chosen field', () => {
    expect(marks(['x'], [], 'name')({ id: 1, name: 'x' })).toBe(true);
  });

  it.each<[string, boolean, unknown, unknown]>([
    ['equal fields', true, { a: 'x', n: 1 }, { a: 'x', n: 1, more: {} }],
    ['a cut text', true, { a: 'long…' }, { a: 'long and more' }],
    ['another text', false, { a: 'long…' }, { a: 'lon' }],
    ['no fields', false, {}, { a: 1 }],
    ['a number', true, 3, 3],
    ['a text', true, 'te…', 'text'],
    ['another kind', false, { a: 1 }, 'a'],
  ])('identifies rows without a key by their excerpt: %s', (_, expected, excerpt, row) => {
    expect(marks([], [appeared(excerpt)])(row)).toBe(expected);
  });

  it('marks no row that disappeared', () => {
    expect(marks([], [{ kind: 'disappeared', key: null, row: { a: 1 } }])({ a: 1 })).toBe(false);
  });
});
