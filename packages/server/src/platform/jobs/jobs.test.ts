import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { until } from '../../../test-support/syncing.ts';
import { openTestDatabase } from '../../../test-support/test-database.ts';
import { createLogger } from '../log.ts';
import { createMetrics } from '../metrics.ts';
import { type JobAttempt, JobLost, Jobs, POLLING_S } from './jobs.ts';

const RETRY = { expireInSeconds: 60, retryLimit: 5, retryDelay: 0 };
const QUEUES = [
  { name: 'plain', ...RETRY },
  { name: 'single', policy: 'exclusive' as const, ...RETRY },
  { name: 'mortal', ...RETRY, heartbeatSeconds: 10 },
  { name: 'hasty', ...RETRY, expireInSeconds: 1, retryLimit: 0 },
];
const later = () => new Date(Date.now() + 3_600_000);

let database: Awaited<ReturnType<typeof openTestDatabase>>;
let jobs: Jobs;
let metrics: ReturnType<typeof createMetrics>;
const started: Jobs[] = [];

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database?.close());
beforeEach(async () => {
  metrics = createMetrics();
  jobs = await start();
});
afterEach(async () => {
  await Promise.all(started.splice(0).map((one) => one.stop(1000)));
  await database.db.$client.query('delete from pgboss.job');
});

/** Creates the jobs of another process. */
async function start(log = createLogger('silent')): Promise<Jobs> {
  const { connectionString } = database.db.$client.options;
  const one = new Jobs({ connectionString }, QUEUES, { log, metrics });
  started.push(one);
  await one.start();
  return one;
}

async function failuresOf(queue: string): Promise<number | undefined> {
  const { values } = await metrics.jobFailures.get();
  return values.find(({ labels }) => labels.queue === queue)?.value;
}

/** Collects the data of the jobs that a queue runs. */
async function collect(queue: string, from = jobs): Promise<unknown[]> {
  const seen: unknown[] = [];
  await from.work(queue, { concurrency: 1 }, async ({ data }) => void seen.push(data));
  return seen;
}

describe('a job sent in a transaction', () => {
  it('is stored with its rows and runs', async () => {
    const seen = await collect('plain');
    await database.db.transaction((tx) => jobs.send('plain', { n: 1 }, { db: tx }));
    await until(() => seen.length > 0);
    expect(seen).toEqual([{ n: 1 }]);
  });

  it('is not stored when the transaction is rolled back', async () => {
    const boom = new Error('boom');
    const rolledBack = database.db.transaction(async (tx) => {
      await jobs.send('plain', { n: 1 }, { db: tx });
      throw boom;
    });
    await expect(rolledBack).rejects.toBe(boom);
    const { rows } = await database.db.$client.query('select from pgboss.job');
    expect(rows).toHaveLength(0);
  });
});

describe('a queue', () => {
  it('runs waiting jobs without a pause between them', async () => {
    const count = 60;
    for (let n = 0; n < count; n++) await jobs.send('plain', { n });
    const begun = performance.now();
    const seen = await collect('plain');
    await until(() => seen.length === count);
    // The pauses between polls alone would take this long.
    expect(performance.now() - begun).toBeLessThan((count - 1) * POLLING_S * 1000);
  });

  it('runs the job with the highest priority first', async () => {
    await jobs.send('plain', { n: 'low' });
    await jobs.send('plain', { n: 'high' }, { priority: 5 });
    const seen = await collect('plain');
    await until(() => seen.length === 2);
    expect(seen).toEqual([{ n: 'high' }, { n: 'low' }]);
  });

  it('keeps one job per key when it is exclusive', async () => {
    const key = { singletonKey: 'a', startAfter: later() };
    await jobs.send('single', { n: 1 }, key);
    await jobs.send('single', { n: 2 }, key);
    await jobs.sendAll('single', [
      { data: { n: 3 }, ...key },
      { data: { n: 4 }, ...key, singletonKey: 'b' },
    ]);
    const { rows } = await database.db.$client.query("select data->'n' as n from pgboss.job order by 1");
    expect(rows).toEqual([{ n: 1 }, { n: 4 }]);
  });

  it('logs a database error once and runs jobs afterwards', async () => {
    const warn = vi.fn();
    const debug = vi.fn();
    const noisy = await start(Object.assign(Object.create(createLogger('silent')), { warn, debug }));
    const seen = await collect('plain', noisy);

    await database.db.$client.query('alter table pgboss.job_common rename to away');
    await until(() => debug.mock.calls.length > 0);
    await database.db.$client.query('alter table pgboss.away rename to job_common');

    expect(warn).toHaveBeenCalledOnce();

    await noisy.send('plain', { n: 1 });
    await until(() => seen.length > 0);
  });

  it('applies changed settings at the start of a new version', async () => {
    const { connectionString } = database.db.$client.options;
    const newer = new Jobs({ connectionString }, [{ name: 'plain', ...RETRY, retryLimit: 77 }], {
      log: createLogger('silent'),
      metrics,
    });
    started.push(newer);
    await newer.start();
    const { rows } = await database.db.$client.query(
      "select retry_limit from pgboss.queue where name = 'plain'",
    );
    expect(rows).toEqual([{ retry_limit: 77 }]);
  });
});

describe('an attempt', () => {
  it('is logged with its cause, counted and retried when it throws', async () => {
    const error = vi.fn();
    const noisy = await start(Object.assign(Object.create(createLogger('silent')), { error }));
    const boom = new Error('boom');
    let attempts = 0;
    await noisy.work('plain', { concurrency: 1 }, async () => {
      attempts++;
      if (attempts === 1) throw boom;
    });
    expect(await failuresOf('plain')).toBe(0);
    await noisy.send('plain', {});
    await until(() => attempts === 2);
    expect(error.mock.calls).toMatchObject([[{ err: boom, queue: 'plain' }, 'a job failed']]);
    expect(await failuresOf('plain')).toBe(1);
  });

  it('is aborted and counted when it takes too long', async () => {
    let reason: unknown;
    await jobs.work('hasty', { concurrency: 1 }, ({ signal }) => {
      return new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          reason = signal.reason;
          resolve();
        });
      });
    });
    await jobs.send('hasty', {});
    await until(() => reason !== undefined);
    expect(String(reason)).toContain('took longer than 1 s');
    expect(await failuresOf('hasty')).toBe(1);
  });

  it('completes its job in the transaction of its effects, once', async () => {
    let outcome: unknown;
    await jobs.work('plain', { concurrency: 1 }, async ({ complete }) => {
      await database.db.transaction((tx) => complete(tx));
      outcome = await database.db.transaction((tx) => complete(tx)).catch((error: unknown) => error);
    });
    await jobs.send('plain', {});
    await until(() => outcome !== undefined);
    expect(outcome).toBeInstanceOf(JobLost);
    expect(await failuresOf('plain')).toBe(0);
  });

  it('cannot complete a replaced job, whose replacement runs', async () => {
    const attempts: JobAttempt[] = [];
    const blocked = Promise.withResolvers<void>();
    await jobs.work('single', { concurrency: 2 }, async (attempt) => {
      attempts.push(attempt);
      if (attempts.length === 1) await blocked.promise;
    });
    await jobs.send('single', { n: 1 }, { singletonKey: 'a' });
    await until(() => attempts.length === 1);

    await database.db.transaction((tx) => jobs.replace('single', { n: 2 }, { singletonKey: 'a', db: tx }));
    await until(() => attempts.length === 2);
    expect(attempts.map(({ data }) => data)).toEqual([{ n: 1 }, { n: 2 }]);

    const late = database.db.transaction(async (tx) => attempts[0]?.complete(tx));
    await expect(late).rejects.toBeInstanceOf(JobLost);

    blocked.resolve();
  });

  it('ends without a failure when the process stops; its job runs elsewhere', async () => {
    const first = await start();
    let isBegun = false;
    await first.work('mortal', { concurrency: 1 }, ({ signal }) => {
      isBegun = true;
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    });
    await first.send('mortal', { n: 1 });
    await until(() => isBegun);

    await first.stop(5000);
    expect(await failuresOf('mortal')).toBe(0);

    const seen = await collect('mortal');
    await until(() => seen.length > 0);
    expect(seen).toEqual([{ n: 1 }]);
  });
});
