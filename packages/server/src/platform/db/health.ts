import { sql } from 'drizzle-orm';
import type { Queryable } from './pool.ts';

/** Tells whether the database takes writes; a standby does not. @throws when it does not answer */
export async function isWritable(db: Queryable): Promise<boolean> {
  const { rows } = await db.execute<{ read_only: string }>(
    sql`select current_setting('transaction_read_only') as read_only`,
  );
  return rows[0]?.read_only !== 'on';
}
