/**
 * `[scripts/with-debian-postgres.sh] node bench/accounts.ts [accounts] [records each] [users] [seconds] [--check]`: the time of
 * pages with a single account (the reference) and with 10,000 accounts of 1,000 records each; then 500 users at once,
 * with an open page each and 5 requests a second in each class, for ten minutes. Prints what a user costs.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '../packages/server/src/app/http/listen.ts';
import { openSession } from '../packages/server/src/features/accounts/index.ts';
import { type Database, openDatabase } from '../packages/server/src/platform/db/database.ts';
import { createLogger } from '../packages/server/src/platform/log.ts';
import { ChildServer } from '../packages/server/test-support/child-server.ts';
import { makeTemporaryFolder, removeDataFolder } from '../packages/server/test-support/temporary-folder.ts';
import { createEmptyDatabase } from '../packages/server/test-support/test-database.ts';
import { Client } from '../packages/server/test-support/test-server.ts';
import { type Account, CLASSES, createView, PAGES } from './accounts/classes.ts';
import { addAccounts, fillAccounts } from './accounts/generate.ts';
import { residentMemory } from './memory-of.ts';
import { percentile } from './percentile.ts';
import { processorSeconds } from './processor-time.ts';
import { startSandboxProcess } from './sandbox-process.ts';

const numbers = process.argv
  .slice(2)
  .filter((word) => /^\d+$/.test(word))
  .map(Number);
const [ACCOUNTS = 10_000, RECORDS = 1000, USERS = 500, SECONDS = 600] = numbers;
const RATE = 5;
const READS = 300;
/** Users whose Gmail is connected, for the class of syncs. */
const MAIL_USERS = Math.min(50, USERS);
const MESSAGES = 100;
const GOAL_RATIO = 1.5;
const GOAL_MS = 250;
/** Below this a difference is noise, ms. */
const LEAST_MS = 5;

type Times = Map<string, number[]>;

/** Reads all pages of accounts in turn, first after a change of the records and then again. */
async function timePages(db: Database, accounts: readonly Account[]): Promise<Times> {
  const times: Times = new Map();
  for (let read = 0; read < READS; read++) {
    const account = accounts[read % accounts.length];
    if (!account) break;
    await db.$client.query('update record_versions set version = version + 1 where user_id = $1', [
      account.id,
    ]);
    for (const suffix of [' after a change', ' again'])
      for (const [name, pathOf] of Object.entries(PAGES)) {
        const begun = performance.now();
        await account.client.get(pathOf(account));
        times.set(name + suffix, [...(times.get(name + suffix) ?? []), performance.now() - begun]);
      }
  }
  return times;
}

function showRatios(single: Times, many: Times): string[] {
  console.log(`\n${''.padEnd(40)}single p50      p99   many p50      p99   ratio`);
  const missed: string[] = [];
  for (const [name, reference] of [...single, ['all pages', [...single.values()].flat()] as const]) {
    const found = many.get(name) ?? [...many.values()].flat();
    const cells = [percentile(reference, 0.5), percentile(reference, 0.99), percentile(found, 0.5)];
    const p99 = percentile(found, 0.99);
    const ratio = p99 / (cells[1] ?? 1);
    console.log(
      name.padEnd(40) + [...cells, p99, ratio].map((value) => value.toFixed(1).padStart(9)).join(' '),
    );
    if (name === 'all pages' && ratio > GOAL_RATIO && p99 > LEAST_MS)
      missed.push(`the p99 of all pages is ${ratio.toFixed(2)} times that of a single account`);
  }
  return missed;
}

/** Sends requests of one class at the given rate, whether or not earlier ones were answered. */
async function load(
  name: string,
  accounts: readonly Account[],
  times: Times,
  failures: Map<string, number>,
): Promise<void> {
  const send = CLASSES[name];
  const measured: number[] = [];
  times.set(name, measured);
  const open: Promise<void>[] = [];
  const begun = performance.now();
  for (let count = 0; count < SECONDS * RATE; count++) {
    const due = begun + (count * 1000) / RATE;
    await sleep(Math.max(0, due - performance.now()));
    const account = accounts[Math.floor(Math.random() * accounts.length)];
    if (!account || !send) return;
    // From the moment at which it was due: a slow bench must not hide a slow answer.
    const done = send(account)
      .then(() => void measured.push(performance.now() - due))
      .catch((error: Error) => {
        const key = `${name}: ${error.message.slice(0, 80)}`;
        failures.set(key, (failures.get(key) ?? 0) + 1);
      });
    open.push(done);
  }
  await Promise.all(open);
}

function showLoad(times: Times, failures: ReadonlyMap<string, number>): string[] {
  console.log(
    `\n${USERS} users, ${RATE} requests a second in each class, ${SECONDS} s${''.padEnd(10)}  number      p50      p99      max`,
  );
  const missed: string[] = [];
  for (const [name, values] of [...times, ['all classes', [...times.values()].flat()] as const]) {
    const cells = [0.5, 0.99, 1].map((share) => percentile(values, share).toFixed(1).padStart(8));
    console.log(`${name.padEnd(62)}${String(values.length).padStart(8)} ${cells.join(' ')}`);
    if (percentile(values, 0.99) > GOAL_MS)
      missed.push(`${name}: p99 ${percentile(values, 0.99).toFixed(0)} ms, goal ${GOAL_MS}`);
  }
  for (const [name, count] of failures) missed.push(`${count} times ${name}`);
  return missed;
}

async function signInWithMail(server: ChildServer): Promise<void> {
  for (let place = 0; place < MAIL_USERS; place++) {
    const email = `bench-${place === 0 ? MESSAGES : `${MESSAGES}-${place + 1}`}@sandbox.example`;
    const client = await new Client(server, `10.0.0.${place}`).signIn(email);
    await client.connect('google', email);
  }
}

async function openAccounts(server: ChildServer, db: Database, count: number): Promise<Account[]> {
  const { rows } = await db.$client.query<{ id: string; has_mail: boolean }>(
    `select u.id, exists (select from connections c where c.user_id = u.id and c.provider = 'google') as has_mail
    from users u order by has_mail desc, u.id limit $1`,
    [count],
  );
  const accounts: Account[] = [];
  for (const { id, has_mail: hasMail } of rows) {
    const client = new Client(server);
    client.token = await openSession(db, id);
    accounts.push({ id, client, view: await createView(client), hasMail });
  }
  return accounts;
}

async function openStreams(server: ChildServer, accounts: readonly Account[]): Promise<void> {
  for (const [place, { client }] of accounts.entries()) {
    const response = await fetch(`${server.url}/api/events`, {
      // Streams are limited by address.
      headers: {
        authorization: `Bearer ${client.token}`,
        'x-forwarded-for': `10.${place >> 8}.${place & 255}.1`,
      },
    });
    if (!response.ok) throw new Error(`an event stream was refused: ${response.status}`);
    void (async () => {
      for await (const _chunk of response.body ?? []);
    })().catch(() => undefined);
  }
}

async function databaseProcess({ $client: pool }: Database): Promise<number> {
  const { rows } = await pool.query<{ file: string }>(
    "select (string_to_array(pg_read_file('postmaster.pid'), E'\\n'))[1] as file",
  );
  return Number(rows[0]?.file);
}

async function databaseBytes({ $client: pool }: Database): Promise<number> {
  const { rows } = await pool.query<{ bytes: string }>(
    'select pg_database_size(current_database()) as bytes',
  );
  return Number(rows[0]?.bytes);
}

async function measureLoad(server: ChildServer, db: Database, all: readonly Account[]): Promise<string[]> {
  const idleMb = residentMemory(server.pid);
  await openStreams(server, all);
  await sleep(5000);
  const openMb = residentMemory(server.pid);
  const postgres = await databaseProcess(db);
  const before = [processorSeconds(server.pid ?? 0), processorSeconds(postgres)];
  const times: Times = new Map();
  const failures = new Map<string, number>();
  const withMail = all.filter(({ hasMail }) => hasMail);
  await Promise.all(
    Object.keys(CLASSES).map((name) => load(name, name === 'start a sync' ? withMail : all, times, failures)),
  );
  const used = [server.pid ?? 0, postgres].map(
    (pid, index) => (processorSeconds(pid) - (before[index] ?? 0)) / SECONDS,
  );
  const missed = showLoad(times, failures);
  console.log(`\nOf the users at once, each:
  processor of the server      ${(((used[0] ?? 0) / USERS) * 1000).toFixed(2)} ms a second (${((used[0] ?? 0) * 100).toFixed(0)} % of a core for all)
  processor of PostgreSQL      ${(((used[1] ?? 0) / USERS) * 1000).toFixed(2)} ms a second (${((used[1] ?? 0) * 100).toFixed(0)} % of a core for all)
  memory of an open page       ${(((openMb - idleMb) / USERS) * 1024).toFixed(0)} KB (server ${idleMb.toFixed(0)} MB without, ${openMb.toFixed(0)} MB with open pages, ${residentMemory(server.pid).toFixed(0)} MB after the load)`);
  return missed;
}

async function main(server: ChildServer, db: Database): Promise<string[]> {
  await signInWithMail(server);
  const empty = await databaseBytes(db);
  await addAccounts(db.$client, MAIL_USERS);
  await db.$client.query(
    "delete from connections where provider = 'github' and user_id <> (select id from users limit 1)",
  );
  await fillAccounts(db.$client, RECORDS);
  const { rows } = await db.$client.query<{ id: string }>(
    "select user_id as id from connections where provider = 'github'",
  );
  const client = new Client(server);
  client.token = await openSession(db, rows[0]?.id ?? '');
  const one = { id: rows[0]?.id ?? '', client, view: await createView(client), hasMail: false };
  const single = await timePages(db, [one]);

  const begun = performance.now();
  await addAccounts(db.$client, ACCOUNTS);
  await fillAccounts(db.$client, RECORDS);
  const bytes = await databaseBytes(db);
  console.log(
    `${ACCOUNTS} accounts with ${RECORDS} records each: generated in ${((performance.now() - begun) / 1000).toFixed(0)} s, ${(bytes / 1e9).toFixed(1)} GB, ${((bytes - empty) / ACCOUNTS / 1e6).toFixed(2)} MB an account`,
  );
  const accounts = await openAccounts(server, db, USERS);
  const missed = showRatios(single, await timePages(db, accounts));
  return [...missed, ...(await measureLoad(server, db, accounts))];
}

const sandboxOptions = { messages: MESSAGES, mailboxes: MAIL_USERS, 'quota-scale': 0, latency: 25 };
const sandbox = await startSandboxProcess(
  Object.entries(sandboxOptions).map(([name, value]) => `--${name}=${value}`),
);
const database = await createEmptyDatabase();
const folder = makeTemporaryFolder('datadeck-accounts-');
const limits = join(folder, 'limits.json');
writeFileSync(limits, JSON.stringify({ standard: { 'gmail-messages': { cap: null, monthlyRuns: null } } }));
const server = new ChildServer({
  ...sandbox.providers,
  DATA_DIR: folder,
  TRUSTED_PROXIES: 'loopback',
  PORT: String(await findFreePort('127.0.0.1')),
  PLAN_LIMITS: limits,
  GMAIL_UNITS_PER_MINUTE: '0',
  DATABASE_URL: database.url,
});
const db = openDatabase({ connectionString: database.url }, createLogger('silent'), 4);
try {
  await server.start();
  const missed = await main(server, db);
  for (const one of missed) console.log(`missed: ${one}`);
  if (process.argv.includes('--check') && missed.length > 0) process.exitCode = 1;
} finally {
  await db.$client.end();
  await server.end('SIGTERM');
  sandbox.stop();
  await database.drop();
  removeDataFolder(folder);
}
process.exit();
