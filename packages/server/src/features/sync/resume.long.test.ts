import { setTimeout as sleep } from 'node:timers/promises';
import { productSettings, type StartedSandbox, startSandbox } from '@datadeck/test-sandbox';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { ChildServer } from '../../../test-support/child-server.ts';
import { MortalCluster } from '../../../test-support/mortal-cluster.ts';
import { seededRandom } from '../../../test-support/seeded-random.ts';
import { awaitEnd, readSync, startSync } from '../../../test-support/syncing.ts';
import { makeTemporaryFolder, removeDataFolder } from '../../../test-support/temporary-folder.ts';
import { Client } from '../../../test-support/test-server.ts';
import {
  type WatchedCollection,
  watchedInbox,
  watchedPulls,
} from '../../../test-support/watched-collections.ts';
import { findFreePort } from '../../app/http/listen.ts';
import { findRunningPostgres } from '../../platform/embedded-postgres/launcher.ts';

/** Number of kills: CI uses 40 on Debian's PostgreSQL. KILLS and SEED repeat or extend a run. */
const KILLS = Number(process.env.KILLS ?? 10);
const random = seededRandom(Number(process.env.SEED ?? Date.now() % 1_000_000));
/** Factor of the providers' quotas: with many kills so small that runs must wait, otherwise so large that none waits. */
const QUOTA_SCALE = KILLS > 20 ? 2 : 20;
/** Set to use a cluster of Debian's packages with two servers on it, each both web server and worker. */
const { TEST_POSTGRES_BIN } = process.env;
/** After this many kills the runs may finish and are compared with the provider; then new runs start. */
const KILLS_PER_ROUND = 7;
/** Maximum time without progress after a run's worker died. */
const TAKEOVER_MS = 30_000;
const [ADA, JONAS, MEI] = [
  'ada.nowak@sandbox.example',
  'jonas.weber@sandbox.example',
  'mei.tanaka@sandbox.example',
] as const;

let sandbox: StartedSandbox;
let cluster: MortalCluster | undefined;
let servers: ChildServer[];
const folders: string[] = [];

// The servers run in child processes and the providers in this one, so that providers survive the kills.
beforeAll(async () => {
  sandbox = await startSandbox({ latencyMs: 25, quotaScale: QUOTA_SCALE });
  cluster = TEST_POSTGRES_BIN === undefined ? undefined : await MortalCluster.make(TEST_POSTGRES_BIN);
  const environment = {
    ...productSettings(sandbox),
    GMAIL_UNITS_PER_MINUTE: String(6000 * QUOTA_SCALE),
    GITHUB_POINTS_PER_MINUTE: String(900 * QUOTA_SCALE),
    ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    ...(cluster ? { DATABASE_URL: cluster.url } : {}),
  };
  servers = [];
  for (let count = cluster ? 2 : 1; count > 0; count--) {
    const folder = makeTemporaryFolder('datadeck-kill-');
    folders.push(folder);
    const PORT = String(await findFreePort('127.0.0.1'));
    const server = new ChildServer({ ...environment, DATA_DIR: folder, PORT }, true);
    servers.push(server);
    await server.start();
  }
});

afterAll(async () => {
  await Promise.all((servers ?? []).map((server) => server.dispose()));
  await sandbox?.close();
  await cluster?.remove();
  for (const folder of folders) removeDataFolder(folder);
});

/** Queries the database directly; a server may still have broken connections shortly after a kill. */
async function query<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
  const client = new pg.Client(
    cluster ? { connectionString: cluster.url } : await findRunningPostgres(folders[0] ?? ''),
  );
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}

/** A provider's collection and the user who synchronises it. */
interface Synced {
  client: Client;
  collection: WatchedCollection;
}

const [first, second] = [() => servers[0] as ChildServer, () => servers[1] as ChildServer];

async function signIn(email: string, github: string): Promise<Client> {
  const client = await new Client(first()).signIn(email);
  expect(await client.connect('google', email)).toBe('google');
  expect(await client.connect('github', github)).toBe('github');
  return client;
}

/**
 * Reads the stored records of a collection by id; duplicates appear twice. Finds the connection by account, because a
 * deletion changes its id.
 */
function stored({ collection }: Synced): Promise<{ id: string; data: unknown; row: string }[]> {
  return query(
    `select r.id, r.data, (to_jsonb(r) - '{connection_id,created_sync,changed_sync,hash,data}'::text[])::text || r.data as row
     from ${collection.entity.replaceAll('-', '_')} r join connections c on c.id = r.connection_id where c.account = $1 order by 1`,
    [collection.account],
  );
}

async function expectSameAsProvider(synced: Synced): Promise<void> {
  const found = (await stored(synced)).map(({ id, data }) => synced.collection.essence(id, data));
  found.sort((a, b) => (a.id < b.id ? -1 : 1));
  expect(found, `seed ${random.seed}`).toEqual(synced.collection.truth());
}

interface State {
  id: string;
  status: string;
  isHeld: boolean | null;
  error: string | null;
}

function statesOf(ids: readonly string[]): Promise<State[]> {
  return query<State>(
    `select s.id, status, j.state = 'active' as "isHeld", summary->>'errMessage' as error
     from syncs s left join pgboss.job j on j.id = s.job_id where s.id = any($1)`,
    [ids],
  );
}

const VICTIMS = [
  'first server',
  'second server',
  'both servers',
  'database',
  'database and a server',
] as const;
type Victim = (typeof VICTIMS)[number] | 'server' | 'server and database';

function serversOf(victim: Victim): ChildServer[] {
  if (victim === 'database') return [];
  if (victim === 'second server') return [second()];
  return victim === 'both servers' ? servers : [first()];
}

/** Chooses what to kill. Every fourth kill of a server with an embedded database includes the database. */
function nextVictim(kills: number): Victim {
  if (cluster) return VICTIMS[Math.floor(random() * VICTIMS.length)] as Victim;
  return kills % 4 === 3 ? 'server and database' : 'server';
}

/** Kills the processes with SIGKILL and restarts them. */
async function kill(victim: Victim): Promise<void> {
  const dying = serversOf(victim);
  await Promise.all(dying.map((server) => server.end('SIGKILL')));
  if (victim.includes('database')) {
    if (!cluster) first().killDatabase();
    await cluster?.kill();
    await cluster?.start();
  }
  await Promise.all(dying.map((server) => server.start()));
  for (const { isRunning, output } of servers) expect(isRunning, output).toBe(true);
}

/** Starts a run. Retries, because a server may have broken connections after a kill. */
async function start({ client, collection }: Synced): Promise<string> {
  for (let attempt = 0; ; attempt++) {
    try {
      return (await startSync(client, collection.entity, collection.settings))._id;
    } catch (error) {
      if (attempt === 3) throw error;
    }
  }
}

async function awaitAll(ids: readonly string[], timeoutMs: number): Promise<void> {
  for (const startedAt = Date.now(); ; ) {
    const states = await statesOf(ids);
    const wrong = states.filter(({ status }) => status === 'failed');
    if (wrong.length > 0) throw new Error(JSON.stringify({ seed: random.seed, wrong }));
    if (states.every(({ status }) => status === 'finished')) return;
    if (Date.now() - startedAt > timeoutMs)
      throw new Error(`runs are stuck: ${JSON.stringify({ seed: random.seed, states })}`);
    await sleep(100);
  }
}

/** Returns the rate-limit responses of the providers, by provider and status. */
function refusals(): [string, number][] {
  return Object.entries(sandbox.control.counters().statuses).filter(([answer]) => / (403|429)$/.test(answer));
}

/** Deletes a provider's data, so that the next run is a full one. */
const deleteData = (synced: Synced) =>
  synced.client.post(`/api/integrations/entities/delete-all-data?provider=${synced.collection.provider}`);

describe('a sync', () => {
  it(
    `equals the provider after ${KILLS} kills, and no run is stuck or exceeds its quota`,
    async () => {
      const { control } = sandbox;
      const [ada, jonas] = await Promise.all([signIn(ADA, 'ada-nowak'), signIn(JONAS, 'jonas-weber')]);
      await query(`update users set plan = 'pro'`);
      const all: Synced[] = [
        { client: ada, collection: watchedInbox(control, ADA) },
        {
          client: ada,
          collection: watchedPulls(control, 'ada-nowak', { owner: 'aurora-labs', repo: 'harbor' }),
        },
        { client: jonas, collection: watchedInbox(control, JONAS) },
        {
          client: jonas,
          collection: watchedPulls(control, 'jonas-weber', { owner: 'aurora-labs', repo: 'lantern' }),
        },
      ];

      const victims: Victim[] = [];
      let [runs, hits] = [0, 0];
      const runAll = async (duringRuns: (ids: string[]) => Promise<void>) => {
        const ids = await Promise.all(all.map(start));
        runs += ids.length;
        await duringRuns(ids);
        await awaitAll(ids, 240_000);
      };
      const killDuring = async (ids: string[], isDrifting: boolean) => {
        const until = Math.min(KILLS, victims.length + KILLS_PER_ROUND);
        while (victims.length < until) {
          await sleep(10 + random() * 400);
          const open = (await statesOf(ids)).filter(({ status }) => status === 'started');
          if (open.length === 0) return;
          if (isDrifting) for (const { collection } of all) if (random() < 0.5) collection.change(random);
          if (open.some(({ isHeld }) => isHeld)) hits++;
          const victim = nextVictim(victims.length);
          victims.push(victim);
          await kill(victim);
        }
      };

      for (let round = 0; victims.length < KILLS; round++) {
        for (const { collection } of all)
          for (let changes = random() * 6; changes > 0; changes--) collection.change(random);
        const isDrifting = random() < 0.4;
        await runAll((ids) => killDuring(ids, isDrifting));
        // Changes made during a run appear in the next run at the latest.
        if (isDrifting) await runAll(async () => undefined);
        for (const synced of all) await expectSameAsProvider(synced);
        expect(refusals()).toEqual([]);
        if (round % 3 === 2 && victims.length < KILLS) await Promise.all(all.map(deleteData));
      }

      const disturbed = await Promise.all(all.map(stored));
      await Promise.all(all.map(deleteData));
      await runAll(async () => undefined);
      expect(await Promise.all(all.map(stored)), 'an undisturbed run').toEqual(disturbed);
      expect(refusals()).toEqual([]);

      expect(victims).toHaveLength(KILLS);
      const counted = [...new Set(victims)].map(
        (victim) => `${victim} ${victims.filter((one) => one === victim).length}`,
      );
      console.log(
        `${KILLS} kills (${counted.join(', ')}), ${hits} while runs were active; ${runs} runs; seed ${random.seed}`,
      );
      expect(hits).toBeGreaterThan(KILLS / 2);
    },
    60_000 + KILLS * 30_000,
  );

  it.skipIf(TEST_POSTGRES_BIN === undefined)(
    'is taken over by another server within 30 s when its own one is killed',
    async () => {
      // An account that no other run uses: a run that waits for its quota makes no progress for up to a minute.
      const client = await new Client(first()).signIn(MEI);
      expect(await client.connect('google', MEI)).toBe('google');
      await query(`update users set plan = 'pro'`);
      const synced = { client, collection: watchedInbox(sandbox.control, MEI) };
      onTestFinished(async () => {
        process.kill(second().pid ?? 0, 'SIGCONT');
        if (!first().isRunning) await first().start();
      });
      // Pauses the second server, so that the first one claims the run.
      process.kill(second().pid ?? 0, 'SIGSTOP');
      const id = await start(synced);
      const reached = async () => {
        const [row] = await query<{ attempt: number | null; records: number }>(
          `select job_attempt as attempt, coalesce((counters->>'added')::int, 0) as records from syncs where id = $1`,
          [id],
        );
        return { attempt: row?.attempt ?? -1, records: row?.records ?? 0 };
      };
      const before = await vi.waitFor(async () => {
        const claimed = await reached();
        expect(claimed.attempt).toBe(0);
        return claimed;
      }, TAKEOVER_MS);

      await first().end('SIGKILL');
      process.kill(second().pid ?? 0, 'SIGCONT');

      const startedAt = performance.now();
      await vi.waitFor(
        async () => {
          const now = await reached();
          expect(now.attempt).toBeGreaterThan(before.attempt);
          expect(now.records).toBeGreaterThan(before.records);
        },
        { timeout: TAKEOVER_MS, interval: 100 },
      );

      console.log(`taken over after ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);

      await awaitAll([id], 240_000);
      await expectSameAsProvider(synced);
    },
    400_000,
  );

  // @covers 4.sync-survives-process life.process-killed-step
  it('resumes automatically after SIGTERM and a start', async () => {
    const client = await new Client(first()).signIn(ADA);
    const synced = { client, collection: watchedInbox(sandbox.control, ADA) };
    await deleteData(synced);
    const id = await start(synced);

    const codes = await Promise.all(servers.map((server) => server.end('SIGTERM')));
    expect(codes).toEqual(servers.map(() => 0));
    await first().start();

    expect((await readSync(client, id)).status).toBe('started');
    expect(await awaitEnd(client, id)).toMatchObject({ status: 'finished' });
    await expectSameAsProvider(synced);
  }, 240_000);
});
