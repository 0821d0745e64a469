import { describe, expect, test } from 'vitest';
import type { ConnectorRecord, Page } from './connector.ts';
import { MOST_RECORDS, PageCheck } from './page-check.ts';

const record = (more: object = {}): ConnectorRecord => ({
  id: 'a',
  occurredAt: new Date(0),
  data: {},
  facets: {},
  ...more,
});
const page = (more: object = {}): Page => ({ records: [record()], checkpoint: { place: 1 }, ...more });
const ALL = { cursor: null, limit: 1_000_000 };

test('a page as it should be is taken, one without records too', () => {
  const check = new PageCheck(ALL);
  const whole = page({ removed: ['b'], unreadable: ['c'], total: 3, skipped: 0 });
  expect(check.take(whole)).toBe(whole);
  expect(check.take(page({ records: [] })).records).toEqual([]);
  expect(check.take(page({ records: [record({ data: Buffer.from('{}') })] })).records).toHaveLength(1);
});

describe('a wrong page is refused', () => {
  test.each<[what: string, wrong: object, words: RegExp]>([
    ['an id that is a number', { records: [record({ id: 7 })] }, /id 7 is no text/],
    ['an empty id', { records: [record({ id: '' })] }, /an id is empty/],
    ['an id that fits no index', { records: [record({ id: 'x'.repeat(3000) })] }, /3000 letters/],
    ['a removed id that is a number', { removed: [7] }, /id 7 is no text/],
    ['an unreadable id that is none', { unreadable: [undefined] }, /id undefined is no text/],
    ['a date that is none', { records: [record({ occurredAt: new Date('soon') })] }, /is no date/],
    ['a date as a text', { records: [record({ occurredAt: '2026-01-01' })] }, /is no date/],
    ['a date of the year 10000', { records: [record({ occurredAt: new Date(3e14) })] }, /is no date/],
    ['data that is no document', { records: [record({ data: 'text' })] }, /neither an object nor a buffer/],
    ['facets that are a list', { records: [record({ facets: [] })] }, /facets are no object/],
    ['a total that is no count', { total: Number.NaN }, /total NaN/],
    ['a total below 0', { total: -1 }, /total -1/],
    ['a half record skipped', { skipped: 0.5 }, /no count: 0.5/],
    ['no checkpoint', { checkpoint: null }, /no checkpoint/],
    [
      'a page of everything',
      { records: Array.from({ length: MOST_RECORDS + 1 }, () => record()) },
      /5001 records, at most 5000/,
    ],
  ])('%s', (_what, wrong, words) => {
    expect(() => new PageCheck(ALL).take(page(wrong))).toThrow(words);
  });
});

test('a full run brings no more than was asked for, over its pages', () => {
  const check = new PageCheck({ cursor: null, limit: 2 });
  check.take(page({ checkpoint: 1 }));
  check.take(page({ checkpoint: 2 }));
  expect(() => check.take(page({ checkpoint: 3 }))).toThrow('3 records, and 2 were asked for');
  const changes = new PageCheck({ cursor: { since: 1 }, limit: 0 });
  expect(changes.take(page()).records).toHaveLength(1);
});

test('a read that stands at the same place is ended', () => {
  const check = new PageCheck(ALL);
  const readOn = (checkpoint: object) => check.take(page({ checkpoint }));
  for (let count = 0; count < 100; count++) readOn({ place: 1 });
  readOn({ place: 2 });
  expect(() => {
    for (let count = 0; count < 101; count++) readOn({ place: 2 });
  }).toThrow('stood at the same checkpoint');
});
