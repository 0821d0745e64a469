import { describe, expect, it } from 'vitest';
import { type DataSet, RowCache } from './row-cache.ts';

describe('RowCache', () => {
  const megabytes = (key: string, family: string, count: number) => ({
    key,
    family,
    async *read() {
      for (let n = 0; n < count; n++) yield Buffer.alloc(1024 * 1024);
    },
  });
  const take = async (cache: RowCache, set: DataSet) => {
    let bytes = 0;
    for await (const piece of cache.rows(set, 1000)) bytes += piece.length;
    return bytes;
  };

  // @covers 5.rows-killed-process
  it('keeps the newest small set of each family within a total, for a time', async () => {
    const cache = new RowCache();
    expect(await take(cache, megabytes('large', 'large', 9))).toBe(9 * 1024 * 1024);
    expect(cache.bytes).toBe(0);
    await take(cache, megabytes('a@1', 'a', 7));
    await take(cache, megabytes('a@2', 'a', 7));
    expect(cache.bytes).toBe(7 * 1024 * 1024);
    expect(await take(cache, { ...megabytes('a@2', 'a', 0) })).toBe(7 * 1024 * 1024);
    for (const family of ['b', 'c', 'd', 'e']) await take(cache, megabytes(family, family, 7));
    expect(cache.bytes).toBe(21 * 1024 * 1024);
    expect(await take(cache, megabytes('a@2', 'a', 0))).toBe(0);
    cache.forgetUnused(0);
    expect(cache.bytes).toBe(0);
  });
});
