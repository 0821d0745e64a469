import { expect, it } from 'vitest';
import { idsOf } from '../../src/sdk/conformance/reading.ts';
import { expectReadable } from './failures.ts';
import type { Stage } from './stage.ts';

/** Tests of uninterrupted full runs. */
function testFullRuns(stage: Stage): void {
  it('reads every record of the scope once in a full run, newest first', async () => {
    const { ids } = stage;
    const { pages, completion, client } = await stage.reader.run();
    expect(ids.length).toBeGreaterThan(5);
    expect(idsOf(pages)).toEqual(ids);

    const { listedBy } = stage.reader.entity.table;
    const times = pages.flatMap(({ records }) =>
      records.map(({ occurredAt, columns }) =>
        Number((listedBy === undefined ? undefined : columns[listedBy]) ?? occurredAt),
      ),
    );
    expect(times).toEqual([...times].sort((a, b) => b - a));
    expect(completion.truncated).toBe(false);
    expect(pages.find((page) => page.total !== undefined)?.total).toBe(ids.length);

    const records = pages.flatMap((page) => page.records);
    await Promise.all(records.map((record) => expectReadable(stage.reader.entity, record)));
    expect(client.requests).toBeGreaterThan(0);
    const { concurrency, maxConcurrency = concurrency } = stage.standIn.connector.quota;
    expect(stage.standIn.mostInFlight()).toBeLessThanOrEqual(maxConcurrency);
  });

  it('keeps the newest records at a limit and reports whether it left any out', async () => {
    const { ids } = stage;
    for (const limit of [1, 3, ids.length - 1, ids.length, ids.length + 1, 0]) {
      const { pages, completion } = await stage.reader.run({ limit });
      expect(idsOf(pages), `limit ${limit}`).toEqual(ids.slice(0, limit));
      expect(completion.truncated, `limit ${limit}`).toBe(limit < ids.length);
    }
  });

  it('lists the ids of all records of the scope', async () => {
    const listed = new Set<string>();
    const { client, settings } = stage.reader.request();
    for await (const ids of stage.reader.entity.listIds({ client, settings }))
      for (const id of ids) listed.add(id);
    expect([...listed].sort()).toEqual([...stage.ids].sort());
  });
}

/** Tests of runs that continue from a checkpoint, and of runs that end early. */
function testInterruptedRuns(stage: Stage): void {
  it('resumes from every checkpoint without losing or repeating a record', async () => {
    const { ids } = stage;
    const { pages, completion } = await stage.reader.run();
    for (const [index, page] of pages.entries()) {
      const before = idsOf(pages.slice(0, index + 1));
      const rest = await stage.reader.run({ checkpoint: page.checkpoint });
      expect([...before, ...idsOf(rest.pages)], `after page ${index + 1}`).toEqual(ids);
      expect(rest.completion).toEqual(completion);
    }
  });

  it('applies the limit across a resume', async () => {
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

  it('rejects a checkpoint or cursor of another version as expired', async () => {
    expect(await stage.reader.failure({ checkpoint: { version: 'unknown' } })).toBe('cursor-expired');
    const { completion } = await stage.reader.run({ limit: 1 });
    if (completion.cursor !== null)
      expect(await stage.reader.failure({ cursor: { version: 'unknown' } })).toBe('cursor-expired');
  });

  it('ends a read promptly with the reason of the abort', async () => {
    const abort = new AbortController();
    const reason = new Error('stopped');
    stage.standIn.inject({ name: 'stalled-stream', times: Number.POSITIVE_INFINITY });
    setTimeout(() => abort.abort(reason), 50);
    await expect(stage.reader.run({ signal: abort.signal })).rejects.toBe(reason);
  });

  it('reads all records after an earlier read was ended early', async () => {
    const source = stage.reader.entity.read(stage.reader.request());
    await source.next();
    await source.return({ cursor: null, truncated: false });
    expect(idsOf((await stage.reader.run()).pages)).toEqual(stage.ids);
  });
}

/** Tests of full runs: order, limit, checkpoints, ids. */
export function testListing(stage: Stage): void {
  testFullRuns(stage);
  testInterruptedRuns(stage);
}
