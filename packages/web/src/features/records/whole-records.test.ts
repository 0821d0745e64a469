import { describe, expect, it } from 'vitest';
import { recordNameOf, recordOf } from './whole-records.ts';

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
