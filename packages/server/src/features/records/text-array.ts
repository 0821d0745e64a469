import { type SQL, sql } from 'drizzle-orm';

/** Builds a `text[]` from the values, as one bound parameter. */
export function textArray(values: readonly (string | null)[]): SQL {
  return sql`${sql.param(values)}::text[]`;
}
