import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import type { Logger } from '../log.ts';
import { type CopyRows, copyRows } from './copy.ts';

/** The database as features use it: typed queries by drizzle, raw ones by `execute(sql`…`)`. */
export type Database = NodePgDatabase<Record<string, never>> & { $client: pg.Pool };
/** A database or an open transaction. */
export type Queryable = Pick<
  Database,
  'select' | 'selectDistinctOn' | 'insert' | 'update' | 'delete' | 'execute'
>;

/** How long an unused connection is kept open: to connect again costs several round trips. */
const IDLE_MS = 300_000;

/**
 * Opens a pool of connections.
 * @param size how many at most
 * @param timeoutMs how long one is waited for
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
  // The pool listens to idle connections alone: one that breaks between two statements of its holder would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const db = drizzle(pool, { casing: 'snake_case' }) as Database;
  // drizzle's own transaction keeps a connection that breaks at `begin` for ever.
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

/** An open transaction that can also take rows in bulk. */
export type BulkTransaction = Queryable & {
  /** @param statement `copy … from stdin (format binary)` */
  copyIn(statement: string, rows: CopyRows): Promise<void>;
};

/**
 * A transaction that need not be durable at once, and whose plans fit any values: the planner would copy large ones.
 * The settings go along with `begin`, in one message.
 */
export const DEFERRED =
  'begin; set local synchronous_commit = off; set local plan_cache_mode = force_generic_plan';

/** A transaction that its holder must end. */
export interface OpenTransaction {
  tx: BulkTransaction;
  commit(): Promise<void>;
  rollback(): Promise<void>;
}

/** Opens a transaction on a connection of its own. */
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

/** Runs a task in one transaction; it is rolled back when the task throws. */
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

/** Whether so few connections are in use that one user may take a second one. */
export function hasSpareConnection({ $client: pool }: Database): boolean {
  return pool.waitingCount === 0 && pool.totalCount - pool.idleCount < pool.options.max / 2;
}
