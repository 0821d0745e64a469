import { and, eq, gt } from 'drizzle-orm';
import type { Queryable } from '../../platform/db/database.ts';
import type { RecordSource } from '../records/index.ts';
import { isSyncStateOf } from './sync-state.ts';
import { syncs } from './tables.ts';

/** Returns whether any run of the entity, scheduled or not, has succeeded since a point in time. */
export async function hasFinishedSince(db: Queryable, source: RecordSource, since: Date): Promise<boolean> {
  const found = await db
    .select({ id: syncs.id })
    .from(syncs)
    .where(and(isSyncStateOf(syncs, source), eq(syncs.status, 'finished'), gt(syncs.updatedAt, since)))
    .limit(1);
  return found.length > 0;
}
