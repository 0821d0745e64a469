import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase, type TestDatabase } from '../../../test-support/test-database.ts';
import { type Database, openDatabase } from '../../platform/db/database.ts';
import { isConnectionFailure } from '../../platform/db/failures.ts';
import { migrateDatabase } from '../../platform/db/migrate.ts';
import { createLogger } from '../../platform/log.ts';
import { openSession, SessionFinder } from './sessions.ts';
import { users } from './tables.ts';

const LOOKUP_MS = 500;
const ADA = '00000000-0000-4000-8000-000000000001';

let database: TestDatabase;
let db: Database;
let token: string;
beforeAll(async () => {
  database = await createDatabase();
  const connection = { connectionString: database.url, query_timeout: LOOKUP_MS };
  db = openDatabase(connection, createLogger('silent'), 2);
  const migrating = openDatabase({ connectionString: database.url }, createLogger('silent'), 1);
  await migrateDatabase(migrating.$client);
  await migrating.$client.end();
  await db.insert(users).values({ id: ADA, name: 'Ada', email: 'ada@example.com', plan: 'pro' });
  token = await openSession(db, ADA);
});
afterAll(async () => {
  await db?.$client.end();
  await database?.drop();
});

describe('SessionFinder', () => {
  it('finds the users of many tokens that are looked up concurrently', async () => {
    const finder = new SessionFinder(db);
    const tokens = Array.from({ length: 50 }, (_, n) => (n % 2 === 0 ? token : `unknown ${n}`));
    const found = await Promise.all(tokens.map((one) => finder.find(one)));
    expect(found.map((user) => user?.name)).toEqual(tokens.map((one) => (one === token ? 'Ada' : undefined)));
  });

  it('aborts a lookup that the database does not answer, and serves the next one', async () => {
    const finder = new SessionFinder(db);
    const blocker = new pg.Client({ connectionString: database.url });
    await blocker.connect();
    await blocker.query('begin; lock table sessions in access exclusive mode');
    const error = await finder.find(token).catch((thrown: unknown) => thrown);
    expect(isConnectionFailure(error)).toBe(true);
    await blocker.query('rollback');
    await blocker.end();
    expect((await finder.find(token))?.name).toBe('Ada');
  });
});
