import { drizzle } from 'drizzle-orm/node-postgres';
import type { Database, Queryable } from './database.ts';

/**
 * Returns the SQL that starts a read-only transaction on one snapshot with a statement timeout of `ms`. The settings are
 * local to the transaction, as connection poolers in transaction mode require. Without `jit = off`, a server of the
 * operator would compile statements for longer than it takes to run them.
 */
export function beginRead(ms: number): string {
  return `begin isolation level repeatable read read only; set local jit = off; ${limitStatements(ms)}`;
}

/** Returns the SQL that sets the statement timeout (ms) of an open transaction. */
function limitStatements(ms: number): string {
  return `set local statement_timeout = ${Math.max(1, Math.ceil(ms))}`;
}

/** Runs a task in a read-only transaction on one snapshot; each statement may take `ms`. */
export async function readBounded<T>(
  db: Database,
  ms: number,
  task: (tx: Queryable) => Promise<T>,
): Promise<T> {
  const client = await db.$client.connect();
  try {
    await client.query(beginRead(ms));
    return await task(drizzle(client, { casing: 'snake_case' }));
  } finally {
    // Do not wait for the rollback: the caller already has its rows.
    const end = (error?: Error) => client.release(error);
    client.query('rollback').then(() => end(), end);
  }
}
