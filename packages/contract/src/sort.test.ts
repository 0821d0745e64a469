import { describe, expect, it } from 'vitest';
import { parseSort, sortSchema, sortText } from './sort.ts';

describe('sort', () => {
  it.each([
    ['size', { path: ['size'], isDescending: false }],
    ['-user.login', { path: ['user', 'login'], isDescending: true }],
    ['-`-a.b`.`c d`', { path: ['-a.b', 'c d'], isDescending: true }],
    ['-$', { path: [], isDescending: true }],
  ])('reads and writes %s', (text, sort) => {
    expect(parseSort(text)).toEqual(sort);
    expect(sortText(sort)).toBe(text);
  });

  it.each([
    '',
    '-',
    '.',
    'a.',
    'a..b',
    '`a',
    '``',
    'a`b',
    '`a`b',
    '`a`.',
    'a.b.c.d.e.f.g.h.i.j.k',
    'x'.repeat(301),
  ])('refuses %s', (text) => {
    expect(sortSchema.safeParse(text).success).toBe(false);
  });

  it('has no text for a name with a backtick, or an overlong one', () => {
    for (const name of ['a`b', '', 'x'.repeat(301)])
      expect(sortText({ path: [name], isDescending: false })).toBeUndefined();
  });
});
