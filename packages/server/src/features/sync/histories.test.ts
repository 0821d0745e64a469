import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Plan } from '@datadeck/contract';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fastClock } from '../../testing/fast-clock.ts';
import { openMortalDatabase } from '../../testing/mortal-database.ts';
import { GithubWorld, GmailWorld, type World } from '../../testing/provider-worlds.ts';
import { seededRandom } from '../../testing/seeded-random.ts';
import { Client, startTestServer, type TestServer } from '../../testing/test-server.ts';
import { AccessTokens, findCurrentConnection, Schedulers } from '../connections/index.ts';
import { cancelSync, deleteLastSync, deleteSyncs, startSync } from './index.ts';
import { SyncRunner } from './run.ts';

/** Histories of each entity. HISTORIES and SEED repeat or extend a run. */
const HISTORIES = Number(process.env.HISTORIES ?? 500);
const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000);
/** The plan with the smallest cap: 10 records, so that histories cross it. */
const PLAN: Plan = 'demo';
const CAP = 10;

let server: TestServer;
let userId: string;

beforeAll(async () => {
  server = await startTestServer({ ROLE: 'web' });
  // The database itself does not die here: nothing needs to wait for its disk.
  await server.product.context.db.execute(
    sql`do $$ begin execute format('alter database %I set synchronous_commit = off', current_database()); end $$`,
  );
  const client = await new Client(server).signIn('ada.nowak@sandbox.example');
  await client.connect('google', 'ada.nowak@sandbox.example');
  await client.connect('github', 'ada-nowak');
  const { rows } = await server.product.context.db.execute<{ id: string }>(sql`select id from users`);
  userId = rows[0]?.id ?? '';
});
afterAll(() => server?.remove());

/** The access token of the user's connection. */
async function tokenOf(provider: string): Promise<string> {
  const { context, registry } = server.product;
  const connection = await findCurrentConnection(context.db, userId, provider);
  if (!connection) throw new Error(`${provider} is not connected`);
  return new AccessTokens(context, registry.connector(provider), connection)
    .get(false)
    .then(({ accessToken }) => accessToken);
}

type Random = () => number;
const upTo = (random: Random, count: number) => Math.floor(random() * count);

/** A promise that is given 20 s: a run that hangs is a failure of its history. */
function inTime<T>(what: string, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`${what} hangs`)), 20_000);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** One run, killed at up to two of its statements and taken up again, to its end. */
async function perform(
  world: Pick<World, 'provider' | 'entity' | 'settings'>,
  random: Random,
): Promise<{ id: string; status: string; errMessage?: string }> {
  const { context, registry } = server.product;
  const { db } = context;
  const { _id: syncId } = await startSync(context, registry, {
    providerId: world.provider,
    entityLabel: world.entity,
    entitySettings: world.settings,
    by: { userId, plan: PLAN },
  });
  const schedulers = new Schedulers({ clock: fastClock() });
  const run = (withContext: typeof context) =>
    new SyncRunner(
      withContext,
      { registry, schedulers, shutdown: new AbortController().signal },
      { userId, syncId, owner: crypto.randomUUID() },
    ).perform();
  // What a dying process sent last may come late and hold the lease once more: as after a real death, it is let go.
  const isRunning = async () => {
    const { rowCount } = await db.execute(sql`
      update syncs set lease_owner = null, lease_until = null
      where user_id = ${userId} and id = ${syncId} and status = 'started'`);
    return rowCount === 1;
  };
  for (let kills = upTo(random, 3), alive = true; kills > 0 && alive; kills--) {
    const death = { afterStatements: 1 + upTo(random, 40), isStatementSent: random() < 0.5 };
    const mortal = openMortalDatabase(db.$client.options, death);
    await inTime(
      'a killed run',
      run({ ...context, db: mortal }).catch(() => undefined),
    );
    mortal.kill();
    alive = await isRunning();
  }
  for (let attempt = 0; attempt < 5; attempt++) {
    await inTime('the last run', run(context));
    if (!(await isRunning())) break;
  }
  return { id: syncId, ...(await statusOf(syncId)) };
}

async function statusOf(syncId: string): Promise<{ status: string; errMessage?: string }> {
  const { rows } = await server.product.context.db.execute<{ status: string; error: string | null }>(
    sql`select status, summary->>'errMessage' as error from syncs where user_id = ${userId} and id = ${syncId}`,
  );
  const { status = 'gone', error = null } = rows[0] ?? {};
  return { status, ...(error === null ? {} : { errMessage: error }) };
}

/** What is stored, newest first, and to the last column. */
async function stored(entity: string): Promise<{ id: string; content: unknown; row: string }[]> {
  const { rows } = await server.product.context.db.execute<{ id: string; content: unknown; row: string }>(sql`
    select external_id as id, data::json as content, (to_jsonb(r) - 'data')::text as row from records r
    where user_id = ${userId} and entity = ${entity} order by occurred_at desc, external_id desc`);
  return rows;
}

async function clear(entity: string): Promise<void> {
  const { db } = server.product.context;
  await db.execute(sql`delete from records where user_id = ${userId} and entity = ${entity}`);
  await db.execute(sql`delete from record_undo where user_id = ${userId} and entity = ${entity}`);
  await db.execute(sql`delete from sync_usage where user_id = ${userId}`);
  await deleteSyncs(db, userId);
}

/** One history: runs between random changes, faults and kills; at times the last one is cancelled or undone. */
async function live(world: World, random: Random): Promise<void> {
  await clear(world.entity);
  world.begin(random);
  const runs = 2 + upTo(random, 2);
  for (let round = 0; round < runs; round++) {
    for (let changes = upTo(random, 6); changes > 0; changes--) world.change(random);
    const before = await stored(world.entity);
    for (let faults = upTo(random, 3); faults > 0; faults--) world.spoil(random);
    const isDrifting = random() < 0.2;
    const drift = isDrifting ? nextTurn().then(() => world.change(random)) : undefined;
    const ended = await perform(world, random);
    await drift;
    server.control.clearFaults();
    expect(ended, JSON.stringify(ended)).toMatchObject({ status: 'finished' });
    if (isDrifting && (await perform(world, random)).status !== 'finished') throw new Error('not finished');
    const after = await stored(world.entity);
    expect(after.map(({ id, content }) => world.essence(id, content))).toEqual(await world.newest(CAP));
    if (!isDrifting && random() < 0.3) {
      await deleteLastSync(server.product.context, userId, ended.id);
      expect(await stored(world.entity)).toEqual(before);
    }
  }
}

async function liveAll(world: World): Promise<void> {
  for (let number = 0; number < HISTORIES; number++) {
    const random = seededRandom(SEED + number);
    try {
      await live(world, random);
    } catch (error) {
      throw new Error(`history of seed ${SEED + number} (${world.entity})`, { cause: error });
    }
  }
  console.log(`${HISTORIES} histories of ${world.entity}, seeds ${SEED} to ${SEED + HISTORIES - 1}`);
}

describe('after each run the store equals the provider, cut by scope and cap; after undo what was there before', () => {
  test('GitHub pull requests', () => liveAll(new GithubWorld(server, () => tokenOf('github'))), 600_000);
  test('Gmail messages', () => liveAll(new GmailWorld(server, () => tokenOf('google'))), 600_000);
});

test('an old message that takes the place of a newer one makes the run a full one', async () => {
  const email = 'ada.nowak@sandbox.example';
  const { gmail } = server.control;
  const label = gmail.createLabel(email, 'Horizon');
  const minute = (age: number) => Date.UTC(2026, 0, 1) - age * 60_000;
  const labelled = Array.from({ length: CAP + 2 }, (_, age) =>
    gmail.insert(email, { labelIds: [label], date: minute(age) }),
  );
  const old = gmail.insert(email, { labelIds: [], date: minute(1000) });
  const world = { provider: 'google', entity: 'gmail-messages', settings: { labelIds: label } };
  const run = async () => {
    await perform(world, () => 0);
    return (await stored(world.entity)).map(({ id }) => id);
  };
  await clear(world.entity);
  expect(await run()).toEqual(labelled.slice(0, CAP));
  gmail.changeLabels(email, labelled[3] ?? '', { remove: [label] });
  gmail.changeLabels(email, old, { add: [label] });
  const rest = labelled.filter((_, place) => place !== 3);
  expect(await run()).toEqual(rest.slice(0, CAP));
});

test('a run cancelled between its statements ends, keeps what was committed, and can be undone', async () => {
  const world = new GithubWorld(server, () => tokenOf('github'));
  await clear(world.entity);
  const { context, registry } = server.product;
  const { _id } = await startSync(context, registry, {
    providerId: world.provider,
    entityLabel: world.entity,
    entitySettings: world.settings,
    by: { userId, plan: PLAN },
  });
  expect((await cancelSync(context, userId, _id)).status).toBe('failed');
  await deleteLastSync(context, userId, _id);
  expect(await stored(world.entity)).toEqual([]);
});
