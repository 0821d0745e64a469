import { type SQL, sql } from 'drizzle-orm';

/** Maximum number of records, and of document bytes, that one step parses on the main thread. */
export const STEP_LIMITS = { records: 50, bytes: 500_000 } as const;

/**
 * Limits rows to what one step may parse, but at least one row.
 * @param rows a select of at most `STEP_LIMITS.records` rows
 * @param size expression: the bytes of a row's document
 */
export function limitStep(rows: SQL, { order, size }: { order: SQL; size: SQL }): SQL {
  // Columns of entities never begin with an underscore.
  return sql`
    select * from (
      select *, sum(${size}) over (order by ${order}) as _bytes, row_number() over (order by ${order}) as _step_row from (${rows}) step
    ) sized where _bytes <= ${STEP_LIMITS.bytes} or _step_row = 1`;
}
