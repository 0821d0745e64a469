import { afterEach, describe, expect, test, vi } from 'vitest';
import { PageThread, type ReadPage } from '../sdk/index.ts';
import { pullThread } from './pull-pages.ts';
import { pullPage } from './pull-record.ts';

const repository = { id: 7, full_name: 'a/b', about: 'é'.repeat(3000) };
const pull = (id: number) => ({
  id,
  number: id,
  title: `Pull \u2028 😀 ${id}`,
  created_at: '2026-01-01T00:00:00Z',
  updated_at: `2026-01-01T00:00:${String(id % 60).padStart(2, '0')}Z`,
  base: { repo: repository },
  head: { repo: { ...repository, id: id % 3 } },
});
const pageOf = (first: number) =>
  JSON.stringify(Array.from({ length: 60 }, (_, index) => pull(first + index)));
const bytesOf = (json: string) => {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(json));
  bytes.write(json);
  return bytes;
};
const plain = ({ records }: Pick<ReadPage, 'records'>) =>
  records.map(({ shared, data, ...record }) => ({ ...record, data: JSON.parse(String(data)) as unknown }));

afterEach(() => {
  vi.useRealTimers();
});

describe('pages of pull requests', () => {
  test('are read in the thread as they are read here, and share what they hold in common', async () => {
    const reader = pullThread.open();
    for (const first of [1, 61]) {
      const json = pageOf(first);
      const there = await pullPage(bytesOf(json), 'a/b', reader);
      const here = await pullPage(bytesOf(json), 'a/b');
      expect(plain(there)).toEqual(plain(here));
      expect(there.records.map(({ data }) => data)).toEqual(here.records.map(({ data }) => data));
      expect([there.newestUpdate, there.oldestUpdate]).toEqual([here.newestUpdate, here.oldestUpdate]);
      for (const { data, shared } of there.records)
        for (const { start, end, part } of shared ?? [])
          expect((data as Buffer).subarray(start, end).equals(part.text)).toBe(true);
      const parts = new Set(there.records.flatMap(({ shared }) => shared?.map(({ part }) => part) ?? []));
      expect(parts.size).toBe(4);
      if (first > 1) expect(there.records.map(({ shared }) => shared?.length)).toEqual(Array(60).fill(2));
    }
    reader.close();
  });

  test('their memory comes back, and all data are in it', async () => {
    const reader = pullThread.open();
    const json = bytesOf(pageOf(1));
    const { body, records } = await pullPage(json, 'a/b', reader);
    expect(json).toHaveLength(0);
    for (const { data } of records) expect((data as Buffer).buffer).toBe(body.buffer);
    reader.close();
  });

  test.each([
    ['no JSON', () => `${pageOf(1).slice(0, -2)}`, { name: 'SyntaxError' }],
    ['no list', () => `{"a":${pageOf(1)}}`, { failure: 'malformed' }],
    ['a pull request without an id', () => pageOf(1).replace('"id":60,', ''), { failure: 'malformed' }],
  ])('%s is the error that it is here', async (_, json, error) => {
    const reader = pullThread.open();
    await expect(pullPage(bytesOf(json()), 'a/b', reader)).rejects.toMatchObject(error);
    await expect(pullPage(bytesOf(json()), 'a/b')).rejects.toMatchObject(error);
    expect((await pullPage(bytesOf(pageOf(1)), 'a/b', reader)).records).toHaveLength(60);
    reader.close();
  });
});

describe('the thread', () => {
  test('that dies fails what it was reading, and is there for the next page', async () => {
    const thread = new PageThread(new URL('../testing/dying-thread.ts', import.meta.url));
    const reader = thread.open();
    const page = () => bytesOf(pageOf(1));
    await reader.read(page(), 'a/b');
    await expect(reader.read(page(), 'die')).rejects.toThrow('ended');
    expect(thread.isRunning).toBe(false);
    const again = await reader.read(page(), 'a/b');
    expect(again?.records).toHaveLength(60);
    expect(again?.records.at(-1)?.shared).toHaveLength(2);
    reader.close();
  });

  test('ends when nobody has read for a while, not before the last read is closed', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const thread = new PageThread(new URL('../testing/dying-thread.ts', import.meta.url));
    expect(thread.isRunning).toBe(false);
    const [one, other] = [thread.open(), thread.open()];
    one.close();
    vi.advanceTimersByTime(60_000);
    expect(thread.isRunning).toBe(true);
    other.close();
    vi.advanceTimersByTime(20_000);
    const third = thread.open();
    vi.advanceTimersByTime(60_000);
    expect(thread.isRunning).toBe(true);
    third.close();
    vi.advanceTimersByTime(31_000);
    expect(thread.isRunning).toBe(false);
  });
});
