import { describe, expect, it } from 'vitest';
import { readUidSet, writeUidSet } from './uid-set.ts';

describe('UID set', () => {
  it.each([
    [[], ''],
    [[7], '7'],
    [[3, 1, 2, 9, 9, 8], '1:3,8:9'],
    [[1, 3, 5], '1,3,5'],
  ])('writes %j as %j and reads it again', (uids, text) => {
    expect(writeUidSet(uids)).toBe(text);
    expect(readUidSet(text)).toEqual([...new Set(uids)].sort((a, b) => a - b));
  });
});
