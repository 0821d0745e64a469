import type { RecordedAnswer } from '@datadeck/connectors/declarative/builder';
import { CONNECTOR_BOUNDS, type ConnectorDetail } from '@datadeck/contract';
import { desc, eq, sql } from 'drizzle-orm';
import type { Queryable } from '../../platform/db/database.ts';
import { connectorRecordings } from './tables.ts';

/** Stores an answer of a draft in the place of the one before of the same entity; the oldest ones beyond 21 go. */
export async function storeRecording(
  db: Queryable,
  key: string,
  { answer, records }: { answer: RecordedAnswer; records: number },
): Promise<void> {
  const { entity } = answer;
  const [stored] = await db
    .insert(connectorRecordings)
    .values({ connectorKey: key, entity, records, answer })
    .returning({ id: connectorRecordings.id });
  await db.execute(sql`
    delete from connector_recordings where connector_key = ${key} and (
      (entity = ${entity} and id < ${stored?.id ?? 0}) or id not in (
        select id from connector_recordings where connector_key = ${key} order by id desc limit ${CONNECTOR_BOUNDS.recordings}))`);
}

/** Lists the recordings of a draft, newest first. */
export async function listRecordings(db: Queryable, key: string): Promise<ConnectorDetail['recordings']> {
  const rows = await db
    .select({
      entity: connectorRecordings.entity,
      records: connectorRecordings.records,
      recordedAt: connectorRecordings.recordedAt,
    })
    .from(connectorRecordings)
    .where(eq(connectorRecordings.connectorKey, key))
    .orderBy(desc(connectorRecordings.id))
    .limit(CONNECTOR_BOUNDS.recordings);
  return rows.map((row) => ({ ...row, recordedAt: row.recordedAt.toISOString() }));
}

/** Reads the recorded answers of a draft, newest first; the proof refuses those of earlier versions of the product. */
export async function readRecordings(db: Queryable, key: string): Promise<RecordedAnswer[]> {
  const rows = await db
    .select({ answer: connectorRecordings.answer })
    .from(connectorRecordings)
    .where(eq(connectorRecordings.connectorKey, key))
    .orderBy(desc(connectorRecordings.id))
    .limit(CONNECTOR_BOUNDS.recordings);
  return rows.map(({ answer }) => answer as RecordedAnswer);
}

/** Deletes recordings that are older than seven days. */
export async function deleteOldRecordings(db: Queryable): Promise<void> {
  await db.execute(sql`
    delete from connector_recordings where recorded_at < now() - ${CONNECTOR_BOUNDS.recordingDays} * interval '1 day'`);
}
