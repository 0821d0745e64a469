import { type EntityDefinition, ProviderError, type ReadRequest, untilAborted } from '@datadeck/connectors';
import type { Sync } from '@datadeck/contract';
import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { fastClock } from '../../../test-support/fast-clock.ts';
import { awaitEnd, readSync, runSync, SYNCS, startSync } from '../../../test-support/syncing.ts';
import { Client, startTestServer, type TestServer } from '../../../test-support/test-server.ts';
import { ConnectorRegistry, clampWait, saveNotBefore } from '../connections/index.ts';
import { addClientUsage, countersSchema } from './counters.ts';
import { SyncWorker } from './worker.ts';

const ADA = 'ada.nowak@sandbox.example';
const DOTFILES = { owner: 'ada-nowak', repo: 'dotfiles' };
const DAY = 86_400_000;
let server: TestServer;
let ada: Client;
let worker: SyncWorker | undefined;

// Role web: the tests start their own worker.
beforeAll(async () => {
  server = await startTestServer({ ROLE: 'web' }, { clock: fastClock() });
});
afterAll(() => server?.remove());
beforeEach(async () => {
  server.control.reset();
  ada = await new Client(server).signIn(ADA);
  await ada.connect('github', 'ada-nowak');
});
afterEach(async () => {
  await worker?.stop();
  worker = undefined;
  await ada.call('DELETE', '/api/accounts/delete-account');
});

async function work(registry = server.product.registry): Promise<void> {
  const { background, schedulers } = server.product;
  worker = new SyncWorker(background, { registry, schedulers });
  await worker.start(true);
}

function execute(statement: ReturnType<typeof sql>) {
  return server.product.context.db.execute<Record<string, unknown>>(statement);
}

describe('a run with invalid counters', () => {
  let run: Sync;
  beforeEach(async () => {
    run = await startSync(ada, 'gh-pulls', DOTFILES);
    await execute(sql`update syncs set counters = '{"waitedMs": null}' where id = ${run._id}`);
  });

  it('is listed and cancelled', async () => {
    expect(await readSync(ada, run._id)).toMatchObject({ status: 'started', progress: { records: 0 } });
    expect((await ada.call('POST', `${SYNCS}/${run._id}/cancel`)).status).toBeLessThan(300);
    expect(await readSync(ada, run._id)).toMatchObject({ status: 'failed', summary: { waits: 0 } });
  });

  it('finishes', async () => {
    await work();
    expect(await awaitEnd(ada, run._id)).toMatchObject({ status: 'finished', summary: { waits: 0 } });
  });

  it('is listed without the invalid counts of its receipt', async () => {
    await execute(
      sql`update syncs set status = 'finished', summary = '{"waits": null, "added": 3}' where id = ${run._id}`,
    );
    expect((await readSync(ada, run._id)).summary).toEqual({ added: 3 });
  });

  it.each([
    ['POST', '/api/integrations/entities/delete-all-data?provider=github'],
    ['DELETE', '/api/accounts/delete-data'],
    ['DELETE', '/api/accounts/delete-account'],
  ])('is deleted by %s %s', async (method, path) => {
    expect((await ada.call(method, path)).status).toBeLessThan(300);
    expect((await execute(sql`select 1 from syncs where id = ${run._id}`)).rows).toEqual([]);
  });
});

describe('addClientUsage', () => {
  it('treats values that are not finite numbers as 0', () => {
    const before = countersSchema.parse({ requests: 3, units: 'x', waitedMs: null });
    expect(before).toMatchObject({ requests: 3, units: 0, waitedMs: 0 });
    const usage = { requests: 2, units: Number.POSITIVE_INFINITY, waitedMs: Number.NaN };
    expect(addClientUsage(before, usage)).toMatchObject({ requests: 5, units: 0, waitedMs: 0 });
  });
});

describe('clampWait and saveNotBefore', () => {
  it('limits each wait for a provider to one day', async () => {
    const now = Date.now();
    expect(clampWait(new Date(now + 5000), now)).toEqual(new Date(now + 5000));
    for (const absurd of [new Date(8.64e15), new Date(Number.NaN)])
      expect(clampWait(absurd, now)).toEqual(new Date(now + DAY));

    const { rows } = await execute(sql`select user_id, id from connections where provider = 'github'`);
    const [{ user_id: userId, id }] = rows as [{ user_id: string; id: string }];
    await execute(sql`update connections set not_before = '9999-01-01' where id = ${id}`);
    for (const asked of [new Date(8.64e15), new Date(now + 5000)]) {
      await saveNotBefore(server.product.context.db, { userId, id }, asked, now);
      const { rows: kept } = await execute(
        sql`select extract(epoch from not_before)::float8 * 1000 as ms from connections where id = ${id}`,
      );
      expect(kept[0]?.ms).toBeCloseTo(now + DAY, 0);
    }
  });
});

describe('a run with a failing provider', () => {
  it('is released even if its wait cannot be stored', async () => {
    await execute(sql`alter table connections add constraint no_wait check (not_before is null)`);
    try {
      server.control.fault({
        name: 'github-primary-limit',
        match: { api: 'github' },
        times: Number.POSITIVE_INFINITY,
        options: { seconds: 3000 },
      });
      const run = await startSync(ada, 'gh-pulls', DOTFILES);

      await work();
      await vi.waitFor(async () => {
        const { rows } = await execute(
          sql`select state, start_after = waiting_until and waiting_until > now() as waits
          from syncs s join pgboss.job j on j.id = s.job_id where s.id = ${run._id}`,
        );
        expect(rows).toEqual([{ state: 'retry', waits: true }]);
      }, 60_000);
    } finally {
      await execute(sql`alter table connections drop constraint no_wait`);
    }
  });

  it('includes failed requests in its receipt', async () => {
    const fault = server.control.fault({
      name: 'connection-reset',
      match: { api: 'github' },
      times: Number.POSITIVE_INFINITY,
    });

    await work();
    const ended = await runSync(ada, 'gh-pulls', DOTFILES, { timeoutMs: 90_000 });
    expect(ended).toMatchObject({ status: 'failed', summary: { added: 0 } });
    expect(fault.hits).toBeGreaterThan(1);
    expect(ended.summary.requests).toBe(fault.hits);
  }, 100_000);
});

/**
 * Returns the product's connectors with reads that wait and yield nothing. @param ending rejects to end the reads with
 * an error
 */
function waitingRegistry(ending: Promise<never>): { registry: ConnectorRegistry; isReading: () => boolean } {
  let reads = 0;
  const connectors = server.product.registry.all().map((connector) => ({
    ...connector,
    entities: connector.entities.map((entity) => ({
      ...entity,
      async *read() {
        reads++;
        yield await ending;
        return { cursor: null, truncated: false };
      },
    })),
  }));
  return { registry: new ConnectorRegistry(connectors), isReading: () => reads > 0 };
}

describe('a worker that fails after losing its run', () => {
  /** Runs a sync, executes the statement while it reads, then makes its worker fail. */
  async function failAfter(statement: (id: string) => ReturnType<typeof sql>): Promise<Sync> {
    const ending = Promise.withResolvers<never>();
    const { registry, isReading } = waitingRegistry(ending.promise);
    const run = await startSync(ada, 'gh-pulls', DOTFILES);
    await work(registry);
    await vi.waitFor(() => expect(isReading()).toBe(true), 10_000);
    await execute(statement(run._id));
    ending.reject(new ProviderError('unavailable', 'GitHub did not answer.'));
    const { runningSyncs } = server.product.background.metrics;
    await vi.waitFor(async () => expect((await runningSyncs.get()).values[0]?.value).toBe(0), 10_000);
    await worker?.stop();
    return run;
  }

  const usedRuns = async () =>
    (await execute(sql`select runs from sync_usage where entity = 'gh-pulls'`)).rows.map(({ runs }) => runs);

  it('leaves the run to the worker that claimed it', async () => {
    const run = await failAfter(
      (id) =>
        sql`with other as (
            update pgboss.job set retry_count = retry_count + 1 where id = (select job_id from syncs where id = ${id})
          ) update syncs set job_attempt = job_attempt + 1 where id = ${id}`,
    );

    expect((await readSync(ada, run._id)).status).toBe('started');
    expect(await usedRuns()).toEqual([1]);

    // As the only process, a worker takes over every active job.
    await work();
    expect(await awaitEnd(ada, run._id)).toMatchObject({ status: 'finished' });
  });

  it('still counts the run if another worker has finished it', async () => {
    const run = await failAfter((id) => sql`update syncs set status = 'finished' where id = ${id}`);
    expect((await readSync(ada, run._id)).status).toBe('finished');
    expect(await usedRuns()).toEqual([1]);
  });
});

describe('a connector that ignores the abort signal', () => {
  it('delays neither the stop of the worker nor its run', async () => {
    const { registry, isReading } = waitingRegistry(new Promise(() => undefined));
    const run = await startSync(ada, 'gh-pulls', DOTFILES);
    await work(registry);
    await vi.waitFor(() => expect(isReading()).toBe(true), 60_000);

    // Without the abort this would wait forever.
    await worker?.stop();
    const { rows } = await execute(
      sql`select status, state from syncs s join pgboss.job j on j.id = s.job_id where s.id = ${run._id}`,
    );
    expect(rows).toEqual([{ status: 'started', state: 'retry' }]);

    await work();
    expect(await awaitEnd(ada, run._id)).toMatchObject({ status: 'finished' });
  });
});

describe('untilAborted', () => {
  it('rejects on an aborted signal and otherwise returns the result', async () => {
    const reason = new Error('stop');
    await expect(untilAborted(new Promise(() => undefined), AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(await untilAborted(Promise.resolve(1), new AbortController().signal)).toBe(1);
  });
});

describe('a sync with a defective connector', () => {
  /** Returns the product's connectors with modified reads. */
  function changedRegistry(
    change: (pages: ReturnType<EntityDefinition['read']>) => ReturnType<EntityDefinition['read']>,
  ) {
    return new ConnectorRegistry(
      server.product.registry.all().map((connector) => ({
        ...connector,
        entities: connector.entities.map((entity) => ({
          ...entity,
          read: (request: ReadRequest) => change(entity.read(request)),
        })),
      })),
    );
  }

  /** Yields the first page forever. */
  async function* endless(pages: ReturnType<EntityDefinition['read']>) {
    const first = await pages.next();
    if (first.done) return first.value;
    const { checkpoint, records } = first.value;
    for (let page = 0; ; page++) yield { records, checkpoint: { ...(checkpoint as object), page } };
  }

  async function* undated(pages: ReturnType<EntityDefinition['read']>) {
    for (;;) {
      const next = await pages.next();
      if (next.done) return next.value;
      const records = next.value.records.map((record) => ({ ...record, occurredAt: new Date(8e15) }));
      yield { ...next.value, records };
    }
  }

  it.each([
    ['an endless read', endless],
    ['dates that the database cannot store', undated],
  ])('fails on %s, and the next run reads everything', async (_defect, change) => {
    await work(changedRegistry(change));
    const failed = await runSync(ada, 'gh-pulls', DOTFILES);
    expect(failed).toMatchObject({ status: 'failed' });
    expect(failed.summary.errMessage).toMatch(/went wrong in Datadeck itself/);

    await worker?.stop();
    await work();
    const finished = await runSync(ada, 'gh-pulls', DOTFILES);
    expect(finished).toMatchObject({ status: 'finished' });
    expect(finished.summary.entitiesSynced).toBe(finished.summary.total);
  });

  it('runs in full after a run that returned no cursor', async () => {
    await work();
    await runSync(ada, 'gh-pulls', DOTFILES);
    expect((await runSync(ada, 'gh-pulls', DOTFILES)).summary.incremental).toBe(true);

    await worker?.stop();
    await work(
      changedRegistry(async function* (pages) {
        return { ...(yield* pages), cursor: null };
      }),
    );

    await runSync(ada, 'gh-pulls', DOTFILES);
    expect((await runSync(ada, 'gh-pulls', DOTFILES)).summary.incremental).toBe(false);
  });
});
