import { describe, expect, it } from 'vitest';
import type { ConnectorRecord, Page } from './connector.ts';
import { MAX_RECORDS_PER_PAGE, PageCheck } from './page-check.ts';
import type { ColumnDefinition, TableDefinition } from './table.ts';

const TYPES = {
  title: { type: 'text' },
  labels: { type: 'text[]' },
  number: { type: 'integer' },
  size: { type: 'bigint' },
  ratio: { type: 'double precision' },
  draft: { type: 'boolean' },
  closed_at: { type: 'timestamptz' },
} satisfies Record<string, ColumnDefinition>;
const TABLE: TableDefinition = { name: 'boxes', title: 'title', columns: TYPES };
const COLUMNS = {
  title: 'A',
  labels: ['a', ''],
  number: -7,
  size: 2 ** 40,
  ratio: 0.5,
  draft: false,
  closed_at: new Date(0),
};
const NOTHING = Object.fromEntries(Object.keys(TYPES).map((name) => [name, null]));

const record = (more: object = {}): ConnectorRecord => ({
  id: 'a',
  occurredAt: new Date(0),
  data: {},
  columns: COLUMNS,
  ...more,
});
const page = (more: object = {}): Page => ({ records: [record()], checkpoint: { position: 1 }, ...more });
const withColumns = (more: object) => ({ records: [record({ columns: { ...COLUMNS, ...more } })] });
const ALL = { cursor: null, limit: 1_000_000 };

describe('PageCheck', () => {
  it('accepts a valid page, also without records', () => {
    const check = new PageCheck(ALL, TABLE);
    const whole = page({ removed: ['b'], unreadable: ['c'], total: 3, skipped: 0 });
    expect(check.check(whole)).toBe(whole);
    expect(check.check(page({ records: [] })).records).toEqual([]);
    expect(check.check(page({ records: [record({ data: Buffer.from('{}') })] })).records).toHaveLength(1);
    expect(check.check(page({ records: [record({ columns: NOTHING })] })).records).toHaveLength(1);
  });

  it.each<[what: string, wrong: object, words: RegExp]>([
    ['an id that is a number', { records: [record({ id: 7 })] }, /id 7 is not a text/],
    ['an empty id', { records: [record({ id: '' })] }, /an id is empty/],
    ['an id that is too long for an index', { records: [record({ id: 'x'.repeat(3000) })] }, /3000 letters/],
    ['a removed id that is a number', { removed: [7] }, /id 7 is not a text/],
    ['an unreadable id that is undefined', { unreadable: [undefined] }, /id undefined is not a text/],
    ['an invalid date', { records: [record({ occurredAt: new Date('soon') })] }, /is not a date/],
    ['a date as a text', { records: [record({ occurredAt: '2026-01-01' })] }, /is not a date/],
    ['a date of the year 10000', { records: [record({ occurredAt: new Date(3e14) })] }, /is not a date/],
    [
      'data that is not a document',
      { records: [record({ data: 'text' })] },
      /neither an object nor a buffer/,
    ],
    ['columns that are a list', { records: [record({ columns: [] })] }, /columns are not an object/],
    ['no columns', { records: [record({ columns: undefined })] }, /columns are not an object/],
    ['an undeclared column', withColumns({ other: 1 }), /no column other/],
    ['a missing value', { records: [record({ columns: { title: 'A' } })] }, /no value for the column labels/],
    ['a text that is a number', withColumns({ title: 7 }), /column title is not a text/],
    [
      'a long text',
      withColumns({ title: 'x'.repeat(2001) }),
      /title has a text of 2001 letters, at most 2000/,
    ],
    ['a text with NUL', withColumns({ title: 'a\0' }), /that the database does not store/],
    ['half a pair of surrogates', withColumns({ labels: ['\ud800'] }), /that the database does not store/],
    ['a text in place of a list', withColumns({ labels: 'a' }), /labels is not a list of texts/],
    ['null in a list', withColumns({ labels: ['a', null] }), /labels is not a text/],
    ['a long list', withColumns({ labels: Array(1001).fill('a') }), /labels has 1001 texts, at most 1000/],
    ['a fraction as an integer', withColumns({ number: 1.5 }), /number is not a 32-bit integer/],
    ['a large integer', withColumns({ number: 2 ** 31 }), /number is not a 32-bit integer/],
    ['an integer beyond 53 bits', withColumns({ size: 2 ** 53 }), /size is not a safe integer/],
    ['infinity', withColumns({ ratio: Number.POSITIVE_INFINITY }), /ratio is not a finite number/],
    ['a boolean as a text', withColumns({ draft: 'true' }), /draft is not a boolean/],
    ['an instant as a text', withColumns({ closed_at: '2026-01-01' }), /closed_at is not a date/],
    ['an instant of the year 10000', withColumns({ closed_at: new Date(3e14) }), /closed_at is not a date/],
    ['a total that is not a number', { total: Number.NaN }, /total NaN/],
    ['a total below 0', { total: -1 }, /total -1/],
    ['a half record skipped', { skipped: 0.5 }, /not a count: 0.5/],
    ['no checkpoint', { checkpoint: null }, /no checkpoint/],
    [
      'too many records',
      { records: Array.from({ length: MAX_RECORDS_PER_PAGE + 1 }, () => record()) },
      /5001 records, at most 5000/,
    ],
  ])('refuses %s', (_what, wrong, words) => {
    expect(() => new PageCheck(ALL, TABLE).check(page(wrong))).toThrow(words);
  });

  it('refuses more records than the limit over the pages of a full run', () => {
    const check = new PageCheck({ cursor: null, limit: 2 }, TABLE);
    check.check(page({ checkpoint: 1 }));
    check.check(page({ checkpoint: 2 }));
    expect(() => check.check(page({ checkpoint: 3 }))).toThrow('3 records, but the limit is 2');
    const changes = new PageCheck({ cursor: { since: 1 }, limit: 0 }, TABLE);
    expect(changes.check(page()).records).toHaveLength(1);
  });

  it('ends a read that makes no progress', () => {
    const check = new PageCheck(ALL, TABLE);
    const readOn = (checkpoint: object) => check.check(page({ checkpoint }));
    for (let count = 0; count < 100; count++) readOn({ position: 1 });
    readOn({ position: 2 });
    expect(() => {
      for (let count = 0; count < 101; count++) readOn({ position: 2 });
    }).toThrow('have the same checkpoint');
  });
});
