import type { OverviewRow } from './overview.ts';

/** Returns the first entity that has never been synchronized, else the first one. */
export function nextEntity(rows: readonly OverviewRow[]): OverviewRow | undefined {
  return rows.find(({ currentSyncId, lastSyncId }) => currentSyncId === '' && lastSyncId === '') ?? rows[0];
}
