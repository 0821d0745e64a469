import { describe, expect, it } from 'vitest';
import { compareRows } from './row-difference.ts';
import type { RowDigest } from './row-digests.ts';

/** Returns digests of rows given as `key=content`, or as content alone for rows without a key. */
function rows(...texts: string[]): RowDigest[] {
  return texts.map((text) => {
    const [content = '', key] = text.split('=').toReversed();
    return { key: key ?? null, hash: content, excerpt: content };
  });
}

/** Returns changes as short texts: `+ new`, `- gone`, `~ before > after`. */
function difference(before: RowDigest[], after: RowDigest[]): string[] {
  const signs = { appeared: '+', disappeared: '-', changed: '~' };
  return compareRows(before, after).map((change) =>
    [signs[change.kind], ...('before' in change ? [change.before, '>'] : []), change.row].join(' '),
  );
}

describe('the difference between two results', () => {
  it('is empty for equal rows in another order', () => {
    expect(difference(rows('1=a', '2=b', 'c'), rows('c', '2=b', '1=a'))).toEqual([]);
  });

  it('names rows that appeared, changed and disappeared', () => {
    expect(difference(rows('1=a', '2=b', '3=c'), rows('4=d', '1=a', '2=x'))).toEqual([
      '+ d',
      '~ b > x',
      '- c',
    ]);
  });

  it('reports a row without a key that changes as another row', () => {
    expect(difference(rows('a', 'b'), rows('a', 'x'))).toEqual(['+ x', '- b']);
  });

  it('counts equal rows without a key', () => {
    expect(difference(rows('a', 'a', 'a'), rows('a'))).toEqual(['- a', '- a']);
    expect(difference(rows('a'), rows('a', 'a'))).toEqual(['+ a']);
  });

  it('matches rows that share a key by their content first', () => {
    expect(difference(rows('1=a', '1=b'), rows('1=b', '1=x'))).toEqual(['~ a > x']);
    expect(difference(rows('1=a'), rows('1=b', '1=a'))).toEqual(['+ b']);
    expect(difference(rows('1=a', '1=b', '1=c'), rows('1=x'))).toEqual(['~ a > x', '- b', '- c']);
  });

  it('does not mistake a key for the content of another row', () => {
    expect(difference(rows('a'), rows('a=b'))).toEqual(['+ b', '- a']);
  });

  it('of more rows than one batch is exact', () => {
    const many = (from: number) =>
      rows(...Array.from({ length: 3500 }, (_, n) => `${n + from}=c${n + from}`));
    const found = difference(many(0), many(10));
    expect(found.filter((text) => text.startsWith('+'))).toHaveLength(10);
    expect(found.filter((text) => text.startsWith('-'))).toHaveLength(10);
    expect(found).toHaveLength(20);
  });

  it('applied to the old rows yields the new ones, for random rows', () => {
    let seed = 7;
    const next = (n: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((seed / 2_147_483_648) * n);
    };
    const random = () =>
      rows(
        ...Array.from({ length: next(12) }, () => (next(3) > 0 ? `${next(5)}=c${next(4)}` : `c${next(4)}`)),
      );
    const contents = (some: RowDigest[]) => some.map(({ key, hash }) => `${key}=${hash}`);
    for (let round = 0; round < 500; round++) {
      const [before, after] = [random(), random()];
      const result = contents(before);
      for (const { kind, key, row, before: was } of compareRows(before, after)) {
        const removed = kind === 'changed' ? was : kind === 'disappeared' ? row : undefined;
        if (removed !== undefined) {
          const at = result.indexOf(`${key}=${removed}`);
          expect(at).toBeGreaterThanOrEqual(0);
          result.splice(at, 1);
        }
        if (kind !== 'disappeared') result.push(`${key}=${row}`);
      }
      expect(result.toSorted()).toEqual(contents(after).toSorted());
    }
  });
});
