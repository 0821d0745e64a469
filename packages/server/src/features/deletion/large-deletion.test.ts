import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shareServer } from '../../../test-support/shared-server.ts';
import { runSync, SYNCS, until } from '../../../test-support/syncing.ts';
import { Client, type TestServer } from '../../../test-support/test-server.ts';
import { DeletionWorker } from './index.ts';

/** More than one transaction of a deletion removes. */
const RECORDS = 6000;
const COUNT = '/api/integrations/entities/aggregation/gh-pulls/pulls-all?page=1';
const SETTINGS = { owner: 'ada-nowak', repo: 'dotfiles' };
let server: TestServer;
let ada: Client;
let other: Client;
let userId: string;

beforeAll(async () => {
  server = await shareServer();
  ada = await new Client(server).signIn('ada.nowak@sandbox.example');
  await ada.connect('github', 'ada-nowak');
  userId = (await ada.get<{ _id: string }>('/api/accounts'))._id;
  other = await new Client(server).demo();
});
afterAll(() => server?.remove());

async function execute<T extends Record<string, unknown>>(statement: ReturnType<typeof sql>): Promise<T[]> {
  return (await server.product.context.db.execute(statement)).rows as T[];
}

async function remaining(): Promise<number> {
  const [row] = await execute<{ count: number }>(
    sql`select count(*)::int as count from gh_pulls where id like 'many-%'`,
  );
  return row?.count ?? 0;
}

/** Stores many records of about 2 kB in addition to those of a sync. */
async function store(count: number): Promise<void> {
  await runSync(ada, 'gh-pulls', SETTINGS);
  await execute(sql`
    insert into gh_pulls (user_id, connection_id, id, scopes, occurred_at, hash, extraction, created_sync, changed_sync, data)
    select user_id, connection_id, 'many-' || n, scopes, occurred_at, hash, extraction, created_sync, changed_sync,
      json_build_object('text', repeat(md5(n::text), 60))
    from (select * from gh_pulls where user_id = ${userId} limit 1) r, generate_series(1, ${count}) n`);
}

/** Runs a sync during the deletion, which keeps its records, and waits for the end of both. */
async function runSyncUntilDeleted() {
  const sync = await runSync(ada, 'gh-pulls', SETTINGS);
  await until(async () => (await remaining()) === 0);
  return sync;
}

/** Sends requests of another user until `work` has ended. @returns how many were answered */
async function countAnswersUntil(work: Promise<unknown>): Promise<number> {
  let answers = 0;
  let isOver = false;
  const end = () => {
    isOver = true;
  };
  work.then(end, end);
  for (; !isOver; answers++) await other.get('/api/accounts');
  return answers;
}

/** Calls `work` while a transaction locks one of the records, so that no deletion can end. */
async function whileLocked(work: () => Promise<void>): Promise<void> {
  const client = await server.product.context.db.$client.connect();
  try {
    await client.query("begin; select 1 from gh_pulls where id = 'many-1' for update");
    await work();
    await client.query('commit');
  } finally {
    client.release(true);
  }
}

describe('a large deletion', () => {
  it('is answered before its end, hides all rows at once and blocks no other user', async () => {
    await store(RECORDS);

    await whileLocked(async () => {
      await ada.post('/api/integrations/entities/delete-all-data?provider=github');
      expect(await ada.get(COUNT)).toMatchObject({ count: 0 });
      expect(await ada.get(`${SYNCS}?providers=github`)).toEqual([]);
    });

    const deleting = runSyncUntilDeleted();
    const answers = await countAnswersUntil(deleting);
    const sync = await deleting;
    expect(sync).toMatchObject({ status: 'finished', summary: { incremental: false } });
    // bench/deletion.ts measures the delay.
    expect(answers).toBeGreaterThan(2);
    expect(await ada.get(COUNT)).toMatchObject({ count: sync.summary.entitiesSynced });
  }, 120_000);

  it('is finished by another process when its own one is killed', async () => {
    await store(5000);
    const [connection] = await execute<{ user_id: string; id: string }>(
      sql`select user_id, id from connections where provider = 'github' and user_id = ${userId}`,
    );
    // Simulates a process that is killed after the deletion's transaction.
    const oldId = connection?.id;
    await execute(sql`update connections set id = gen_random_uuid() where id = ${oldId}`);
    const dead = new DeletionWorker(server.product.background);
    await execute(sql`
    insert into deletions (id, account_id, connection_id, claimed_until)
    values (gen_random_uuid(), ${connection?.user_id}, ${oldId}, now() + interval '2 seconds')`);
    await dead.stop();

    await until(async () => (await remaining()) === 0);
    const countRemaining = async (table: string) =>
      (await execute(sql`select 1 from ${sql.identifier(table)} where connection_id = ${oldId} limit 1`))
        .length;
    await until(async () => (await countRemaining('syncs')) + (await countRemaining('record_added')) === 0);

    // The final pass follows later, then the deletion is removed.
    const makeFinalPassDue = () =>
      execute(
        sql`update deletions set swept_at = now() - interval '1 hour' where connection_id = ${oldId} and swept_at is not null returning id`,
      );
    await until(async () => (await makeFinalPassDue()).length === 1);
    await until(async () => (await countRemaining('deletions')) === 0);
  }, 60_000);
});
