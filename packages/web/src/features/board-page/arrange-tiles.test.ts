import { TILE_SIZES, type Tile } from '@datadeck/contract';
import { describe, expect, it } from 'vitest';
import { movedTo, resizedTo } from './arrange-tiles.ts';

const tile = (id: string): Tile => ({ id, kind: 'text', width: 6, height: 4, text: '' });
const TILES = ['a', 'b', 'c', 'd'].map(tile);
const idsOf = (tiles: readonly Tile[]) => tiles.map(({ id }) => id).join('');

describe('movedTo', () => {
  it.each([
    ['a', 2, 'bcad'],
    ['d', 0, 'dabc'],
    ['b', 1, 'abcd'],
    ['b', -5, 'bacd'],
    ['b', 99, 'acdb'],
    ['unknown', 0, 'abcd'],
  ])('moves %s to place %i', (id, to, expected) => {
    expect(idsOf(movedTo(TILES, id, to))).toBe(expected);
  });
});

describe('resizedTo', () => {
  it('changes one tile, to whole numbers', () => {
    const resized = resizedTo(TILES, 'b', { width: 7.4, height: 2.6 });
    expect(resized[1]).toMatchObject({ width: 7, height: 3 });
    expect(resized.filter(({ width }) => width === 6)).toHaveLength(3);
  });

  it.each([
    [-3, -3],
    [99, 99],
  ])('keeps %i × %i within the limits', (width, height) => {
    const [first] = resizedTo(TILES, 'a', { width, height });
    const expected = width < 0 ? 0 : 1;
    expect([first?.width, first?.height]).toEqual([TILE_SIZES.width[expected], TILE_SIZES.height[expected]]);
  });
});
