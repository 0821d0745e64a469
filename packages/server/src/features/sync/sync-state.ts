import { and, eq, type SQL } from 'drizzle-orm';
import type { RecordSource } from '../records/index.ts';
import type { syncCursors, syncs } from './tables.ts';

/** Returns the condition that a sync or a cursor belongs to a user's connection and entity. */
export function isSyncStateOf(
  table: typeof syncs | typeof syncCursors,
  source: RecordSource,
): SQL | undefined {
  return and(
    eq(table.userId, source.userId),
    eq(table.connectionId, source.connectionId),
    eq(table.entity, source.entity),
  );
}
