import { readdirSync } from 'node:fs';
import { BOUNDS } from '@datadeck/contract';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { makeTemporaryFolder, removeDataFolder } from '../../../test-support/temporary-folder.ts';
import { LINES_PER_OFFSET } from './protocol.ts';
import { ResultCache } from './result-cache.ts';
import { ResultFile } from './result-file.ts';
import { resultLines } from './result-lines.ts';

const folder = makeTemporaryFolder('datadeck-result-cache-');
const cache = new ResultCache();
afterEach(() => {
  cache.clear();
  vi.useRealTimers();
});

afterAll(() => removeDataFolder(folder));

const ALL = {
  lines: Number.POSITIVE_INFINITY,
  bytes: Number.POSITIVE_INFINITY,
  maxBytes: BOUNDS.downloadBytes,
};

/** Writes a result of these items. @param extent how much of it */
function write(items: readonly unknown[], extent = ALL): Promise<ResultFile> {
  return ResultFile.write({
    folder,
    isWhole: extent === ALL,
    produce: async (pass) => {
      const lines = resultLines(items, extent);
      let next = lines.next();
      for (; !next.done; next = lines.next()) await pass(next.value);
      return { count: items.length, isArray: true, rows: 1, elapsedMs: 1, ...next.value };
    },
  });
}

async function keep(key: string, owner: string, { items = [1], chain = ['$'] } = {}): Promise<void> {
  const result = await write(items);
  cache.keep(key, { evaluation: { userId: owner, chain }, result });
  result.release();
}

function find(key: string): boolean {
  const found = cache.get(key);
  found?.release();
  return found !== undefined;
}

describe('a result file', () => {
  it.each([0, 1, 19, 20, 21, 40, 1000])('returns each page of %i items', async (count) => {
    const items = Array.from({ length: count }, (_, n) => ({ n, text: 'ü\n"'.repeat(n % 50) }));
    const result = await write(items);
    for (let offset = 0; offset < count + 40; offset += 20)
      expect(JSON.parse(await result.page(offset, 20))).toEqual(items.slice(offset, offset + 20));
    for (const [offset, limit] of [
      [3, 5],
      [17, 40],
      [0, 500],
    ] as const)
      expect(JSON.parse(await result.page(offset, limit))).toEqual(items.slice(offset, offset + limit));
    const pieces: Buffer[] = [];
    for await (const piece of result.read()) pieces.push(piece as Buffer);
    expect(Buffer.concat(pieces).toString()).toBe(items.map((item) => `${JSON.stringify(item)}\n`).join(''));
    result.release();
  });

  it('has only whole lines when it ends at its extent', async () => {
    const items = Array.from({ length: 500 }, (_, n) => 'x'.repeat(n));
    const result = await write(items, { lines: LINES_PER_OFFSET, bytes: 10_000, maxBytes: 20_000 });
    expect(result).toMatchObject({ count: 500, isComplete: false, isWhole: false });
    expect(result.lines % LINES_PER_OFFSET).toBe(0);
    expect(result.has(0, 20)).toBe(true);
    expect(result.has(400, 20)).toBe(false);
    expect(JSON.parse(await result.page(20, 20))).toEqual(items.slice(20, 40));
    await expect(result.page(400, 20)).rejects.toMatchObject({ code: 'query-too-complex' });
    result.release();
  });

  it('leaves no name in its folder, and can be read after it left the cache', async () => {
    const result = await write([1, 2]);
    expect(readdirSync(folder)).toEqual([]);
    cache.keep('a', { evaluation: { userId: 'ada', chain: [] }, result });
    cache.clear();
    expect(await result.page(0, 20)).toBe('[1,2]');
    result.release();
  });
});

describe('the cache of results', () => {
  it('keeps at most 50 results of an owner, the most recently used ones', async () => {
    for (let n = 0; n < 50; n++) await keep(`a${n}`, 'ada');
    await keep('b', 'ben');
    expect(find('a0')).toBe(true);
    await keep('a50', 'ada');
    expect([find('a0'), find('a1'), find('a50'), find('b')]).toEqual([true, false, true, true]);
  });

  it('keeps at most the size of one download of an owner', async () => {
    const half = [`${'x'.repeat(BOUNDS.downloadBytes / 2 - 3)}`];
    for (const key of ['a', 'b', 'c']) await keep(key, 'ada', { items: half as never });
    expect([find('a'), find('b'), find('c')]).toEqual([false, true, true]);
  });

  it('drops the results of an owner', async () => {
    await keep('a', 'ada');
    await keep('b', 'ben');
    cache.forget('ada');
    expect([find('a'), find('b')]).toEqual([false, true]);
  });

  it.each(['$now()', '$millis()', '$random()', '$shuffle(n)', '$eval(x)'])(
    'keeps %s for a minute',
    async (call) => {
      vi.useFakeTimers({ toFake: ['performance'] });
      await keep('a', 'ada', { chain: ['$', call] });
      await keep('b', 'ada', { chain: ['$nowhere'] });
      vi.advanceTimersByTime(59_000);
      expect([find('a'), find('b')]).toEqual([true, true]);
      vi.advanceTimersByTime(2000);
      expect([find('a'), find('b')]).toEqual([false, true]);
    },
  );
});
