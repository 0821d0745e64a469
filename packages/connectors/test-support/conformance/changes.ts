import { describe, expect, it } from 'vitest';
import { idsOf } from '../../src/sdk/conformance/reading.ts';
import type { Completion, ConnectorRecord, Page } from '../../src/sdk/connector.ts';
import type { Json } from '../../src/sdk/json.ts';
import { ProviderError } from '../../src/sdk/provider-error.ts';
import { estimateOf, expectNear } from './estimates.ts';
import type { Stage } from './stage.ts';
import type { ScopeControl } from './stand-in.ts';

/** Returns the records after applying the pages, as the sync engine would store them. */
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

/** Largest number of changes made during a run; without a limit, a run that follows all changes would never end. */
const MAX_CHANGES_DURING_RUN = 20;

/** Reads to the end and makes a change after each page. */
async function readWhileChanging(
  stage: Stage,
  control: ScopeControl,
  cursor: Json,
  before: ReadonlyMap<string, ConnectorRecord> = new Map(),
): Promise<{ held: Map<string, ConnectorRecord>; completion: Completion }> {
  const source = stage.reader.read(stage.reader.request({ cursor }));
  let held = new Map(before);
  for (let changes = 0; ; changes++) {
    const next = await source.next();
    if (next.done) return { held, completion: next.value };
    held = apply(held, [next.value]);
    if (changes >= MAX_CHANGES_DURING_RUN) continue;
    await control.insert();
    await control.update?.(stage.ids[changes] ?? '');
    await control.update?.(stage.ids.at(-1 - changes) ?? '');
  }
}

/** Returns the columns by id. Ignores documents, which may contain counts of other records. */
function columnsOf(held: ReadonlyMap<string, ConnectorRecord>) {
  return new Map([...held].map(([id, { columns }]) => [id, columns]));
}

/** Checks that a run from the cursor results in the provider's records. */
async function expectCaughtUp(
  stage: Stage,
  held: ReadonlyMap<string, ConnectorRecord>,
  cursor: Json,
): Promise<void> {
  const { pages } = await stage.reader.run({ cursor });
  const full = await stage.reader.run();
  expect(columnsOf(apply(held, pages))).toEqual(columnsOf(apply(new Map(), full.pages)));
}

/** Tests of the records that incremental runs read. */
function testChangedRecords(stage: Stage, control: () => ScopeControl): void {
  it('reads inserted, updated and deleted records and nothing else', async () => {
    const { held, cursor } = await begin(stage);
    const [, second = '', third = ''] = held.keys();
    const inserted = await control().insert();
    await control().update?.(second);
    const expected = control().update ? [inserted, second] : [inserted];
    await control().remove?.(third);
    const { pages, completion } = await stage.reader.run({ cursor });
    const changed = pages.flatMap((page) => page.records);
    expect(changed.map((record) => record.id)).toEqual(expect.arrayContaining(expected));
    expect(pages.flatMap((page) => page.removed ?? [])).toEqual(control().remove ? [third] : []);
    for (const record of changed.filter(({ id }) => id !== inserted && id !== second))
      expect(record, 'an overlap contains unchanged records only').toEqual(held.get(record.id));

    const full = await stage.reader.run();
    expect(apply(held, pages)).toEqual(apply(new Map(), full.pages));
    expect(completion.cursor).not.toBeNull();
  });

  it('notices the deletion of a record that an unfinished run stored', async () => {
    const { cursor } = await begin(stage);
    const inserted = await control().insert();
    await stage.reader.run({ cursor });
    await control().remove?.(inserted);
    const { pages } = await stage.reader.run({ cursor, mayHaveNewerStored: true });
    expect(pages.flatMap((page) => page.removed ?? [])).toEqual(control().remove ? [inserted] : []);
  });

  it('resumes an incremental run from every checkpoint', async () => {
    const { held, cursor } = await begin(stage);
    for (let count = 0; count < 130; count++) await control().insert();
    const { pages, completion } = await stage.reader.run({ cursor });
    if (!stage.subject.exempt?.['several-pages']) expect(pages.length).toBeGreaterThan(1);
    for (const [index, page] of pages.entries()) {
      stage.reader.restore(apply(held, pages.slice(0, index + 1)).values());
      const rest = await stage.reader.run({ cursor, checkpoint: page.checkpoint });
      expect([...idsOf(pages.slice(0, index + 1)), ...idsOf(rest.pages)]).toEqual(idsOf(pages));
      expect(rest.completion).toEqual(completion);
    }
    expect(apply(held, pages).size).toBe(held.size + 130);
  });

  it('reports the right total on every page of an incremental run', async () => {
    const { held, cursor } = await begin(stage);
    const [first = ''] = held.keys();
    await control().insert();
    await control().remove?.(first);
    const { pages } = await stage.reader.run({ cursor });
    const { length } = await stage.standIn.listIds();
    for (const { total } of pages) expect(total ?? length).toBe(length);
  });

  it('estimates the records and requests of an incremental run', async () => {
    const { cursor } = await begin(stage);
    for (let count = 0; count < 3; count++) await control().insert();
    const { estimate } = await estimateOf(stage, { cursor });
    const { pages, client } = await stage.reader.run({ cursor });
    expectNear(estimate.records, idsOf(pages).length, 'records');
    expectNear(estimate.requests, client.requests, 'requests');
  });
}

/** Tests of the cursors that incremental runs start from and return. */
function testCursors(stage: Stage, control: () => ScopeControl): void {
  it('reads nothing new without changes and returns a usable cursor', async () => {
    const { held, cursor } = await begin(stage);
    const nothing = await stage.reader.run({ cursor });
    expect(apply(held, nothing.pages)).toEqual(held);
    const inserted = await control().insert();
    const next = await stage.reader.run({ cursor: nothing.completion.cursor });
    expect(idsOf(next.pages)).toContain(inserted);
  });

  it('requests a full run when more records changed than the limit', async () => {
    const { cursor } = await begin(stage);
    for (let count = 0; count < 5; count++) await control().insert();
    expect(await stage.reader.failure({ cursor, limit: 4 })).toBe('cursor-expired');
  });

  it('returns another cursor after a change, or does not need one', async () => {
    const { cursor } = await begin(stage);
    const inserted = await control().insert();
    const { completion } = await stage.reader.run({ cursor });
    if (JSON.stringify(completion.cursor) !== JSON.stringify(cursor)) return;
    expect(idsOf((await stage.reader.run({ cursor })).pages)).not.toContain(inserted);
  });

  it('reports an expired cursor', async ({ skip }) => {
    const { cursor } = await begin(stage);
    const expire = control().expireCursor;
    if (!expire) return skip('cursors of this provider do not expire');
    await control().insert();
    await expire();
    expect(await stage.reader.failure({ cursor })).toBe('cursor-expired');
  });
}

/** Tests of changes made while a run reads. */
function testConcurrentChanges(stage: Stage, control: () => ScopeControl): void {
  it('reads changes made during a full run in the next run, and misses no record', async () => {
    const { held, completion } = await readWhileChanging(stage, control(), null);
    expect([...held.keys()], 'a record that changes is no deleted one').toEqual(
      expect.arrayContaining([...stage.ids]),
    );
    await expectCaughtUp(stage, held, completion.cursor);
  });

  it('reads changes made during an incremental run in the next run', async () => {
    const { held, cursor } = await begin(stage);
    for (let count = 0; count < 60; count++) await control().insert();
    try {
      const { held: after, completion } = await readWhileChanging(stage, control(), cursor, held);
      await expectCaughtUp(stage, after, completion.cursor);
    } catch (error) {
      // A connector that detects inconsistent changes may request a full run.
      if (!(error instanceof ProviderError && error.failure === 'cursor-expired')) throw error;
    }
  });
}

/** Tests of incremental runs. */
export function testChanges(stage: Stage, control: () => ScopeControl): void {
  describe('incremental run', () => {
    testChangedRecords(stage, control);
    testCursors(stage, control);
    testConcurrentChanges(stage, control);
  });
}
