import { and, eq, gt, or } from 'drizzle-orm';
import type { Queryable } from '../../platform/db/pool.ts';
import type { RecordSource } from './storage/index.ts';
import { isSyncStateOf } from './sync-state.ts';
import { syncs } from './tables.ts';
import { toSync } from './wire.ts';

/** How a run stands. */
export interface Ending {
  status: 'started' | 'finished' | 'failed';
  /** Somebody ended it: by Cancel, by disconnecting, by deleting. */
  isCancelled: boolean;
  /** Of a failed run: why. */
  message: string;
}

/** How each of these runs stands, by the sync's id; one that was deleted is missing. */
export async function readEndings(
  db: Queryable,
  runs: readonly { userId: string; syncId: string }[],
): Promise<Map<string, Ending>> {
  if (runs.length === 0) return new Map();
  const rows = await db
    .select()
    .from(syncs)
    .where(or(...runs.map(({ userId, syncId }) => and(eq(syncs.userId, userId), eq(syncs.id, syncId)))));
  return new Map(
    rows.map((row) => {
      const { status, summary } = toSync(row, new Set());
      const message = summary.errMessage ?? '';
      return [row.id, { status, message, isCancelled: row.failure === 'cancelled' }];
    }),
  );
}

/** Whether a run of the entity has ended well since an instant, whoever started it. */
export async function hasFinishedSince(db: Queryable, source: RecordSource, since: Date): Promise<boolean> {
  const found = await db
    .select({ id: syncs.id })
    .from(syncs)
    .where(and(isSyncStateOf(syncs, source), eq(syncs.status, 'finished'), gt(syncs.updatedAt, since)))
    .limit(1);
  return found.length > 0;
}
