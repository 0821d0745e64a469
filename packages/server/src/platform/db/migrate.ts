import { fileURLToPath } from 'node:url';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import type pg from 'pg';
import { StartError } from '../start-error.ts';

const FOLDER = fileURLToPath(new URL('../../../migrations', import.meta.url));
const LOCK_KEY = 7_238_120;

/** Brings the schema up to date, one process at a time. @throws StartError for a server older than 15 */
export async function migrateDatabase(pool: pg.Pool): Promise<void> {
  const client = await pool.connect();
  try {
    const { rows } = await client.query<{ version: string }>(
      "select current_setting('server_version_num') as version",
    );
    if (Number(rows[0]?.version) < 150_000) {
      throw new StartError(
        'The database is too old: Datadeck needs PostgreSQL 15 or newer. Set DATABASE_URL to one.',
      );
    }
    await client.query('select pg_advisory_lock($1)', [LOCK_KEY]);
    await client.query('set client_min_messages = warning');
    await migrate(drizzle(client), {
      migrationsFolder: FOLDER,
      migrationsSchema: 'public',
      migrationsTable: 'datadeck_migrations',
    });
    await client.query('select pg_advisory_unlock($1)', [LOCK_KEY]);
  } finally {
    client.release();
  }
}
