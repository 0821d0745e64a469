import { describe, expect, it } from 'vitest';
import { recordNameOf, recordOf, wholeRecordName } from './whole-records.ts';

describe('recordNameOf', () => {
  it('returns the title or subject of a record, or else its id', () => {
    expect([{ id: 7 }, { id: 'a', account: 'ada' }, { id: null }, {}, 'x', null].map(recordOf)).toEqual([
      { recordId: '7' },
      { recordId: 'a', account: 'ada' },
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect(recordNameOf({ id: 1, title: 'T' })).toBe('T');
    expect(recordNameOf({ id: 1, title: '', subject: 'S' })).toBe('S');
    expect(recordNameOf({ id: 1, title: 5 })).toBe('1');
    expect(recordNameOf({ title: 'T' })).toBeUndefined();
  });
});

describe('wholeRecordName', () => {
  it('names rows that have the accounts of a record', () => {
    const record = { account: 'ada', accounts: ['ada'], id: 'a', title: 'T' };
    expect(wholeRecordName(record)).toBe('T');
    for (const row of [
      { id: 'a', title: 'T' },
      { ...record, id: {} },
      { ...record, accounts: 'ada' },
      'a',
      null,
    ])
      expect(wholeRecordName(row)).toBeUndefined();
  });
});
