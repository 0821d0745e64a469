import { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ADA } from '../../test-support/fault-stage.ts';
import { startSync } from '../../test-support/syncing.ts';
import { createDatabase, type TestDatabase } from '../../test-support/test-database.ts';
import { Client, startTestServer, type TestServer } from '../../test-support/test-server.ts';
import { SyncWorker } from '../features/sync/index.ts';
import { Backoff } from '../platform/backoff.ts';
import { openDatabase } from '../platform/db/database.ts';

let database: TestDatabase;
let server: TestServer;

beforeAll(async () => {
  database = await createDatabase();
  server = await startTestServer({ ROLE: 'web', DATABASE_URL: database.url });
});
afterAll(async () => {
  await server?.remove();
  await database?.drop();
});

/** Sets whether new connections are read-only, as after a fail-over to a replica. */
async function setReadOnly(isReadOnly: boolean): Promise<void> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query('begin; set transaction read write');
  const name = new URL(database.url).pathname.slice(1);
  await client.query(`alter database ${name} set default_transaction_read_only = ${isReadOnly}`);
  await client.query('commit');
  await client.end();
}

/** Creates a log that keeps its lines. */
function createMemoryLog() {
  const lines: { level: number; msg: string }[] = [];
  const stream = new Writable({
    write: (chunk, _encoding, done) => {
      lines.push(JSON.parse(String(chunk)));
      done();
    },
  });
  return { lines, log: pino({ level: 'debug' }, stream) };
}

describe('SyncWorker', () => {
  it('backs off and logs once when it cannot fetch jobs; the next one runs them', async () => {
    const ada = await new Client(server).signIn(ADA);
    await ada.connect('google', ADA);
    const { _id: id } = await startSync(ada, 'gmail-labels');
    await setReadOnly(true);

    const { lines, log } = createMemoryLog();
    const db = openDatabase({ connectionString: database.url }, log, 2);
    const { background, registry, schedulers } = server.product;
    const attempts = vi.fn();
    db.$client.on('acquire', attempts);
    const worker = new SyncWorker({ ...background, db, log }, { registry, schedulers });
    await worker.start(false);

    await sleep(2500);
    expect(lines.filter(({ level }) => level >= 40)).toMatchObject([
      { msg: 'syncs cannot run because of a database error; retrying' },
    ]);
    expect(attempts.mock.calls.length).toBeLessThan(12);

    await setReadOnly(false);
    await db.$client.end();
    await worker.stop();
    const again = createMemoryLog();
    const writable = openDatabase({ connectionString: database.url }, again.log, 2);
    const next = new SyncWorker({ ...background, db: writable, log: again.log }, { registry, schedulers });
    await next.start(false);

    await vi.waitFor(
      async () => {
        const { rows } = await writable.$client.query('select status from syncs where id = $1', [id]);
        expect(rows[0]?.status).toBe('finished');
      },
      { timeout: 30_000, interval: 50 },
    );
    expect(again.lines.filter(({ level }) => level >= 40)).toEqual([]);

    await next.stop();
    await writable.$client.end();
  });
});

describe('GET /readyz', () => {
  it('reports a read-only database', async () => {
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    // Makes one of the pool's open connections read-only.
    await server.product.context.db.$client.query('set session characteristics as transaction read only');
    const answers = await Promise.all(Array.from({ length: 20 }, () => fetch(`${server.url}/readyz`)));
    const refused = answers.find(({ status }) => status === 503);
    expect(await refused?.json()).toEqual({ status: 'the database is read-only' });
  });
});

describe('Backoff', () => {
  it('doubles the wait up to 30 s, applies jitter, and resets on success', () => {
    const backoff = new Backoff();
    const waits = [1, 2, 3, 4, 5, 6, 7, 8].map(() => {
      backoff.failed(0, () => 1);
      return backoff.waitMs(0);
    });
    expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
    backoff.failed(0, () => 0);
    expect(backoff.waitMs(0)).toBe(15_000);
    expect([backoff.succeeded(), backoff.succeeded(), backoff.waitMs(0)]).toEqual([true, false, 0]);
    expect([backoff.failed(0), backoff.failed(0)]).toEqual([true, false]);
  });
});
