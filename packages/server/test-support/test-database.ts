import pg from 'pg';
import { prepareRecordTables } from '../src/features/sync/index.ts';
import { migrateDatabase } from '../src/platform/db/migrate.ts';
import { type Database, openDatabase } from '../src/platform/db/pool.ts';
import { createLogger } from '../src/platform/log.ts';
import { SHARED_POSTGRES } from './shared-postgres.ts';
import { TEST_ENTITY } from './test-entity.ts';

/** A database of a test's own. */
export interface TestDatabase {
  url: string;
  drop(): Promise<void>;
}

async function create(server: string, template: string): Promise<TestDatabase> {
  const name = `datadeck_test_${process.pid}_${Math.random().toString(36).slice(2, 8)}`;
  const to = (database: string) => server.replace(/[^/]*$/, database);
  const execute = async (statement: string) => {
    const client = new pg.Client({ connectionString: to('postgres') });
    await client.connect();
    await client.query(statement);
    await client.end();
  };
  await execute(`create database ${name} template ${template}`);
  return { url: to(name), drop: () => execute(`drop database if exists ${name} with (force)`) };
}

/** A database on the server that TEST_DATABASE_URL names; undefined without it. */
export async function createTestDatabase(): Promise<TestDatabase | undefined> {
  const server = process.env.TEST_DATABASE_URL;
  return server === undefined ? undefined : create(server, 'template1');
}

/** A database on the server that TEST_DATABASE_URL names, or else on the one that test files share. */
export async function createDatabase(): Promise<TestDatabase> {
  const shared = process.env[SHARED_POSTGRES];
  const database = await createTestDatabase();
  if (database) return database;
  if (shared === undefined) throw new Error('no server for databases: see shared-postgres.ts');
  return create(shared, 'datadeck');
}

/** Opens such a database, migrated and with the table of the test entity, for tests that need no server. */
export async function openTestDatabase(): Promise<{ db: Database; close(): Promise<void> }> {
  const database = await createDatabase();
  const db = openDatabase({ connectionString: database.url }, createLogger('silent'));
  await migrateDatabase(db.$client, (client) => prepareRecordTables(client, [TEST_ENTITY]));
  return {
    db,
    close: async () => {
      await db.$client.end();
      await database.drop();
    },
  };
}
