import { describe, expect, test } from 'vitest';
import type { ConnectorRecord, Page } from '../connector.ts';
import type { Json } from '../json.ts';
import { idsOf } from './reading.ts';
import type { Stage } from './stage.ts';
import type { ScopeControl } from './stand-in.ts';

/** The records after the pages, as the engine would hold them. */
function apply(held: ReadonlyMap<string, ConnectorRecord>, pages: readonly Page[]) {
  const after = new Map(held);
  for (const page of pages) {
    for (const record of page.records) after.set(record.id, record);
    for (const id of page.removed ?? []) after.delete(id);
  }
  return after;
}

async function begin(stage: Stage): Promise<{ held: Map<string, ConnectorRecord>; cursor: Json }> {
  const { pages, completion } = await stage.reader.run();
  return { held: apply(new Map(), pages), cursor: completion.cursor };
}

/** Incremental runs. */
export function testChanges(stage: Stage, control: () => ScopeControl): void {
  describe('incremental', () => {
    test('brings what was inserted, updated and deleted, and nothing else', async () => {
      const { held, cursor } = await begin(stage);
      const [, second = '', third = ''] = held.keys();
      const inserted = await control().insert();
      await control().update(second);
      await control().remove?.(third);
      const { pages, completion } = await stage.reader.run({ cursor });
      const changed = pages.flatMap((page) => page.records);
      expect(changed.map((record) => record.id)).toEqual(expect.arrayContaining([inserted, second]));
      expect(pages.flatMap((page) => page.removed ?? [])).toEqual(control().remove ? [third] : []);
      for (const record of changed.filter(({ id }) => id !== inserted && id !== second))
        expect(record, 'an overlap brings what is held already').toEqual(held.get(record.id));
      const full = await stage.reader.run();
      expect(apply(held, pages)).toEqual(apply(new Map(), full.pages));
      expect(completion.cursor).not.toBeNull();
    });

    test('without changes it brings no new record, and its cursor goes on', async () => {
      const { held, cursor } = await begin(stage);
      const nothing = await stage.reader.run({ cursor });
      expect(apply(held, nothing.pages)).toEqual(held);
      const inserted = await control().insert();
      const next = await stage.reader.run({ cursor: nothing.completion.cursor });
      expect(idsOf(next.pages)).toContain(inserted);
    });

    test('from every checkpoint another process brings the rest', async () => {
      const { held, cursor } = await begin(stage);
      for (let count = 0; count < 130; count++) await control().insert();
      const { pages, completion } = await stage.reader.run({ cursor });
      expect(pages.length).toBeGreaterThan(1);
      for (const [index, page] of pages.entries()) {
        const rest = await stage.reader.run({ cursor, checkpoint: page.checkpoint });
        expect([...idsOf(pages.slice(0, index + 1)), ...idsOf(rest.pages)]).toEqual(idsOf(pages));
        expect(rest.completion).toEqual(completion);
      }
      expect(apply(held, pages).size).toBe(held.size + 130);
    });

    test('more changes than the limit ask for a full run', async () => {
      const { cursor } = await begin(stage);
      for (let count = 0; count < 5; count++) await control().insert();
      expect(await stage.reader.failure({ cursor, limit: 4 })).toBe('cursor-expired');
    });

    test('what changes during a full run is brought by the next one', async () => {
      const source = stage.reader.entity.read(stage.reader.request());
      let held = new Map<string, ConnectorRecord>();
      const ids: string[] = [];
      for (;;) {
        const next = await source.next();
        if (next.done) {
          const { pages } = await stage.reader.run({ cursor: next.value.cursor });
          expect([...apply(held, pages).keys()]).toEqual(expect.arrayContaining(ids));
          return;
        }
        held = apply(held, [next.value]);
        ids.push(await control().insert());
      }
    });

    test('a cursor that is gone is told', async () => {
      const { cursor } = await begin(stage);
      const expire = control().expireCursor;
      if (!expire) return;
      await control().insert();
      await expire();
      expect(await stage.reader.failure({ cursor })).toBe('cursor-expired');
    });
  });
}
