import { and, eq, gt, isNotNull, or } from 'drizzle-orm';
import type { Queryable } from '../../platform/db/database.ts';
import type { RecordSource } from '../records/index.ts';
import { isSyncStateOf } from './sync-state.ts';
import { syncs } from './tables.ts';

/**
 * Returns whether a run of the entity has succeeded since a point in time: one that the user started, or a scheduled one
 * of this schedule's settings, or of scopes if it has some.
 */
export async function hasFinishedSince(
  db: Queryable,
  source: RecordSource,
  { since, settings, hasScopes }: { since: Date; settings: Record<string, string>; hasScopes: boolean },
): Promise<boolean> {
  const isSame = hasScopes ? isNotNull(syncs.givenScopes) : eq(syncs.settings, settings);
  const isRelated = or(eq(syncs.isScheduled, false), isSame);
  const found = await db
    .select({ id: syncs.id })
    .from(syncs)
    .where(
      and(isSyncStateOf(syncs, source), eq(syncs.status, 'finished'), gt(syncs.updatedAt, since), isRelated),
    )
    .limit(1);
  return found.length > 0;
}
