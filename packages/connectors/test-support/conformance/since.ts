import { describe, expect, it } from 'vitest';
import { idsOf } from '../../src/sdk/conformance/reading.ts';
import type { ConnectorRecord } from '../../src/sdk/connector.ts';
import { sinceTime } from '../../src/sdk/since.ts';
import { estimateOf, expectEstimated } from './estimates.ts';
import type { Stage } from './stage.ts';
import type { ScopeControl } from './stand-in.ts';

/** A day that divides the records of a scope. */
interface Division {
  since: string;
  /** Ids of the records since then, newest first. */
  wanted: string[];
  old: string[];
}

/** Returns a day with about half of the records since then. */
async function divide(stage: Stage, timeOf: (record: ConnectorRecord) => number): Promise<Division> {
  const { pages } = await stage.reader.run();
  const records = pages.flatMap((page) => page.records);
  const times = records.map(timeOf).sort((a, b) => b - a);
  const day = new Date(times[Math.floor(times.length / 2)] ?? 0).toISOString().slice(0, 10);
  const isWanted = (record: ConnectorRecord) => timeOf(record) >= (sinceTime({ since: day }) ?? 0);
  const [wanted, old] = [true, false].map((is) => records.filter((record) => isWanted(record) === is));
  expect(wanted?.length, 'the stand-in has records since some day').toBeGreaterThan(3);
  expect(old?.length, 'and records before it').toBeGreaterThan(3);
  const ids = (list: ConnectorRecord[] = []) => list.map(({ id }) => id);
  return { since: day, wanted: ids(wanted), old: ids(old) };
}

/** Tests that runs, estimates and lists keep to the day since which records are wanted. */
export function testSince(
  stage: Stage,
  { timeOf, control }: { timeOf(record: ConnectorRecord): number; control(): ScopeControl },
): void {
  describe('since a day', () => {
    it('reads the records since then, newest first, at any limit', async () => {
      const { since, wanted } = await divide(stage, timeOf);
      for (const limit of [1, wanted.length - 1, wanted.length, wanted.length + 1, 0]) {
        const { pages, completion } = await stage.reader.run({ since, limit });
        expect(idsOf(pages), `limit ${limit}`).toEqual(wanted.slice(0, limit));
        expect(completion.truncated, `limit ${limit}`).toBe(limit < wanted.length);
        for (const { total } of pages) expect(total ?? wanted.length).toBe(wanted.length);
      }
      const none = await stage.reader.run({ since: '9999-01-01' });
      expect([idsOf(none.pages), none.completion.truncated]).toEqual([[], false]);
      expect(await stage.reader.failure({ since: '2026-02-30' })).toBe('invalid');
    });

    it('resumes from every checkpoint, and lists and estimates the same records', async () => {
      const { since, wanted } = await divide(stage, timeOf);
      const { pages } = await stage.reader.run({ since });
      for (const [index, { checkpoint }] of pages.entries()) {
        const before = idsOf(pages.slice(0, index + 1));
        const rest = await stage.reader.run({ since, checkpoint });
        expect([...before, ...idsOf(rest.pages)], `after page ${index + 1}`).toEqual(wanted);
      }
      const listed = new Set<string>();
      for await (const ids of stage.reader.entity.listIds(stage.reader.request({ since })))
        for (const id of ids) listed.add(id);
      expect([...listed].sort()).toEqual([...wanted].sort());
      const { estimate } = await estimateOf(stage, { since });
      expectEstimated(stage, estimate.records, wanted.length);
      expect(estimate.total ?? wanted.length).toBe(wanted.length);
    });

    it('reads changes of stored records, and no older ones', async () => {
      const { since, wanted, old } = await divide(stage, timeOf);
      const reader = stage.reader;
      reader.restore([]);
      const first = await reader.run({ since });
      await control().update?.(wanted.at(-1) ?? '');
      const inserted = await control().insert();
      const changed = await reader.run({ since, cursor: first.completion.cursor });
      const ids = idsOf(changed.pages);
      expect(ids).toEqual(expect.arrayContaining(control().update ? [inserted, wanted.at(-1)] : [inserted]));
      expect(ids.filter((id) => old.includes(id))).toEqual([]);
      const next = await reader.run({ since, cursor: changed.completion.cursor });
      expect(idsOf(next.pages).filter((id) => old.includes(id))).toEqual([]);
    });
  });
}
