import { describe, expect, it, vi } from 'vitest';
import { BatchedLookup } from './batched-lookup.ts';

/** Creates a lookup whose batches the test resolves one after another. */
function blockedLookup() {
  const batches: {
    keys: string[];
    answer: (value: ReadonlyMap<string, string>) => void;
    fail: (e: Error) => void;
  }[] = [];
  const lookup = new BatchedLookup<string>(
    (keys) => new Promise((answer, fail) => batches.push({ keys, answer, fail })),
  );
  return { batches, lookup };
}

describe('BatchedLookup', () => {
  it('collects keys requested during a lookup for the next one', async () => {
    const { batches, lookup } = blockedLookup();
    const first = lookup.find('a');
    const later = [lookup.find('a'), lookup.find('b'), lookup.find('c')];
    expect(batches.map(({ keys }) => keys)).toEqual([['a']]);

    batches[0]?.answer(new Map([['a', 'old']]));
    expect(await first).toBe('old');

    await vi.waitFor(() => expect(batches).toHaveLength(2));
    expect(batches[1]?.keys).toEqual(['a', 'b', 'c']);

    batches[1]?.answer(
      new Map([
        ['a', 'new'],
        ['b', 'B'],
      ]),
    );
    expect(await Promise.all(later)).toEqual(['new', 'B', undefined]);
  });

  it('rejects each caller of a failed lookup and starts the next one', async () => {
    const { batches, lookup } = blockedLookup();
    const failed = [lookup.find('a'), lookup.find('a')];
    batches[0]?.fail(new Error('lost'));
    await expect(failed[0]).rejects.toThrow('lost');
    await vi.waitFor(() => expect(batches).toHaveLength(2));
    batches[1]?.answer(new Map([['a', 'A']]));
    expect(await failed[1]).toBe('A');
  });

  it('splits a batch that is too large', async () => {
    const sizes: number[] = [];
    const lookup = new BatchedLookup<string>(async (keys) => {
      sizes.push(keys.length);
      return new Map(keys.map((key) => [key, key]));
    });
    const keys = Array.from({ length: 1201 }, (_, n) => `k${n}`);
    expect(await Promise.all(keys.map((key) => lookup.find(key)))).toEqual(keys);
    expect(sizes).toEqual([1, 500, 500, 200]);
  });
});
