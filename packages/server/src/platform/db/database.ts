import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import type { Logger } from '../log.ts';
import { tracePool } from '../tracing/query-spans.ts';
import { type CopyRows, copyRows } from './copy.ts';

/** The database: typed queries by drizzle, raw ones by `execute(sql`…`)`. */
export type Database = NodePgDatabase<Record<string, never>> & { $client: pg.Pool };
/** A database or an open transaction. */
export type Queryable = Pick<
  Database,
  'select' | 'selectDistinctOn' | 'insert' | 'update' | 'delete' | 'execute'
>;

/** Returns typed queries on one connection. */
export function queryableOf(client: pg.ClientBase): Queryable {
  return drizzle(client as pg.Client, { casing: 'snake_case' });
}

/** Idle time after which a connection is closed; reconnecting costs several round trips. */
const IDLE_MS = 300_000;

/**
 * Opens a pool of connections.
 * @param size largest number of connections
 * @param timeoutMs longest wait for a connection
 */
export function openDatabase(
  connection: pg.PoolConfig,
  log: Logger,
  size = 16,
  timeoutMs = 10_000,
): Database {
  const pool = new pg.Pool({
    idleTimeoutMillis: IDLE_MS,
    ...connection,
    max: size,
    application_name: 'datadeck',
    connectionTimeoutMillis: timeoutMs,
  });
  pool.on('error', (error) => log.warn({ err: error }, 'database connection lost'));
  // The pool handles errors of idle connections only; without a listener, an error on a used one would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  tracePool(pool);
  const db = drizzle(pool, { casing: 'snake_case' }) as Database;
  // drizzle's own transaction never releases a connection that fails at `begin`.
  const transaction: Database['transaction'] = async (task, config) => {
    const client = await pool.connect();
    try {
      const one: NodePgDatabase<Record<string, never>> = drizzle(client, { casing: 'snake_case' });
      return await one.transaction(task, config);
    } finally {
      client.release();
    }
  };
  return Object.assign(db, { transaction });
}

/** An open transaction that can also copy rows in bulk. */
export type BulkTransaction = Queryable & {
  /** @param statement `copy … from stdin (format binary)` */
  copyIn(statement: string, rows: CopyRows): Promise<void>;
};

/**
 * Starts a transaction with asynchronous commit and generic plans (custom plans would copy large parameters). The settings
 * are sent together with `begin` in one message.
 */
export const DEFERRED =
  'begin; set local synchronous_commit = off; set local plan_cache_mode = force_generic_plan';

/** A transaction that the caller must end. */
export interface OpenTransaction {
  tx: BulkTransaction;
  commit(): Promise<void>;
  rollback(): Promise<void>;
}

/** Opens a transaction on its own connection. */
export async function openTransaction(
  db: Database,
  begin: 'begin' | typeof DEFERRED = 'begin',
): Promise<OpenTransaction> {
  const client = await db.$client.connect();
  const end = async (statement: 'commit' | 'rollback') => {
    let broken: Error | undefined;
    try {
      await client.query(statement);
    } catch (error) {
      broken = error as Error;
      if (statement === 'commit') throw error;
    } finally {
      client.release(broken);
    }
  };
  const tx = Object.assign(drizzle(client, { casing: 'snake_case' }), {
    copyIn: (statement: string, rows: CopyRows) => copyRows(client, statement, rows),
  });
  try {
    await client.query(begin);
  } catch (error) {
    client.release(error as Error);
    throw error;
  }
  return { tx, commit: () => end('commit'), rollback: () => end('rollback') };
}

/** Runs a task in one transaction; rolls back when the task throws. */
export async function inBulkTransaction<T>(
  db: Database,
  task: (tx: BulkTransaction) => Promise<T>,
  begin: 'begin' | typeof DEFERRED = 'begin',
): Promise<T> {
  const transaction = await openTransaction(db, begin);
  let outcome: T;
  try {
    outcome = await task(transaction.tx);
  } catch (error) {
    await transaction.rollback();
    throw error;
  }
  await transaction.commit();
  return outcome;
}

/** Returns whether less than half of the connections are in use, so that one user may take a second one. */
export function hasSpareConnection({ $client: pool }: Database): boolean {
  return pool.waitingCount === 0 && pool.totalCount - pool.idleCount < pool.options.max / 2;
}
