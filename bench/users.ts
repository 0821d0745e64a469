/**
 * `[scripts/with-debian-postgres.sh] node bench/users.ts [users] [messages each] [quota scale]`: users start a sync of
 * their mailbox in the same moment, against one server (a process of its own) and the sandbox (another), while ten of
 * them keep reading pages. Prints how the runs went, how long each waited for its first records, and the time of page reads
 * while they run and afterwards. Quota scale 0: no quota, so that all press at once; 1: the real one.
 */
import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '../packages/server/src/app/http/listen.ts';
import { type Database, openDatabase } from '../packages/server/src/platform/db/database.ts';
import { findRunningPostgres } from '../packages/server/src/platform/embedded-postgres/launcher.ts';
import { createLogger } from '../packages/server/src/platform/log.ts';
import { ChildServer } from '../packages/server/test-support/child-server.ts';
import { startSync } from '../packages/server/test-support/syncing.ts';
import { makeTemporaryFolder, removeDataFolder } from '../packages/server/test-support/temporary-folder.ts';
import { createTestDatabase } from '../packages/server/test-support/test-database.ts';
import { Client } from '../packages/server/test-support/test-server.ts';
import { residentMemory } from './memory-of.ts';
import { percentile } from './percentile.ts';
import { processorSeconds } from './processor-time.ts';
import { startSandboxProcess } from './sandbox-process.ts';

const USERS = Number(process.argv[2] ?? 200);
const MESSAGES = Number(process.argv[3] ?? 200);
const QUOTA_SCALE = Number(process.argv[4] ?? 0);
const READERS = 10;
/** Goal of the 99th percentile of page reads, ms. */
const GOAL_MS = 250;
const GMAIL_UNITS = 6000;
const IDLE_MS = 10_000;
const DEADLINE_MS = 900_000;
const ENTITY = 'gmail-messages';
const PAGES = {
  'list of templates': `/api/integrations/entities/templates/google/${ENTITY}`,
  'page of records': `/api/integrations/entities/aggregation/${ENTITY}/messages-all?page=1`,
  'list of syncs': '/api/integrations/synchronizations?providers=google,github',
} as const;
type PageName = keyof typeof PAGES;

const emailOf = (place: number) =>
  `bench-${place === 0 ? MESSAGES : `${MESSAGES}-${place + 1}`}@sandbox.example`;

/** Signs users in, a few at a time, each from an address of its own: sign-ins are limited by address. */
async function signInAll(server: ChildServer): Promise<Client[]> {
  const clients: Client[] = [];
  const next = Array.from({ length: USERS }, (_, place) => place).values();
  const some = async () => {
    for (const place of next) {
      const client = new Client(server, `10.0.${place >> 8}.${place & 255}`);
      clients[place] = await client.signIn(emailOf(place));
      await client.connect('google', emailOf(place));
    }
  };
  await Promise.all([some(), some(), some(), some()]);
  return clients;
}

/** Milliseconds of each read, by page. */
type Times = Record<PageName, number[]>;

/** Reads one page after the other as one user, until it is stopped. */
async function keepReading(client: Client, times: Times, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    for (const [name, path] of Object.entries(PAGES) as [PageName, string][]) {
      const begun = performance.now();
      await client.get(path);
      times[name].push(performance.now() - begun);
      await sleep(50);
    }
  }
}

async function readWhile(clients: readonly Client[], isOver: () => boolean): Promise<Times> {
  const times: Times = { 'list of templates': [], 'page of records': [], 'list of syncs': [] };
  await Promise.all(clients.map((client) => keepReading(client, times, isOver)));
  return times;
}

/** @returns the p99 over all pages */
function showTimes(title: string, times: Times): number {
  console.log(`${title.padEnd(24)}   reads    p50 ms    p99 ms    max ms`);
  for (const [name, values] of [...Object.entries(times), ['all', Object.values(times).flat()] as const]) {
    const cells = [0.5, 0.99, 1].map((share) => percentile(values, share).toFixed(1).padStart(8));
    console.log(`  ${name.padEnd(22)}  ${String(values.length).padStart(6)}  ${cells.join('  ')}`);
  }
  return percentile(Object.values(times).flat(), 0.99);
}

/** When a run brought its first records and when it ended, ms after the start of all. */
interface Run {
  first?: number;
  ended?: number;
  status: string;
}

/** Watches the runs in the database until all have ended. */
async function watchRuns({ $client: pool }: Database, begun: number): Promise<Run[]> {
  const runs = new Map<string, Run>();
  for (;;) {
    const { rows } = await pool.query<{ id: string; status: string; records: number }>(
      `select id, status, coalesce((counters->>'added')::int, 0) as records from syncs`,
    );
    const now = performance.now() - begun;
    for (const { id, status, records } of rows) {
      const run: Run = runs.get(id) ?? { status };
      run.status = status;
      if (records > 0) run.first ??= now;
      if (status !== 'started') run.ended ??= now;
      runs.set(id, run);
    }
    const open = [...runs.values()].filter(({ ended }) => ended === undefined);
    if ((runs.size === USERS && open.length === 0) || now > DEADLINE_MS) return [...runs.values()];
    await sleep(100);
  }
}

function showRuns(runs: readonly Run[]): void {
  const count = (status: string) => runs.filter((run) => run.status === status).length;
  console.log(
    `runs: ${count('finished')} finished, ${count('failed')} failed, ${count('started')} not ended after all`,
  );
  const seconds = (values: readonly (number | undefined)[]) => {
    const known = values.map((value) => (value ?? Number.POSITIVE_INFINITY) / 1000);
    const [least, median, most] = [0, 0.5, 1].map((share) => `${percentile(known, share).toFixed(1)} s`);
    return `first ${least}, median ${median}, last ${most}`;
  };
  console.log(`  their first records after the start of all: ${seconds(runs.map(({ first }) => first))}`);
  console.log(`  their ends after the start of all:          ${seconds(runs.map(({ ended }) => ended))}`);
}

/** What the server's own metrics say, by name. */
async function metricOf(server: ChildServer, name: string): Promise<number> {
  const text = await (await fetch(`${server.url}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? Number.NaN);
}

const sandboxOptions = { messages: MESSAGES, mailboxes: USERS, 'quota-scale': QUOTA_SCALE, latency: 25 };
const sandbox = await startSandboxProcess(
  Object.entries(sandboxOptions).map(([name, value]) => `--${name}=${value}`),
);
const database = await createTestDatabase();
const folder = makeTemporaryFolder('datadeck-users-');
const server = new ChildServer({
  ...sandbox.providers,
  DATA_DIR: folder,
  TRUSTED_PROXIES: 'loopback',
  PORT: String(await findFreePort('127.0.0.1')),
  GMAIL_UNITS_PER_MINUTE: String(GMAIL_UNITS * QUOTA_SCALE),
  ...(database ? { DATABASE_URL: database.url } : {}),
});
try {
  await server.start();
  const clients = await signInAll(server);
  const connection = database ? { connectionString: database.url } : await findRunningPostgres(folder);
  const db = openDatabase(connection ?? {}, createLogger('silent'), 1);
  const readers = clients.filter((_, place) => place % Math.ceil(USERS / READERS) === 0);
  console.log(
    `${USERS} users with ${MESSAGES} messages each, quota scale ${QUOTA_SCALE}, ${database ? 'DATABASE_URL' : 'embedded database'}; load before: ${loadavg()[0]?.toFixed(2)}`,
  );
  let isOver = false;
  const reading = readWhile(readers, () => isOver);
  const used = [processorSeconds(server.pid ?? 0), processorSeconds(sandbox.pid)];
  const begun = performance.now();
  const watched = watchRuns(db, begun);
  await Promise.all(clients.map((client) => startSync(client, ENTITY, { labelIds: 'INBOX' })));
  console.log(`all started after ${((performance.now() - begun) / 1000).toFixed(1)} s`);
  const runs = await watched;
  isOver = true;
  const busy = await reading;
  const processorTimes = [server.pid, sandbox.pid].map((pid, index) =>
    (processorSeconds(pid ?? 0) - (used[index] ?? 0)).toFixed(1),
  );
  const lag = await metricOf(server, 'nodejs_eventloop_lag_p99_seconds');
  showRuns(runs);
  console.log(
    `  processor: server ${processorTimes[0]} s, sandbox ${processorTimes[1]} s; server's memory ${residentMemory(server.pid).toFixed(0)} MB, its event loop's p99 delay ${(lag * 1000).toFixed(0)} ms`,
  );
  const p99 = showTimes('page reads during the syncs', busy);
  const idleUntil = performance.now() + IDLE_MS;
  showTimes('on the idle server', await readWhile(readers, () => performance.now() > idleUntil));
  console.log(`p99 of page reads while all sync: ${p99.toFixed(0)} ms (goal: under ${GOAL_MS} ms)`);
  await db.$client.end();
} finally {
  await server.end('SIGTERM');
  sandbox.stop();
  await database?.drop();
  removeDataFolder(folder);
}
