import { expect, it } from 'vitest';
import { preferredInResult } from './table-columns.ts';

const PREFERRED = ['number', 'title'];
const whole = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`field${index}`, index]));

// @covers 10.closed-row-tree
it('puts what people look at first to the front of whole records, and keeps the order that an expression gave', () => {
  expect(preferredInResult([whole], PREFERRED)).toBe(PREFERRED);
  expect(preferredInResult(whole, PREFERRED)).toBe(PREFERRED);
  for (const value of [[{ title: 'Fix', number: 1 }], [], [1, 2], 'text', null])
    expect(preferredInResult(value, PREFERRED)).toBeUndefined();
});
