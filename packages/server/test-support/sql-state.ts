import type pg from 'pg';

/** Runs a statement. @returns the SQLSTATE with which it fails; undefined when it succeeds */
export async function stateOf(client: pg.Client, statement: string): Promise<string | undefined> {
  try {
    await client.query(statement);
  } catch (error) {
    return (error as pg.DatabaseError).code;
  }
  return undefined;
}
