import { type SQL, sql } from 'drizzle-orm';

/** A text array as one bound parameter. */
export function textArray(values: readonly (string | null)[]): SQL {
  return sql`${sql.param(values)}::text[]`;
}
