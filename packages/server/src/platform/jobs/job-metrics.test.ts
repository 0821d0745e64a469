import { Registry } from 'prom-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase } from '../../../test-support/test-database.ts';
import { createLogger } from '../log.ts';
import { createMetrics } from '../metrics.ts';
import { countUnfinishedJobs, exportWaitingJobs, readWaitingJobs } from './job-metrics.ts';
import { Jobs } from './jobs.ts';

const QUEUES = [
  { name: 'idle', expireInSeconds: 60 },
  { name: 'stuck', expireInSeconds: 60 },
  { name: 'retried', expireInSeconds: 60 },
];

let database: Awaited<ReturnType<typeof openTestDatabase>>;
let jobs: Jobs;

beforeAll(async () => {
  database = await openTestDatabase();
  const { connectionString } = database.db.$client.options;
  jobs = new Jobs({ connectionString }, QUEUES, { log: createLogger('silent'), metrics: createMetrics() });
  await jobs.start();
});
afterAll(async () => {
  await jobs?.stop(1000);
  await database?.close();
});

/** Returns the series of a fresh registry as `name{labels}` and value. */
async function scrape(db = database.db): Promise<Record<string, number>> {
  const registry = new Registry();
  exportWaitingJobs(registry, db, QUEUES);
  const lines = (await registry.metrics()).split('\n').filter((line) => line.startsWith('datadeck'));
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]),
  );
}

describe('the counts of unfinished jobs', () => {
  it('count a failed job as waiting once it is due again, and never twice', async () => {
    for (let n = 0; n < 4; n++) await jobs.send('retried', {});
    const { $client: client } = database.db;
    await client.query(`
      update pgboss.job set state = case n when 1 then 'retry' when 2 then 'retry' when 3 then 'failed' else 'active' end
          ::pgboss.job_state, start_after = case n when 2 then now() + interval '1 hour' else now() end
        from (select id as which, row_number() over (order by id) as n from pgboss.job where name = 'retried') as numbered
        where name = 'retried' and id = which`);
    expect(await countUnfinishedJobs(database.db)).toContainEqual({
      queue: 'retried',
      running: 1,
      failed: 2,
    });
    expect(await readWaitingJobs(database.db, ['retried'])).toMatchObject([{ waiting: 1 }]);
  });
});

describe('the metrics of waiting jobs', () => {
  it('count due jobs and the age of the oldest, by queue', async () => {
    await jobs.send('stuck', {}, { startAfter: new Date(Date.now() - 90_000) });
    await jobs.send('stuck', {});
    await jobs.send('stuck', {}, { startAfter: 3600 });
    const series = await scrape();
    expect(series).toMatchObject({
      'datadeck_jobs_waiting{queue="stuck"}': 2,
      'datadeck_jobs_waiting{queue="idle"}': 0,
      'datadeck_job_oldest_waiting_seconds{queue="idle"}': 0,
    });
    expect(series['datadeck_job_oldest_waiting_seconds{queue="stuck"}']).toBeGreaterThanOrEqual(90);
    expect(series['datadeck_job_oldest_waiting_seconds{queue="stuck"}']).toBeLessThan(120);
  });

  it('are missing while the database does not answer', async () => {
    const silent = { execute: () => new Promise(() => undefined) } as never;
    expect(await scrape(silent)).toEqual({});
    const broken = { execute: () => Promise.reject(new Error('closed')) } as never;
    expect(await scrape(broken)).toEqual({});
  });

  it('read the database once in five seconds', async () => {
    let reads = 0;
    const counting = { execute: async () => ({ rows: [], n: reads++ }) } as never;
    const registry = new Registry();
    exportWaitingJobs(registry, counting, QUEUES);
    await Promise.all([registry.metrics(), registry.metrics()]);
    await registry.metrics();
    expect(reads).toBe(1);
  });
});
