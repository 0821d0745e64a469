import { and, eq, gt, or } from 'drizzle-orm';
import type { Queryable } from '../../platform/db/database.ts';
import type { RecordSource } from '../records/index.ts';
import { isSyncStateOf } from './sync-state.ts';
import { syncs } from './tables.ts';

/**
 * Returns whether a run of the entity has succeeded since a point in time: one that the user started, or a scheduled one
 * with these settings.
 */
export async function hasFinishedSince(
  db: Queryable,
  source: RecordSource,
  { since, settings }: { since: Date; settings: Record<string, string> },
): Promise<boolean> {
  const isRelated = or(eq(syncs.isScheduled, false), eq(syncs.settings, settings));
  const found = await db
    .select({ id: syncs.id })
    .from(syncs)
    .where(
      and(isSyncStateOf(syncs, source), eq(syncs.status, 'finished'), gt(syncs.updatedAt, since), isRelated),
    )
    .limit(1);
  return found.length > 0;
}
