import { setTimeout as sleep } from 'node:timers/promises';
import type { Sync } from '@datadeck/contract';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DelayingProxy } from '../../../test-support/delaying-proxy.ts';
import { ADA } from '../../../test-support/fault-stage.ts';
import { SYNCS, startSync, until } from '../../../test-support/syncing.ts';
import { createDatabase, type TestDatabase } from '../../../test-support/test-database.ts';
import { Client, startTestServer, type TestServer } from '../../../test-support/test-server.ts';
import { type Database, openDatabase } from '../../platform/db/database.ts';
import { createLogger } from '../../platform/log.ts';

const ROUND_TRIP_MS = 300;
/** Length of the quota's minute in this test, ms. */
const MINUTE_MS = 20_000;
/** Fraction of Gmail's quota that the sandbox allows. */
const SCALE = 0.4;
const UNITS_PER_MINUTE = SCALE * 6000;
const MESSAGES = 1700;

let database: TestDatabase;
let proxy: DelayingProxy;
let server: TestServer;
/** A connection to the same database without the delay. */
let direct: Database;
let client: Client;
let label: string;

beforeAll(async () => {
  database = await createDatabase();
  const opened = await DelayingProxy.open(database.url, 0);
  proxy = opened.proxy;
  direct = openDatabase({ connectionString: database.url }, createLogger('silent'), 2);
  server = await startTestServer({
    DATABASE_URL: opened.url,
    DATABASE_DIRECT_URL: database.directUrl ?? opened.url,
    SANDBOX_QUOTA_SCALE: String(SCALE),
    QUOTA_TIME_SCALE: String(60_000 / MINUTE_MS),
  });
  const { gmail } = server.control;
  label = gmail.createLabel(ADA, 'Slow');
  for (let count = 0; count < MESSAGES; count++) gmail.insert(ADA, { labelIds: [label] });
  client = await new Client(server).signIn(ADA);
  await client.connect('google', ADA);
}, 120_000);
afterAll(async () => {
  if (proxy) proxy.roundTripMs = 0;
  await server?.remove();
  await direct?.$client.end();
  await proxy?.close();
  await database?.drop();
});

/** Returns the quota units that the provider has counted. */
function unitsUsed(): number {
  return server.control.counters().units[`gmail ${ADA}`] ?? 0;
}

/** Returns the number of syncs running in the server's process. */
async function running(): Promise<number> {
  const { values } = await server.product.context.metrics.runningSyncs.get();
  return values[0]?.value ?? 0;
}

/** Returns the time until the provider has counted this many more units, ms. */
async function timeOfUnits(units: number): Promise<number> {
  const before = unitsUsed();
  const startedAt = performance.now();
  await until(() => unitsUsed() - before >= units);
  return performance.now() - startedAt;
}

async function statusOf(id: string): Promise<unknown> {
  const { rows } = await direct.execute(sql`select status from syncs where id = ${id}`);
  return rows[0]?.status;
}

/** Returns the time of this many requests one after another that read from the database, ms. */
async function timeOfRequests(count: number): Promise<number> {
  // Opens a connection, as on a server in use.
  await client.get('/api/accounts');
  const startedAt = performance.now();
  for (let request = 0; request < count; request++) await client.get('/api/accounts');
  return performance.now() - startedAt;
}

describe('a sync over a database connection with 300 ms round trips', () => {
  it('reads as many messages a minute as without the delay', async () => {
    const { _id: id } = await startSync(client, 'gmail-messages', { labelIds: label });
    // The first minute's units may be used at once.
    await timeOfUnits(UNITS_PER_MINUTE);
    const near = await timeOfUnits(UNITS_PER_MINUTE);
    proxy.roundTripMs = ROUND_TRIP_MS;
    await timeOfUnits(UNITS_PER_MINUTE / 8);
    const far = await timeOfUnits(UNITS_PER_MINUTE);
    expect(near / far).toBeGreaterThan(0.9);
    expect(await statusOf(id)).toBe('started');
  }, 240_000);

  it('stores a cancel and ends as soon as three other requests would', async () => {
    await until(async () => (await running()) === 1);
    const { rows } = await direct.execute<{ id: string }>(sql`select id from syncs where status = 'started'`);
    const id = rows[0]?.id ?? '';

    const timeOfThree = await timeOfRequests(3);
    const requestedAt = performance.now();
    const cancelling = client.post<Sync>(`${SYNCS}/${id}/cancel`);
    await until(async () => (await statusOf(id)) === 'failed');

    const storedAt = performance.now();
    expect(storedAt - requestedAt).toBeLessThan(timeOfThree);
    await until(async () => (await running()) === 0);
    expect(performance.now() - storedAt).toBeLessThan(timeOfThree);

    const cancelled = await cancelling;
    expect(cancelled).toMatchObject({ status: 'failed', summary: { errMessage: 'Cancelled by user' } });
    const after = unitsUsed();
    await sleep(MINUTE_MS / 4);
    expect(unitsUsed()).toBe(after);
  }, 60_000);
});
