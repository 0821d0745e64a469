import { sql } from 'drizzle-orm';
import type { Queryable } from './database.ts';

/** Returns whether the database accepts writes; a standby does not. @throws when it does not respond */
export async function isWritable(db: Queryable): Promise<boolean> {
  const { rows } = await db.execute<{ read_only: string }>(
    sql`select current_setting('transaction_read_only') as read_only`,
  );
  return rows[0]?.read_only !== 'on';
}
