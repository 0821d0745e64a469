import type { ConnectorRecord } from '@datadeck/connectors';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openMortalDatabase } from '../../../test-support/mortal-database.ts';
import { seededRandom } from '../../../test-support/seeded-random.ts';
import { insertRun, type StartedRun, type TakenRun, takeOver } from '../../../test-support/started-run.ts';
import { prepareTestEntity, TEST_ENTITY, testRecord } from '../../../test-support/test-entity.ts';
import { startTestServer, type TestServer } from '../../../test-support/test-server.ts';
import type { Context } from '../../platform/context/index.ts';
import { undoSync } from '../records/index.ts';
import { ClaimLost } from './claim.ts';
import { PageCommits } from './page-commits.ts';
import type { FetchedPage } from './stage.ts';

const ROUNDS = 30;
let server: TestServer;
let context: Context;

beforeAll(async () => {
  server = await startTestServer({ ROLE: 'web' });
  context = server.product.context;
  await prepareTestEntity(context.db);
});
afterAll(() => server?.remove());

const ONE_REQUEST = { requests: 1, units: 1, waitedMs: 0 };

function page(index: number, records: ConnectorRecord[], removed: string[] = []): FetchedPage {
  return { records, removed, checkpoint: index + 1, clientUsage: ONE_REQUEST, entity: TEST_ENTITY };
}

function record(id: string, value: unknown): ConnectorRecord {
  return testRecord({ id, occurredAt: new Date(0), data: { id, value: `${value}` } });
}

/** Returns random pages that often contain the same records. */
function randomPages(random: () => number): FetchedPage[] {
  const id = () => `${Math.floor(random() * 60)}`;
  return Array.from({ length: 12 }, (_, index) => {
    const records = Array.from({ length: Math.floor(random() * 6) }, () => record(id(), index));
    const removed = random() < 0.2 ? [id()].filter((one) => !records.some((other) => other.id === one)) : [];
    return page(index, records, removed);
  });
}

async function commitFrom(on: Context, taken: TakenRun, pages: FetchedPage[], { isOneByOne = false } = {}) {
  const commits = new PageCommits(on, taken.claim, taken.run);
  try {
    for (const one of pages.slice(Number(taken.run.checkpoint ?? 0))) {
      await commits.add(one);
      if (isOneByOne) await commits.settle();
    }
  } finally {
    await commits.settle();
  }
  return commits.run;
}

/** Reads the stored records, the run's undo log and its counters. */
async function stored({ userId }: StartedRun): Promise<unknown> {
  const records = await context.db.execute(sql`
    select id, scopes, hash, data::text, created_sync = changed_sync as own from test_things where user_id = ${userId} order by 1`);
  const undo = await context.db.execute(sql`
    select id, row->>'hash' from record_undo where user_id = ${userId}
    union
    select unnest(external_ids), null from record_added where user_id = ${userId} order by 1, 2`);
  const run = await context.db.execute<{ counters: unknown; checkpoint: unknown }>(sql`
    select counters, checkpoint from syncs where user_id = ${userId}`);
  return { records: records.rows, undo: undo.rows, run: run.rows };
}

/** Counts the database sessions with an open transaction. */
async function openTransactions(): Promise<number> {
  const { rows } = await context.db.execute<{ count: number }>(sql`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and state like 'idle in transaction%'`);
  return rows[0]?.count ?? 0;
}

describe('PageCommits', () => {
  // Property: for random pages and kills, records, undo log and counters equal those of commits page by page.
  // @covers life.process-killed-step
  it('stores the same with overlapping pages and kills as page by page', async () => {
    const seed = Date.now() % 100_000;
    for (let round = 0; round < ROUNDS; round++) {
      const random = seededRandom(seed + round);
      const pages = randomPages(random);
      const pageByPage = await insertRun(context);
      await commitFrom(context, await takeOver(context, pageByPage), pages, { isOneByOne: true });

      const overlapping = await insertRun(context);
      for (let deaths = Math.floor(random() * 3); deaths > 0; deaths--) {
        const death = { afterStatements: 2 + Math.floor(random() * 60), isStatementSent: random() < 0.5 };
        const mortal = openMortalDatabase(context.db.$client.options, death);
        const dying = { ...context, db: mortal };
        await takeOver(dying, overlapping, context.db)
          .then((taken) => commitFrom(dying, taken, pages))
          .catch(() => undefined);
        mortal.kill();
      }
      await commitFrom(context, await takeOver(context, overlapping), pages);

      expect(await stored(overlapping), `seed ${seed + round}`).toEqual(await stored(pageByPage));
      await undoSync(context.db, { ...overlapping, entity: TEST_ENTITY.id }, overlapping.syncId);
      expect(await stored(overlapping)).toMatchObject({ records: [] });
    }
  }, 120_000);

  describe('a page that cannot be committed', () => {
    it('discards the pages after it and leaves no transaction open', async () => {
      const started = await insertRun(context);
      const taken = await takeOver(context, started);
      const broken = { ...record('b', 1), occurredAt: new Date(Number.NaN) };
      const pages = [page(0, [record('a', 1)]), page(1, [broken]), page(2, [record('c', 1)])];
      await expect(commitFrom(context, taken, pages)).rejects.toThrow();
      expect(await stored(started)).toMatchObject({
        records: [{ id: 'a' }],
        run: [{ checkpoint: 1 }],
      });
      expect(await openTransactions()).toBe(0);
    });

    // @covers life.two-syncs-once
    it('writes nothing when another worker has claimed the job', async () => {
      const started = await insertRun(context);
      const first = await takeOver(context, started);
      await takeOver(context, started);
      const pages = [page(0, [record('a', 1)]), page(1, [record('b', 1)])];
      await expect(commitFrom(context, first, pages)).rejects.toThrow(ClaimLost);
      expect(await stored(started)).toMatchObject({ records: [], undo: [] });
      expect(await openTransactions()).toBe(0);
    });
  });

  it('repeats a page that a database crash lost', async () => {
    const started = await insertRun(context);
    const first = await takeOver(context, started);
    const pages = [0, 1, 2].map((index) => page(index, [record(`r${index}`, 1)]));
    const commits = new PageCommits(context, first.claim, first.run);
    for (const one of pages.slice(0, 2)) await commits.add(one);
    await commits.settle();

    // Simulates a database crash before the second page was flushed to disk.
    await context.db.execute(sql`delete from test_things where user_id = ${started.userId} and id = 'r1'`);
    await context.db.execute(sql`update syncs set checkpoint = '1' where user_id = ${started.userId}`);
    await commits.add(pages[2] as FetchedPage);
    await expect(commits.settle()).rejects.toThrow(ClaimLost);

    await commitFrom(context, await takeOver(context, started), pages);
    expect(await stored(started)).toMatchObject({
      records: ['r0', 'r1', 'r2'].map((id) => ({ id })),
      run: [{ checkpoint: 3 }],
    });
  });

  it('writes the records of a page while the previous page is being committed', async () => {
    const started = await insertRun(context);
    const taken = await takeOver(context, started);
    // Locks the run's row, which blocks its commits.
    const holder = await context.db.$client.connect();
    try {
      await holder.query('begin');
      await holder.query('select 1 from syncs where id = $1 for update', [started.syncId]);

      const commits = new PageCommits(context, taken.claim, taken.run);
      await commits.add(page(0, [record('a', 1)]));
      await commits.add(page(1, [record('b', 1)]));

      // One page waits for the row lock; the lock holder and the second page are idle in transaction.
      await vi.waitFor(async () => expect(await openTransactions()).toBe(2), {
        timeout: 60_000,
        interval: 20,
      });

      await holder.query('commit');
      await commits.settle();
      expect(commits.run.checkpoint).toBe(2);
    } finally {
      holder.release(true);
    }
  });
});
