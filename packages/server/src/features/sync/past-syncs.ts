import type { SyncSummary } from '@datadeck/contract';
import type { Queryable } from '../../platform/db/database.ts';
import { newId } from '../../platform/ids.ts';
import { syncNumbers, syncs } from './tables.ts';
import { countPastRuns } from './usage.ts';

/** An ended sync in the history of a demo workspace. */
export interface PastSync {
  connectionId: string;
  provider: string;
  entity: string;
  settings: Record<string, string>;
  scope: string;
  status: 'finished' | 'failed';
  endedAt: Date;
  summary: SyncSummary;
}

/**
 * Stores a history of syncs, oldest first, and counts their runs. The caller stores the records of the finished ones.
 * @returns the ids in the same order
 */
export async function insertPastSyncs(
  tx: Queryable,
  userId: string,
  history: readonly PastSync[],
): Promise<string[]> {
  const rows = history.map((past, index) => ({
    userId,
    id: newId(),
    connectionId: past.connectionId,
    provider: past.provider,
    entity: past.entity,
    scope: past.scope,
    settings: past.settings,
    number: index + 1,
    status: past.status,
    failure: past.status === 'failed' ? ('error' as const) : null,
    createdAt: new Date(past.endedAt.getTime() - (past.summary.timeElapsed ?? 1) * 1000),
    updatedAt: past.endedAt,
    cap: past.summary.entitiesSynced ?? 0,
    counters: {},
    phase: 'done',
    summary: past.summary,
    undoable: past.status === 'finished',
  }));
  await tx.insert(syncs).values(rows);
  await tx.insert(syncNumbers).values({ userId, last: rows.length });
  // A run that failed before its first record does not count towards the month.
  await countPastRuns(
    tx,
    userId,
    rows.filter(({ status }) => status === 'finished'),
  );
  return rows.map((row) => row.id);
}
