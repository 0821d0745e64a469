import { describe, expect, it } from 'vitest';
import type { ReadStored } from './connector.ts';
import { sinceTime, WantedRecords } from './since.ts';

describe('sinceTime', () => {
  it('is the start of the day in UTC', () => {
    expect(sinceTime({ since: '2026-01-01' })).toBe(Date.UTC(2026, 0, 1));
    expect(sinceTime({})).toBeUndefined();
  });

  it.each(['', '2026', '2026-02-30', '2026-13-01', '2026-01-01T00:00:00Z', '01.01.2026'])(
    'refuses %j',
    (since) => {
      expect(() => sinceTime({ since })).toThrow(
        expect.objectContaining({ failure: 'invalid', field: 'since' }),
      );
    },
  );
});

describe('WantedRecords', () => {
  const item = (id: string, day: number) => ({ id, time: Date.UTC(2026, 0, day) });
  const items = [item('new', 9), item('known', 1), item('old', 2)];

  it('chooses later records and those that are stored, whose ids it reads once', async () => {
    let reads = 0;
    const stored: ReadStored = async function* () {
      reads++;
      yield [{ id: 'known', columns: {} }];
    };
    const wanted = new WantedRecords({ since: '2026-01-05', stored });
    expect(await wanted.choose(items.slice(0, 1), ({ time }) => time)).toHaveLength(1);
    expect(reads).toBe(0);
    for (let round = 0; round < 2; round++)
      expect((await wanted.choose(items, ({ time }) => time)).map(({ id }) => id)).toEqual(['new', 'known']);
    expect(reads).toBe(1);
    expect(await new WantedRecords({ stored }).choose(items, ({ time }) => time)).toEqual(items);
  });
});
