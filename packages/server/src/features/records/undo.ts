import { sql } from 'drizzle-orm';
import type { Queryable } from '../../platform/db/pool.ts';
import { restorePreImages } from './pre-images.ts';
import type { RecordSource } from './source.ts';
import { recordAdded, recordUndo } from './tables.ts';
import { bumpVersion } from './write.ts';

const UNDO_LOG = [recordUndo, recordAdded];

/** Undoes a run: what it added goes, what it overwrote or removed returns. Costs by what the run changed. */
export async function undoSync(tx: Queryable, source: RecordSource, syncId: string): Promise<void> {
  const log = sql`u.user_id = ${source.userId} and u.sync_id = ${syncId}`;
  await tx.execute(sql`
    delete from records r
    where r.user_id = ${source.userId} and r.connection_id = ${source.connectionId} and r.entity = ${source.entity}
      and r.external_id = any(array(select unnest(u.external_ids) from record_added u where ${log}))`);
  await tx.execute(restorePreImages(log));
  await forgetUndo(tx, source.userId, syncId);
  await bumpVersion(tx, source);
  // What came back may have facets of an older version: the next look at the source finds them.
  await tx.execute(sql`
    update record_versions set facets_version = 0
    where user_id = ${source.userId} and connection_id = ${source.connectionId} and entity = ${source.entity}`);
}

/** Drops the undo log of a run. */
export async function forgetUndo(tx: Queryable, userId: string, syncId: string): Promise<void> {
  for (const table of UNDO_LOG)
    await tx.execute(sql`delete from ${table} where user_id = ${userId} and sync_id = ${syncId}`);
}
