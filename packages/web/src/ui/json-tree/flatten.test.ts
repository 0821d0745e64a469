import { describe, expect, it } from 'vitest';
import { flatten, openable } from './flatten.ts';
import { fieldPath, valuePath } from './json-path.ts';

const rows = [{ id: 'a', tags: ['x', 'y'], 'odd key': { deep: 1 } }, 7];

describe('flatten', () => {
  it('shows the first level alone until something is opened', () => {
    expect(flatten(rows, new Set()).map(({ id }) => id)).toEqual(['/0', '/1']);
  });

  it('shows the members of what is open, with level and position', () => {
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

  it('lets a long text be opened', () => {
    const texts = ['x'.repeat(90), 'x'.repeat(40)];
    const canOpen = (shown?: number) => flatten(texts, new Set(), shown).map((row) => row.canOpen);
    expect(canOpen()).toEqual([true, false]);
    expect(canOpen(24)).toEqual([true, true]);
  });

  it('keeps keys with slashes apart', () => {
    expect(flatten({ 'a/b': 1, a: { b: 2 } }, new Set(['/a'])).map(({ id }) => id)).toEqual([
      '/a~1b',
      '/a',
      '/a/b',
    ]);
  });

  it('opens everything up to a limit', () => {
    expect([...openable(rows)]).toEqual(['/0', '/0/tags', '/0/odd key']);
    expect(openable(rows, 1).size).toBe(1);
  });
});

describe('paths', () => {
  it('names the field without positions, and quotes odd names', () => {
    expect(fieldPath([0, 'odd key', 'deep'])).toBe('`odd key`.deep');
    expect(fieldPath([3, 'headers', 2, 'name'])).toBe('headers.name');
  });

  it('names the one value with positions', () => {
    expect(valuePath([0, 'headers', 2, 'name'])).toBe('$[0].headers[2].name');
  });
});
