import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import type { Logger } from '../log.ts';

/** The database as features use it: typed queries by drizzle, raw ones by `execute(sql`…`)`. */
export type Database = NodePgDatabase<Record<string, never>> & { $client: pg.Pool };
/** A database or an open transaction. */
export type Queryable = Pick<
  Database,
  'select' | 'selectDistinctOn' | 'insert' | 'update' | 'delete' | 'execute'
>;

/**
 * Opens a pool of connections.
 * @param size how many at most
 */
export function openDatabase(connection: pg.PoolConfig, log: Logger, size = 16): Database {
  const pool = new pg.Pool({
    ...connection,
    max: size,
    application_name: 'datadeck',
    connectionTimeoutMillis: 10_000,
  });
  pool.on('error', (error) => log.warn({ err: error }, 'database connection lost'));
  return drizzle(pool, { casing: 'snake_case' }) as Database;
}
