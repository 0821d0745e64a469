import type { Database } from './database.ts';

/** Returns what identifies the database that a pool leads to: the start of its server, and its id there. */
async function identify({ $client: pool }: Database): Promise<string> {
  const { rows } = await pool.query<{ identity: string }>(
    `select concat(extract(epoch from pg_postmaster_start_time()), ' ', oid) as identity
    from pg_database where datname = current_database()`,
  );
  return rows[0]?.identity ?? '';
}

/** Returns whether two pools lead to the same database of the same server. */
export async function isSameDatabase(one: Database, other: Database): Promise<boolean> {
  const [left, right] = await Promise.all([identify(one), identify(other)]);
  return left === right;
}
