import { type SQL, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hastenJobs, jobsOf } from '../../../test-support/jobs.ts';
import { shareServer } from '../../../test-support/shared-server.ts';
import { runSync, SYNCS, until } from '../../../test-support/syncing.ts';
import { Client, type TestServer } from '../../../test-support/test-server.ts';
import { BACKFILL_QUEUE, workOnBackfills } from './index.ts';

const queue = BACKFILL_QUEUE.name;
let server: TestServer;
let ada: Client;
let last: string;

beforeAll(async () => {
  server = await shareServer();
  ada = await new Client(server).signIn('ada.nowak@sandbox.example');
  await ada.connect('github', 'ada-nowak');
  await ada.connect('google', 'ada.nowak@sandbox.example');
  ({ _id: last } = await runSync(ada, 'gh-pulls', { owner: 'ada-nowak', repo: 'dotfiles' }));
  await runSync(ada, 'gmail-labels');
});
afterAll(() => server?.remove());

const execute = async (statement: SQL) => (await server.product.context.db.execute(statement)).rows;

/** Waits for the backfill at startup, then marks all records as extracted by an older version. */
beforeEach(async () => {
  await until(async () => (await jobsOf(server, queue)).length === 0);
  for (const table of ['gh_pulls', 'gmail_labels', 'record_versions'])
    await execute(sql`update ${sql.identifier(table)} set extraction = 0`);
});

const unprepared = async () =>
  (await execute(sql`select entity from record_versions where extraction = 0`)).map(({ entity }) => entity);

const enqueue = () => server.product.context.jobs.send(queue, {}, { singletonKey: 'all' });

async function failures(): Promise<number> {
  const { values } = await server.product.context.metrics.jobFailures.get();
  return values.find(({ labels }) => labels.queue === queue)?.value ?? 0;
}

describe('the backfill job', () => {
  it('runs at startup without waiting for the job of a dead process', async () => {
    await execute(sql`
    insert into pgboss.job (name, policy, singleton_key, state, started_on, heartbeat_on, heartbeat_seconds)
    values (${queue}, 'exclusive', 'all', 'active', now(), now(), 3600)`);
    await enqueue();
    expect((await jobsOf(server, queue)).map(({ state }) => state)).toEqual(['active']);
    await workOnBackfills(server.product.background, server.product.registry);
    await until(async () => (await unprepared()).length === 0);
  });

  it('counts and retries a source that fails, and completes the others', async () => {
    await execute(
      sql`create function refuse() returns trigger language plpgsql as 'begin raise exception ''no''; end'`,
    );
    await execute(
      sql`create trigger refuse before update on gmail_labels for each row when (new.extraction > 0) execute function refuse()`,
    );

    const before = await failures();
    await enqueue();
    await until(async () => (await failures()) > before);
    expect(await unprepared()).toEqual(['gmail-labels']);

    await execute(sql`drop function refuse cascade`);
    await until(async () => {
      await hastenJobs(server, queue);
      return (await unprepared()).length === 0;
    });
  });

  it('starts after an undo, which may restore records of an older extraction', async () => {
    await enqueue();
    await until(async () => (await unprepared()).length === 0);
    await until(async () => (await jobsOf(server, queue)).length === 0);
    await execute(sql`update gmail_labels set extraction = 0`);
    await execute(sql`update record_versions set extraction = 0 where entity = 'gmail-labels'`);

    await ada.json('DELETE', `${SYNCS}/${last}`);
    await until(async () => (await unprepared()).length === 0);
  });
});
