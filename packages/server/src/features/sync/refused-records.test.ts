import { randomBytes } from 'node:crypto';
import type { ConnectorRecord } from '@datadeck/connectors';
import { MAX_SKIPPED_IDS } from '@datadeck/contract';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { insertRun, takeOver } from '../../../test-support/started-run.ts';
import { prepareTestEntity, TEST_ENTITY, testRecord } from '../../../test-support/test-entity.ts';
import { startTestServer, type TestServer } from '../../../test-support/test-server.ts';
import type { Context } from '../../platform/context/index.ts';
import { countersSchema, receiptOf } from './counters.ts';
import { PageCommits } from './page-commits.ts';
import { syncs } from './tables.ts';
import type { SyncRow } from './to-response.ts';

let server: TestServer;
let context: Context;

beforeAll(async () => {
  server = await startTestServer({ ROLE: 'web' });
  context = server.product.context;
  await prepareTestEntity(context.db);
  await context.db.execute(sql`
    create function refuse_title() returns trigger language plpgsql as
      'begin if new.title = ''raises'' then raise exception ''no''; end if; perform 1 / (new.title <> ''divides'')::int; return new; end'`);
  await context.db.execute(
    sql`create trigger refuse_title before insert or update on test_things for each row execute function refuse_title()`,
  );
  await context.db.execute(sql`alter table test_things add check (title <> 'checked')`);
  await context.db.execute(sql`create index on test_things (title)`);
});
afterAll(() => server?.remove());

function record(id: string, title: string, data: ConnectorRecord['data'] = { title }): ConnectorRecord {
  return testRecord({ id, occurredAt: new Date(0), data, columns: { title } });
}

const noise = (bytes: number) => randomBytes(bytes).toString('hex');

/** Records that PostgreSQL refuses, by the reason. */
const REFUSED: [reason: string, (id: string) => ConnectorRecord][] = [
  ['a constraint', (id) => record(id, 'checked')],
  ['a trigger that raises', (id) => record(id, 'raises')],
  ['a trigger that fails', (id) => record(id, 'divides')],
  ['an index entry that is too large', (id) => record(id, noise(8000))],
  ['an id that is too long', (id) => record(`${id}${noise(2000)}`, 'fine')],
  ['a document that is no JSON', (id) => record(id, 'fine', Buffer.from('{"title": '))],
  [
    'a document that is too deep',
    (id) => record(id, 'fine', Buffer.from(`{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`)),
  ],
];

/** Commits pages as one run of a user. @returns the run after them */
async function commitPages(userId: string, pages: ConnectorRecord[][], number = 1): Promise<SyncRow> {
  const { claim, run } = await takeOver(context, await insertRun(context, { userId, number }));
  const commits = new PageCommits(context, claim, run);
  const clientUsage = { requests: 1, units: 1, waitedMs: 0 };
  for (const [index, records] of pages.entries())
    await commits.add({ records, checkpoint: index + 1, clientUsage, entity: TEST_ENTITY });
  await commits.settle();
  await context.db.update(syncs).set({ status: 'finished' }).where(sql`id = ${run.id}`);
  return commits.run;
}

async function stored(userId: string): Promise<unknown[]> {
  const { rows } = await context.db.execute(
    sql`select id, title from test_things where user_id = ${userId} order by id`,
  );
  return rows.map(({ id, title }) => [id, title]);
}

const receipt = ({ counters }: SyncRow, stored: number) =>
  receiptOf(countersSchema.parse(counters), 0, stored);

describe('a page with a record that PostgreSQL refuses', () => {
  it.each(REFUSED)('is stored without it, and the receipt names it (%s)', async (_, refuse) => {
    const userId = crypto.randomUUID();
    const bad = [refuse('bad-1'), refuse('bad-2')];
    const names = Array.from({ length: 30 }, (_, index) => `good-${String(index).padStart(2, '0')}`);
    const good = names.map((name) => record(name, name));
    const run = await commitPages(userId, [
      [...good.slice(0, 7), ...bad.slice(0, 1), ...good.slice(7, 20)],
      bad.slice(1),
      good.slice(20),
    ]);
    expect(await stored(userId)).toEqual(names.map((name) => [name, name]));
    expect(receipt(run, 30)).toMatchObject({
      ...{ added: 30, skipped: 2, skippedReasons: { refused: 2 } },
      skippedIds: bad.map(({ id }) => id.slice(0, 200)),
    });
    expect(run.checkpoint).toBe(3);
  });

  it('keeps the stored version, and counts the others as they are', async () => {
    const userId = crypto.randomUUID();
    await commitPages(userId, [[record('a', 'one'), record('b', 'one'), record('c', 'one')]]);
    const run = await commitPages(
      userId,
      [[record('a', 'two'), record('b', 'raises'), record('c', 'one')]],
      2,
    );
    expect(await stored(userId)).toEqual([
      ['a', 'two'],
      ['b', 'one'],
      ['c', 'one'],
    ]);
    expect(receipt(run, 3)).toMatchObject({ updated: 1, unchanged: 2, added: 0, skippedIds: ['b'] });
    const { rows } = await context.db.execute(
      sql`select external_id from sync_seen where sync_id = ${run.id}`,
    );
    expect(rows).toContainEqual({ external_id: 'b' });
  });

  it('keeps the last of two records with the same id', async () => {
    const userId = crypto.randomUUID();
    await commitPages(userId, [[record('a', 'one'), record('bad', 'raises'), record('a', 'two')]]);
    expect(await stored(userId)).toEqual([['a', 'two']]);
  });

  it('names a bounded number of records', async () => {
    const bad = Array.from({ length: 50 }, (_, index) => record(`bad-${index}`, 'raises'));
    const run = await commitPages(crypto.randomUUID(), [bad]);
    expect(receipt(run, 30)).toMatchObject({ added: 0, skipped: 50, skippedReasons: { refused: 50 } });
    expect(receipt(run, 1).skippedIds).toHaveLength(MAX_SKIPPED_IDS);
  });

  it('fails when the fault is not that of a record', async () => {
    await context.db.execute(sql`alter table test_things rename to moved_things`);
    try {
      await expect(commitPages(crypto.randomUUID(), [[record('a', 'one')]])).rejects.toThrow(/test_things/);
    } finally {
      await context.db.execute(sql`alter table moved_things rename to test_things`);
    }
  });
});
