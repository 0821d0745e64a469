import { type SQL, sql } from 'drizzle-orm';

/** Most records, and bytes of their documents, that one step parses: it runs on the main thread. */
export const STEP = { records: 50, bytes: 500_000 } as const;

/**
 * Selects of some rows as many as a step may parse, one at least.
 * @param rows a select of at most `STEP.records` rows @param size an expression, the bytes of a row's document
 */
export function stepOf(rows: SQL, { order, size }: { order: SQL; size: SQL }): SQL {
  return sql`
    select * from (
      select *, sum(${size}) over (order by ${order}) as bytes, row_number() over (order by ${order}) as place from (${rows}) step
    ) sized where bytes <= ${STEP.bytes} or place = 1`;
}
