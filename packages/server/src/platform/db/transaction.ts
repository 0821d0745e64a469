import type pg from 'pg';

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
