import { type SQL, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { awaitEnd, readSync, SYNCS, startSync } from '../../../test-support/syncing.ts';
import { takeJob } from '../../../test-support/take-job.ts';
import { Client, startTestServer, type TestServer } from '../../../test-support/test-server.ts';
import type { Context } from '../../platform/context/index.ts';
import { ConnectorRegistry } from '../connections/index.ts';
import { type Claim, ClaimLost, claimRun, lockRun, releaseRun, storeShortWait } from './claim.ts';
import { countersSchema } from './counters.ts';
import { SYNC_QUEUE, sendMissingJobs } from './queue.ts';
import { SyncWorker } from './worker.ts';

const ADA = 'ada.nowak@sandbox.example';
const DOTFILES = { owner: 'ada-nowak', repo: 'dotfiles' };
let server: TestServer;
let context: Context;
let ada: Client;
let userId: string;
let syncId: string;
let worker: SyncWorker | undefined;

// Role web: the tests start their own worker.
beforeAll(async () => {
  server = await startTestServer({ ROLE: 'web' });
  context = server.product.context;
  ada = await new Client(server).signIn(ADA);
  await ada.connect('github', 'ada-nowak');
  const { rows } = await context.db.execute<{ id: string }>(sql`select id from users`);
  userId = rows[0]?.id ?? '';
});
beforeEach(async () => {
  syncId = (await startSync(ada, 'gh-pulls', DOTFILES))._id;
});
afterEach(async () => {
  await worker?.stop();
  worker = undefined;
  await ada.call('DELETE', '/api/accounts/delete-data');
});
afterAll(() => server?.remove());

async function work(registry = server.product.registry, isOnlyProcess = false): Promise<void> {
  worker = new SyncWorker(server.product.background, { registry, schedulers: server.product.schedulers });
  await worker.start(isOnlyProcess);
}

/** Returns the product's connectors with reads that never end. */
function endlessRegistry(): { registry: ConnectorRegistry; read: () => void } {
  const read = vi.fn();
  const connectors = server.product.registry.all().map((connector) => ({
    ...connector,
    entities: connector.entities.map((entity) => ({
      ...entity,
      async *read() {
        read();
        yield await new Promise<never>(() => undefined);
        return { cursor: null, truncated: false };
      },
    })),
  }));
  return { registry: new ConnectorRegistry(connectors), read };
}

async function fetchJob(): Promise<Claim> {
  return { userId, syncId, ...(await takeJob(context.db, syncId)) };
}

interface Job {
  state: string;
  attempt: number;
  heartbeat: string;
  is_due: boolean;
}

async function execute(statement: SQL): Promise<unknown[]> {
  return (await context.db.execute(statement)).rows;
}

/** Reads all jobs ever sent for the sync, newest first. */
async function jobs(): Promise<Job[]> {
  const rows = await execute(sql`
    select state, retry_count as attempt, heartbeat_on::text as heartbeat, start_after <= now() as is_due
    from pgboss.job where name = 'sync' and data->>'syncId' = ${syncId} order by created_on desc`);
  return rows as Job[];
}

describe('the fencing token', () => {
  it('lets the worker with the active attempt write', async () => {
    const claim = await fetchJob();
    expect(await claimRun(context, claim)).toMatchObject({ jobId: claim.jobId, jobAttempt: 0 });
    await expect(lockRun(context.db, claim)).resolves.toBeUndefined();
  });

  it('refuses a worker whose run another one has claimed', async () => {
    const first = await fetchJob();
    await claimRun(context, first);
    const second = await fetchJob();
    await claimRun(context, second);
    expect(await claimRun(context, first)).toBeUndefined();
    await expect(lockRun(context.db, first)).rejects.toThrow(ClaimLost);
    await expect(lockRun(context.db, second)).resolves.toBeUndefined();
  });

  it('refuses a late worker before the next one has claimed the run', async () => {
    const late = await fetchJob();
    await fetchJob();
    expect(await claimRun(context, late)).toBeUndefined();
  });

  it('refuses a worker whose heartbeat ended before another one fetches the job', async () => {
    const late = await fetchJob();
    await execute(sql`update pgboss.job set state = 'retry' where id = ${late.jobId}`);
    expect(await claimRun(context, late)).toBeUndefined();
  });

  it('differs between a job and its replacement', async () => {
    const late = await fetchJob();
    await claimRun(context, late);
    await execute(sql`delete from pgboss.job where id = ${late.jobId}`);
    await sendMissingJobs(context);
    const next = await fetchJob();
    expect(next).toMatchObject({ attempt: late.attempt });
    expect(await claimRun(context, next)).toBeDefined();
    await expect(lockRun(context.db, late)).rejects.toThrow(ClaimLost);
  });
});

describe('storeShortWait', () => {
  it('does not replace the wait with which the run was released', async () => {
    const claim = await fetchJob();
    const run = await claimRun(context, claim);
    const releasedUntil = new Date(Date.now() + 120_000);
    await releaseRun(context, claim, countersSchema.parse(run?.counters), releasedUntil);

    await storeShortWait(context, claim, new Date(Date.now() + 60_000));

    const { progress } = await readSync(ada, syncId);
    expect(progress).toMatchObject({ phase: 'waiting', retryAt: releasedUntil.toISOString() });
  });
});

describe('the job of a sync', () => {
  it('is stored with the sync and no other is sent', async () => {
    await Promise.all([sendMissingJobs(context), sendMissingJobs(context)]);
    expect(await jobs()).toMatchObject([{ state: 'created', attempt: 0 }]);
  });

  it('is sent again when it is lost and runs the sync', async () => {
    await execute(sql`update pgboss.job set state = 'failed' where name = 'sync'`);
    await Promise.all([sendMissingJobs(context), sendMissingJobs(context)]);
    await work();
    expect(await awaitEnd(ada, syncId)).toMatchObject({ status: 'finished' });
    await vi.waitFor(async () => {
      const states = (await jobs()).map(({ state }) => state).sort();
      expect([...new Set(states)]).toEqual(['completed', 'failed']);
    });
  });

  it('is cancelled with the sync', async () => {
    await ada.post(`${SYNCS}/${syncId}/cancel`);
    expect(await jobs()).toMatchObject([{ state: 'cancelled' }]);
  });

  it('waits while the records of its entity are backfilled', async () => {
    await execute(sql`
      insert into legacy_records (user_id, connection_id, entity, external_id, scopes, occurred_at, hash, facets, facets_version, data, created_sync, changed_sync)
      select user_id, connection_id, entity, 'x', '{}', now(), 'x', '{}', 1, '{}', id, id from syncs where id = ${syncId}`);
    await work();
    await vi.waitFor(async () => expect(await jobs()).toMatchObject([{ state: 'retry', is_due: false }]));
    expect(await readSync(ada, syncId)).toMatchObject({ status: 'started', progress: { phase: 'queued' } });
    await execute(sql`delete from legacy_records`);
    expect(await awaitEnd(ada, syncId)).toMatchObject({ status: 'finished' });
  });
});

describe('SyncWorker', () => {
  it('sends heartbeats while it runs a sync', async () => {
    await work(endlessRegistry().registry);
    const firstHeartbeat = await vi.waitFor(async () => {
      const [job] = await jobs();
      expect(job?.state).toBe('active');
      return job?.heartbeat;
    });
    await vi.waitFor(async () => expect((await jobs())[0]?.heartbeat).not.toBe(firstHeartbeat), 10_000);
  });

  it('stops a run when another worker claims its job', async () => {
    const { registry, read } = endlessRegistry();
    await work(registry);
    await vi.waitFor(() => expect(read).toHaveBeenCalledOnce(), 10_000);
    await fetchJob();
    const { runningSyncs } = server.product.background.metrics;
    await vi.waitFor(async () => expect((await runningSyncs.get()).values[0]?.value).toBe(0), 10_000);
    // The other worker's attempt stays active.
    expect(await jobs()).toMatchObject([{ state: 'active', attempt: 1 }]);
  });

  it('continues the run of a worker whose heartbeats ended', async () => {
    await claimRun(context, await fetchJob());
    await execute(
      sql`update pgboss.job set heartbeat_on = now() - ${`${SYNC_QUEUE.heartbeatSeconds} seconds`}::interval where name = 'sync'`,
    );
    await work();
    expect(await awaitEnd(ada, syncId, { timeoutMs: 25_000 })).toMatchObject({ status: 'finished' });
  });

  it('continues runs at once when it is the only process', async () => {
    await claimRun(context, await fetchJob());
    await work(endlessRegistry().registry, true);
    await vi.waitFor(async () => expect(await jobs()).toMatchObject([{ state: 'active', attempt: 1 }]), 8000);
  });

  it('retries after a pause when it cannot store the failure of a run', async () => {
    await execute(sql`alter table syncs add constraint no_end check (status <> 'failed')`);
    const failing = new ConnectorRegistry(
      server.product.registry.all().map((connector) => ({
        ...connector,
        entities: connector.entities.map((entity) => ({
          ...entity,
          // biome-ignore lint/correctness/useYield: it fails before its first page.
          async *read() {
            throw new Error('boom');
          },
        })),
      })),
    );

    try {
      await work(failing);
      await vi.waitFor(async () => expect(await jobs()).toMatchObject([{ state: 'retry', is_due: false }]));
      await vi.waitFor(async () => expect((await jobs())[0]?.attempt).toBeGreaterThan(0), 15_000);
      const metrics = await (await fetch(`${server.url}/metrics`)).text();
      expect(metrics).toMatch(/^datadeck_job_failures_total\{queue="sync"\} [1-9]/m);
    } finally {
      await execute(sql`alter table syncs drop constraint no_end`);
    }
    expect(await awaitEnd(ada, syncId, { timeoutMs: 30_000 })).toMatchObject({ status: 'failed' });
  });
});
