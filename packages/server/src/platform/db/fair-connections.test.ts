import { type SQL, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openTestDatabase } from '../../../test-support/test-database.ts';
import { appErrorOf } from '../app-error.ts';
import { DEMO_QUEUE, DEMO_SIGN_IN_QUEUE, withFairQueue } from '../fair-queue.ts';
import { readBounded } from './bounded-read.ts';
import { isStatementTimeout } from './failures.ts';
import { fairConnections } from './fair-connections.ts';

let test: Awaited<ReturnType<typeof openTestDatabase>>;
beforeAll(async () => {
  test = await openTestDatabase();
  fairConnections(test.db, { demo: 2, user: 3, statementMs: 500 });
});
afterAll(() => test?.close());

const sleep = (seconds: number) => test.db.execute(sql`select pg_sleep(${seconds})`);
const ended = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'a value',
    (error: unknown) => (isStatementTimeout(error) ? 'stopped' : error),
  );

describe('a statement of a request', () => {
  it('is stopped at its deadline, also in the database', async () => {
    expect(await withFairQueue('ada', () => ended(sleep(60)))).toBe('stopped');
    // PostgreSQL lists a statement until its process is ready for the next, a moment after the error.
    const active = () =>
      test.db.execute(sql`
      select 1 from pg_stat_activity where datname = current_database() and state = 'active' and query like '%pg_sleep(%' and pid <> pg_backend_pid()`);
    await expect.poll(async () => (await active()).rows, { timeout: 30_000 }).toEqual([]);
  });

  it('is stopped in a transaction, whose connection remains usable', async () => {
    for (let round = 0; round < 6; round++)
      expect(
        await withFairQueue('ada', () =>
          ended(test.db.transaction((tx) => tx.execute(sql`select pg_sleep(60)`))),
        ),
      ).toBe('stopped');
    expect((await withFairQueue('ada', () => test.db.execute(sql`select 1 as one`))).rows).toEqual([
      { one: 1 },
    ]);
  });

  it('is stopped by the database in a bounded read, and only there', async () => {
    expect(await ended(readBounded(test.db, 100, (tx) => tx.execute(sql`select pg_sleep(60)`)))).toBe(
      'stopped',
    );
    const { rows } = await test.db.execute(sql`show statement_timeout`);
    expect(rows).toEqual([{ statement_timeout: '0' }]);
  });

  it('has no deadline when it is internal work of the server', async () => {
    expect(await ended(sleep(1.5))).toBe('a value');
  });
});

describe('fairConnections', () => {
  /** A database whose statements have no deadline that a busy machine could miss. */
  let slow: Awaited<ReturnType<typeof openTestDatabase>>;
  let countQueued: () => number;
  beforeAll(async () => {
    slow = await openTestDatabase();
    countQueued = fairConnections(slow.db, { demo: 2, user: 3, statementMs: 600_000 });
  });
  afterAll(() => slow?.close());

  const run = (statement: SQL) => slow.db.execute(statement).then(() => 'a value');
  /** A statement that ends when `whileHeld` has ended. */
  const held = () => run(sql`select pg_advisory_xact_lock_shared(471102)`);
  const countHeld = async () => {
    const { rows } = await slow.db.execute<{ count: number }>(sql`
      select count(*)::int as count from pg_locks l join pg_database d on d.oid = l.database
      where locktype = 'advisory' and not granted and datname = current_database()`);
    return rows[0]?.count;
  };
  /** Holds statements while `work` runs. */
  const whileHeld = (work: () => Promise<void>) =>
    slow.db.transaction(async (tx) => {
      await tx.execute(sql`select pg_advisory_xact_lock(471102)`);
      await work();
    });

  it('assigns all demo users together two connections and serves others', async () => {
    let demos: Promise<string>[] = [];
    await whileHeld(async () => {
      demos = Array.from({ length: 12 }, () => withFairQueue(DEMO_QUEUE, held));
      expect(await withFairQueue('ada', () => run(sql`select`))).toBe('a value');
      await vi.waitFor(async () => expect(await countHeld()).toBe(2), 60_000);
      expect(countQueued()).toBe(10);
    });
    expect(await Promise.all(demos)).toEqual(Array(12).fill('a value'));
  });

  it('refuses requests of a fairQueue beyond 100 waiting ones', async () => {
    const many = Array.from({ length: 120 }, () => withFairQueue('ben', () => ended(sleep(0.02))));
    const refused = (await Promise.all(many)).filter((each) => appErrorOf(each) !== undefined);
    expect(refused).toHaveLength(17);
    expect(appErrorOf(refused[0])).toMatchObject({ code: 'rate-limited' });
  });

  it('serves a new user next despite long queues of other users', async () => {
    const ended: string[] = [];
    const query = (user: string) =>
      withFairQueue(user, async () => {
        await run(sql`select pg_sleep(0.1)`);
        ended.push(user);
      });
    const users = Array.from({ length: 6 }, (_, n) => `user ${n}`);
    const others = users.flatMap((user) => Array.from({ length: 20 }, () => query(user)));
    await Promise.all([...others, query('new user')]);
    // 15 connections are busy and 105 statements are waiting when the new request arrives.
    expect(ended.indexOf('new user')).toBeLessThan(45);
  }, 30_000);

  it('queues demo sign-ins separately from demo pages', async () => {
    let signIns: Promise<string>[] = [];
    await whileHeld(async () => {
      signIns = Array.from({ length: 4 }, () => withFairQueue(DEMO_SIGN_IN_QUEUE, held));
      expect(await withFairQueue(DEMO_QUEUE, () => run(sql`select`))).toBe('a value');
      await vi.waitFor(async () => expect(await countHeld()).toBe(1), 60_000);
      expect(countQueued()).toBe(3);
    });
    expect(await Promise.all(signIns)).toEqual(Array(4).fill('a value'));
  });
});
