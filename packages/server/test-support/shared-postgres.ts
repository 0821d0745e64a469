import pg from 'pg';
import { migrateDatabase } from '../src/platform/db/migrate.ts';
import { startEmbeddedPostgres } from '../src/platform/embedded-postgres/launcher.ts';
import { makeTemporaryFolder, removeDataFolder } from './temporary-folder.ts';

/** Names the server that test files share, for `createDatabase`. */
export const SHARED_POSTGRES = 'DATADECK_SHARED_POSTGRES';

function addressOf({ host = '', user = '', password, database = '' }: pg.PoolConfig): string {
  return `postgres://${user}:${String(password)}@${encodeURIComponent(host)}/${database}`;
}

/**
 * One embedded PostgreSQL for all test files of a run, each with a database of its own: a copy of the one that is
 * migrated here. Nobody kills this server, so it need not wait for the disk. Files that test the server itself start
 * their own. Unused when TEST_DATABASE_URL names one.
 */
export default async function sharePostgres(): Promise<(() => Promise<void>) | undefined> {
  if (process.env.TEST_DATABASE_URL !== undefined) return undefined;
  const folder = makeTemporaryFolder('datadeck-tests-');
  const server = await startEmbeddedPostgres(folder);
  const pool = new pg.Pool({ ...server.connection, max: 1 });
  await pool.query('alter system set fsync = off');
  await pool.query('alter system set synchronous_commit = off');
  await pool.query('select pg_reload_conf()');
  await migrateDatabase(pool);
  await pool.end();
  process.env[SHARED_POSTGRES] = addressOf(server.connection);
  return async () => {
    await server.stop();
    removeDataFolder(folder);
  };
}
