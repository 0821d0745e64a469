import pg from 'pg';
import { prepareRecordTables } from '../src/features/records/index.ts';
import { type Database, openDatabase } from '../src/platform/db/database.ts';
import { migrateDatabase } from '../src/platform/db/migrate.ts';
import { createLogger } from '../src/platform/log.ts';
import { SHARED_POOLER, SHARED_POSTGRES } from './shared-postgres.ts';
import { TEST_ENTITY } from './test-entity.ts';

/** A separate database for one test file. */
export interface TestDatabase {
  /** Its address; with a pooler, that of the pooler. */
  url: string;
  /** Its address without the pooler; missing when there is none. */
  directUrl?: string;
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
  const pooler = process.env[SHARED_POOLER];
  const addresses =
    pooler === undefined ? { url: to(name) } : { url: pooler.replace(/[^/]*$/, name), directUrl: to(name) };
  return { ...addresses, drop: () => execute(`drop database if exists ${name} with (force)`) };
}

/** Creates a database on the server of TEST_DATABASE_URL; undefined if it is not set. */
export async function createTestDatabase(): Promise<TestDatabase | undefined> {
  const server = process.env.TEST_DATABASE_URL;
  return server === undefined ? undefined : create(server, 'template1');
}

/** Creates a database on the server of TEST_DATABASE_URL, else on the shared server of all test files. */
export async function createDatabase(): Promise<TestDatabase> {
  const shared = process.env[SHARED_POSTGRES];
  const database = await createTestDatabase();
  if (database) return database;
  if (shared === undefined) throw new Error('no server for databases: see shared-postgres.ts');
  return create(shared, 'datadeck');
}

/** Creates a database without any table. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  const server = process.env.TEST_DATABASE_URL ?? process.env[SHARED_POSTGRES];
  if (server === undefined) throw new Error('no server for databases: see shared-postgres.ts');
  return create(server, 'template1');
}

/** Opens a migrated database with the table of the test entity, for tests without a server. */
export async function openTestDatabase(): Promise<{ db: Database; close(): Promise<void> }> {
  const database = await createDatabase();
  const open = (connectionString: string) => openDatabase({ connectionString }, createLogger('silent'));
  const direct = open(database.directUrl ?? database.url);
  await migrateDatabase(direct.$client, (client) => prepareRecordTables(client, [TEST_ENTITY]));
  await direct.$client.end();
  const db = open(database.url);
  return {
    db,
    close: async () => {
      await db.$client.end();
      await database.drop();
    },
  };
}
