import { describe, expect, it } from 'vitest';
import { readListPage } from './reading.ts';

const pull = (id: number) => ({
  id,
  number: id,
  title: `Pull \u2028 😀 ${id}`,
  created_at: '2026-01-01T00:00:00Z',
  updated_at: `2026-01-01T00:00:${String(id % 60).padStart(2, '0')}Z`,
  merged_at: '2026-01-02T00:00:00Z',
  labels: [{ name: 'bug' }],
  body: 'é'.repeat(1000),
  base: { repo: { id: 7, full_name: 'a/b' } },
});
const pullsUpTo = (count: number) => Array.from({ length: count }, (_, index) => pull(index + 1));
const pageOf = (count: number) => JSON.stringify(pullsUpTo(count));

describe('readListPage', () => {
  it.each([1, 60])("returns GitHub's documents and their columns for a page of %i", async (count) => {
    const pulls = await readListPage(Buffer.from(pageOf(count)), 'pulls', 'other/name');
    expect(pulls.map(({ data }) => JSON.parse(String(data)) as unknown)).toEqual(pullsUpTo(count));
    expect(
      pulls.map(({ id, occurredAt, updatedAt, columns }) => ({ id, occurredAt, updatedAt, ...columns })),
    ).toEqual(
      pullsUpTo(count).map(({ id, title, updated_at }) =>
        expect.objectContaining({
          id: String(id),
          occurredAt: new Date('2026-01-01T00:00:00Z'),
          updatedAt: Date.parse(updated_at),
          title,
          updated_at: new Date(updated_at),
          merged_at: new Date('2026-01-02T00:00:00Z'),
          labels: ['bug'],
          repository: 'a/b',
          additions: null,
        }),
      ),
    );
  });

  it('moves a large page to the thread and copies a shared buffer', async () => {
    const text = pageOf(60);
    const alone = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
    alone.write(text);
    const within = Buffer.concat([alone, alone]).subarray(0, alone.length);
    expect(await readListPage(alone, 'pulls', 'a/b')).toHaveLength(60);
    expect(alone).toHaveLength(0);
    expect(await readListPage(within, 'pulls', 'a/b')).toHaveLength(60);
    expect(within.toString()).toBe(text);
  });

  it.each([
    ['invalid JSON', (json: string) => json.slice(0, -2), { name: 'SyntaxError' }],
    ['a body that is not a list', (json: string) => `{"a":${json}}`, { failure: 'malformed' }],
    ['a pull request without an id', (json: string) => json.replace('"id":1,', ''), { failure: 'malformed' }],
  ])('reports %s as the same error in the thread as on the main thread', async (_, broken, error) => {
    for (const count of [1, 60]) {
      await expect(readListPage(Buffer.from(broken(pageOf(count))), 'pulls', 'a/b')).rejects.toMatchObject(
        error,
      );
      expect(await readListPage(Buffer.from(pageOf(count)), 'pulls', 'a/b')).toHaveLength(count);
    }
  });
});
