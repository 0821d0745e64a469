import { describe, expect, it } from 'vitest';
import { flatten, openable } from './flatten.ts';
import { fieldPath, valuePath } from './json-path.ts';

const rows = [{ id: 'a', tags: ['x', 'y'], 'odd key': { deep: 1 } }, 7];

describe('flatten', () => {
  it('returns only the first level while nothing is open', () => {
    expect(flatten(rows, new Set()).map(({ id }) => id)).toEqual(['/0', '/1']);
  });

  it('returns the members of open values with depth and position', () => {
    const shown = flatten(rows, new Set(['/0', '/0/tags']));
    expect(shown.map(({ id, depth, position, siblings }) => [id, depth, position, siblings])).toEqual([
      ['/0', 0, 1, 2],
      ['/0/id', 1, 1, 3],
      ['/0/tags', 1, 2, 3],
      ['/0/tags/0', 2, 1, 2],
      ['/0/tags/1', 2, 2, 2],
      ['/0/odd key', 1, 3, 3],
      ['/1', 0, 2, 2],
    ]);
  });

  it('makes long texts expandable', () => {
    const texts = ['x'.repeat(90), 'x'.repeat(40)];
    const canOpen = (shown?: number) => flatten(texts, new Set(), shown).map((row) => row.canOpen);
    expect(canOpen()).toEqual([true, false]);
    expect(canOpen(24)).toEqual([true, true]);
  });

  it('escapes slashes in keys, so that ids stay unique', () => {
    expect(flatten({ 'a/b': 1, a: { b: 2 } }, new Set(['/a'])).map(({ id }) => id)).toEqual([
      '/a~1b',
      '/a',
      '/a/b',
    ]);
  });
});

describe('openable', () => {
  it('returns the ids of all values that can be opened, up to a limit', () => {
    expect([...openable(rows)]).toEqual(['/0', '/0/tags', '/0/odd key']);
    expect(openable(rows, 1).size).toBe(1);
  });
});

describe('fieldPath', () => {
  it('omits list positions and quotes unusual names', () => {
    expect(fieldPath([0, 'odd key', 'deep'])).toBe('`odd key`.deep');
    expect(fieldPath([3, 'headers', 2, 'name'])).toBe('headers.name');
  });
});

describe('valuePath', () => {
  it('includes list positions', () => {
    expect(valuePath([0, 'headers', 2, 'name'])).toBe('$[0].headers[2].name');
  });
});
