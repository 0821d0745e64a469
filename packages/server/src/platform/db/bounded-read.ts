import { drizzle } from 'drizzle-orm/node-postgres';
import type { Database, Queryable } from './pool.ts';

/**
 * Begins a transaction that reads one snapshot; the database ends every statement that takes longer than `ms`. The limit
 * ends with the transaction, as a pooler in transaction mode needs it.
 */
export function beginRead(ms: number): string {
  return `begin isolation level repeatable read read only; ${limitStatements(ms)}`;
}

/** Limits the next statements of an open transaction, ms. */
function limitStatements(ms: number): string {
  return `set local statement_timeout = ${Math.max(1, Math.ceil(ms))}`;
}

/** Reads in one snapshot; each statement may take `ms`. */
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
    // The caller has its rows: nobody waits for the end of the transaction.
    const end = (error?: Error) => client.release(error);
    client.query('rollback').then(() => end(), end);
  }
}
