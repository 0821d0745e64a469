import { and, eq, type SQL } from 'drizzle-orm';
import type { RecordSource } from './storage/index.ts';
import type { syncCursors, syncs } from './tables.ts';

/** The condition that a row is one of a user's, connection's and entity's. */
export function ofSource(table: typeof syncs | typeof syncCursors, source: RecordSource): SQL | undefined {
  return and(
    eq(table.userId, source.userId),
    eq(table.connectionId, source.connectionId),
    eq(table.entity, source.entity),
  );
}
