import type pg from 'pg';

/** How a task runs in a transaction of a connection: `inTransaction`, or `inOpenTransaction`. */
export type Within = <T>(client: pg.ClientBase, task: () => Promise<T>) => Promise<T>;

/** Runs a task in the transaction that the caller has opened and will end. */
export const inOpenTransaction: Within = (_client, task) => task();

/** Runs a task in a transaction of a connection, which is rolled back if the task throws. */
export async function inTransaction<T>(client: pg.ClientBase, task: () => Promise<T>): Promise<T> {
  await client.query('begin');
  try {
    const result = await task();
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}
