import type { ReadStored, StoredRecord } from '@datadeck/connectors';
import { sql } from 'drizzle-orm';
import type { Queryable } from '../../platform/db/database.ts';
import { isRecordOf, tableOf } from './record-table.ts';
import type { RecordSource } from './source.ts';

const BATCH_SIZE = 5000;

/** Creates the function with which a run reads the records that its scope has stored, in batches in the order of ids. */
export function storedReader(db: Queryable, source: RecordSource & { scope: string }): ReadStored {
  return async function* (columns) {
    const pairs = columns.map((column) => sql`${column}::text, r.${sql.identifier(column)}`);
    const isInScope = sql`${isRecordOf(source)} and r.scopes @> array[${source.scope}::text]`;
    let after = '';
    for (;;) {
      const { rows } = await db.execute<StoredRecord & Record<string, unknown>>(sql`
        select r.id, json_build_object(${sql.join(pairs, sql`, `)}) as columns from ${tableOf(source)} r
        where ${isInScope} and r.id > ${after} order by r.id limit ${BATCH_SIZE}`);
      if (rows.length > 0) yield rows;
      if (rows.length < BATCH_SIZE) return;
      after = rows.at(-1)?.id ?? '';
    }
  };
}
