import { expect, test } from 'vitest';
import { expectReadable } from './failures.ts';
import { idsOf, LONG_TIMEOUT_MS } from './reading.ts';
import type { Stage } from './stage.ts';

/** Tests of full runs: order, limit, checkpoints. */
export function testListing(stage: Stage): void {
  test('a full run brings every record of the scope once, newest first', async () => {
    const { ids } = stage;
    const { pages, completion, client } = await stage.reader.run();
    expect(ids.length).toBeGreaterThan(5);
    expect(idsOf(pages)).toEqual(ids);
    const times = pages.flatMap((page) => page.records.map((record) => record.occurredAt.getTime()));
    expect(times).toEqual([...times].sort((a, b) => b - a));
    expect(completion.truncated).toBe(false);
    expect(pages.find((page) => page.total !== undefined)?.total).toBe(ids.length);
    for (const record of pages.flatMap((page) => page.records)) expectReadable(stage.reader.entity, record);
    expect(client.requests).toBeGreaterThan(0);
    const { concurrency, maxConcurrency = concurrency } = stage.standIn.connector.quota;
    expect(stage.standIn.mostInFlight()).toBeLessThanOrEqual(maxConcurrency);
  });

  test('the limit keeps the newest and says whether it left any out', async () => {
    const { ids } = stage;
    for (const limit of [1, 3, ids.length - 1, ids.length, ids.length + 1, 0]) {
      const { pages, completion } = await stage.reader.run({ limit });
      expect(idsOf(pages), `limit ${limit}`).toEqual(ids.slice(0, limit));
      expect(completion.truncated, `limit ${limit}`).toBe(limit < ids.length);
    }
  });

  test('from every checkpoint another process brings the rest, with nothing lost and nothing twice', async () => {
    const { ids } = stage;
    const { pages, completion } = await stage.reader.run();
    for (const [index, page] of pages.entries()) {
      const before = idsOf(pages.slice(0, index + 1));
      const rest = await stage.reader.run({ checkpoint: page.checkpoint });
      expect([...before, ...idsOf(rest.pages)], `after page ${index + 1}`).toEqual(ids);
      expect(rest.completion).toEqual(completion);
    }
  });

  test('a limit goes on over a resume', async () => {
    const { ids } = stage;
    const limit = ids.length - 2;
    const { pages } = await stage.reader.run({ limit });
    for (const [index, page] of pages.entries()) {
      const before = idsOf(pages.slice(0, index + 1));
      const rest = await stage.reader.run({ checkpoint: page.checkpoint, limit: limit - before.length });
      expect([...before, ...idsOf(rest.pages)]).toEqual(ids.slice(0, limit));
      expect(rest.completion.truncated).toBe(true);
    }
  });

  test('a checkpoint or cursor of another version asks to begin anew', async () => {
    expect(await stage.reader.failure({ checkpoint: { version: 'unknown' } })).toBe('cursor-expired');
    const { completion } = await stage.reader.run({ limit: 1 });
    if (completion.cursor !== null)
      expect(await stage.reader.failure({ cursor: { version: 'unknown' } })).toBe('cursor-expired');
  });

  test('an abort ends the read promptly with its reason', async () => {
    const abort = new AbortController();
    const reason = new Error('stopped');
    stage.standIn.inject({ name: 'stalled-stream', times: Number.POSITIVE_INFINITY });
    const begun = performance.now();
    setTimeout(() => abort.abort(reason), 50);
    await expect(stage.reader.run({ signal: abort.signal })).rejects.toBe(reason);
    expect(performance.now() - begun).toBeLessThan(LONG_TIMEOUT_MS / 2);
  });

  test('a reader that leaves early leaves no place taken', async () => {
    const source = stage.reader.entity.read(stage.reader.request());
    await source.next();
    await source.return({ cursor: null, truncated: false });
    expect(idsOf((await stage.reader.run()).pages)).toEqual(stage.ids);
  });
}
