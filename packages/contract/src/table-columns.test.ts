import { describe, expect, it } from 'vitest';
import { preferredInResult } from './table-columns.ts';

const PREFERRED = ['number', 'title'];
const whole = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`field${index}`, index]));

describe('preferredInResult', () => {
  it('returns the preferred columns for whole records only', () => {
    expect(preferredInResult([whole], PREFERRED)).toBe(PREFERRED);
    expect(preferredInResult(whole, PREFERRED)).toBe(PREFERRED);
    for (const value of [[{ title: 'Fix', number: 1 }], [], [1, 2], 'text', null])
      expect(preferredInResult(value, PREFERRED)).toBeUndefined();
  });
});
