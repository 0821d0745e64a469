import { describe, expect, it } from 'vitest';
import { allowedErrors, editDistance } from './edit-distance.ts';

describe('editDistance', () => {
  it.each([
    ['john', 'john', 0],
    ['jonh', 'john', 1],
    ['smiht', 'smith', 1],
    ['jon', 'john', 1],
    ['jhonn', 'john', 2],
    ['adam', 'madam', 1],
    ['', 'ab', 2],
    ['jonas', 'maria', 3],
    ['a', 'abcdef', 3],
  ])('finds the errors between %j and %j', (a, b, expected) => {
    expect(editDistance(a, b, 2)).toBe(expected);
    expect(editDistance(b, a, 2)).toBe(expected);
  });
});

describe('allowedErrors', () => {
  it('allows more errors in longer words, and none in the shortest', () => {
    expect([2, 3, 5, 6, 20].map(allowedErrors)).toEqual([0, 1, 1, 2, 2]);
  });
});
