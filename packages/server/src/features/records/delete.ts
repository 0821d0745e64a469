import { sql } from 'drizzle-orm';
import type { Queryable } from '../../platform/db/pool.ts';

/** Rows a statement deletes at most, so that none holds locks for long. */
const CHUNK = 5000;

/** Tables of this feature that hold a connection's rows. */
const TABLES = [sql.raw('records'), sql.raw('record_undo'), sql.raw('record_added'), sql.raw('record_parts')];

/** Deletes the records and undo logs of a connection, or of the whole user. */
export async function deleteRecords(tx: Queryable, userId: string, connectionId?: string): Promise<void> {
  const within = connectionId === undefined ? sql`` : sql` and connection_id = ${connectionId}`;
  for (const table of TABLES) {
    for (;;) {
      // By their places: a statement that finds each row by its key again takes three times as long.
      const result = await tx.execute(sql`
        delete from ${table} where user_id = ${userId} and ctid = any(array(
          select ctid from ${table} where user_id = ${userId}${within} limit ${CHUNK}))`);
      if ((result.rowCount ?? 0) < CHUNK) break;
    }
  }
  await tx.execute(sql`update record_versions set version = version + 1 where user_id = ${userId}${within}`);
}

/** Removes what only belongs to the account itself. */
export async function deleteRecordVersions(tx: Queryable, userId: string): Promise<void> {
  await tx.execute(sql`delete from record_versions where user_id = ${userId}`);
  await tx.execute(sql`delete from sync_seen where user_id = ${userId}`);
}
