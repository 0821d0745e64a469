import pg from 'pg';
import { prepareRecordTables } from '../src/features/records/index.ts';
import { migrateDatabase } from '../src/platform/db/migrate.ts';
import { startEmbeddedPostgres } from '../src/platform/embedded-postgres/launcher.ts';
import { partitionTenantTables } from './partitions.ts';
import { PgBouncer } from './pg-bouncer.ts';
import { PRODUCT_ENTITIES } from './product-entities.ts';
import { makeTemporaryFolder, removeDataFolder } from './temporary-folder.ts';
import { TEST_ENTITY } from './test-entity.ts';

/** Environment variable with the address of the shared server, for `createDatabase`. */
export const SHARED_POSTGRES = 'DATADECK_SHARED_POSTGRES';

/** Returns the URL of an embedded database. */
export function addressOf({ host = '', user = '', password, database = '' }: pg.PoolConfig): string {
  return `postgres://${user}:${String(password)}@${encodeURIComponent(host)}/${database}`;
}

/** Environment variable with the address of a pooler in front of the shared server, if there is one. */
export const SHARED_POOLER = 'DATADECK_SHARED_POOLER';
/** Environment variable: `on` puts a pooler in front of the shared server. */
const POOLER = 'TEST_POOLER';
/** Environment variable with a number: the tables of users are divided into as many partitions. */
const PARTITIONS = 'TEST_PARTITIONS';

/** It is never killed, so commits need not wait for the disk; several products share it. */
const SETTINGS = { fsync: 'off', synchronous_commit: 'off', max_connections: '400' };

/** Migrates the database that each test file copies. */
async function prepareTemplate(pool: pg.Pool): Promise<void> {
  const count = process.env[PARTITIONS];
  if (count === undefined) return migrateDatabase(pool);
  await migrateDatabase(pool, async (client) => {
    await prepareRecordTables(client, [...PRODUCT_ENTITIES, TEST_ENTITY]);
    await partitionTenantTables(client, Number(count));
  });
}

/**
 * Starts one embedded PostgreSQL for all test files of a run; each product uses a copy of the database migrated here. Tests of
 * the server itself start their own. Unused with TEST_DATABASE_URL. With TEST_PARTITIONS its tables are partitioned by user,
 * with TEST_POOLER=on tests reach it through PgBouncer.
 */
export default async function sharePostgres(): Promise<(() => Promise<void>) | undefined> {
  if (process.env.TEST_DATABASE_URL !== undefined) return undefined;
  const folder = makeTemporaryFolder('datadeck-tests-');
  const server = await startEmbeddedPostgres(folder, { settings: SETTINGS });
  const pool = new pg.Pool({ ...server.connection, max: 1 });
  await prepareTemplate(pool);
  await pool.end();
  const address = addressOf(server.connection);
  process.env[SHARED_POSTGRES] = address;
  const pooler = process.env[POOLER] === 'on' ? await PgBouncer.start(address) : undefined;
  if (pooler) process.env[SHARED_POOLER] = pooler.url('postgres');
  return async () => {
    await pooler?.stop();
    await server.stop();
    removeDataFolder(folder);
  };
}
