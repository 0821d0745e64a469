import type { SyncStatus } from '@datadeck/contract';
import type { Provider, Sync } from '../../api/models.ts';

/** An entity of a connected provider with its current and last sync; missing values are empty strings. */
export interface OverviewRow {
  entityLabel: string;
  entityLabelTitle: string;
  providerId: string;
  currentSyncId: string;
  currentSyncStatus: SyncStatus | '';
  currentSyncUpdatedAt: string;
  lastSyncId: string;
  lastSyncStatus: SyncStatus | '';
  lastSyncUpdatedAt: string;
}

/** Rows by provider title. */
export type Overview = Record<string, OverviewRow[]>;

function latest(syncs: readonly Sync[]): Sync | undefined {
  return syncs.reduce<Sync | undefined>(
    (newest, sync) =>
      newest === undefined || Date.parse(sync.updatedAt) > Date.parse(newest.updatedAt) ? sync : newest,
    undefined,
  );
}

/**
 * Computes the overview of the connected providers: an entity's current sync is its most recent started one, its last
 * sync the most recent finished or failed one (specification, section 4).
 */
export function computeOverview(providers: readonly Provider[], syncs: readonly Sync[]): Overview {
  const overview: Overview = {};
  for (const provider of providers) {
    if (!provider.isConnected) continue;
    overview[provider.title] = provider.entities.map((entity) => {
      const own = syncs.filter((sync) => sync.providerId === provider.id && sync.entityLabel === entity.id);
      const current = latest(own.filter((sync) => sync.status === 'started'));
      const last = latest(own.filter((sync) => sync.status !== 'started'));
      return {
        entityLabel: entity.id,
        entityLabelTitle: entity.title,
        providerId: provider.id,
        currentSyncId: current?.id ?? '',
        currentSyncStatus: current?.status ?? '',
        currentSyncUpdatedAt: current?.updatedAt ?? '',
        lastSyncId: last?.id ?? '',
        lastSyncStatus: last?.status ?? '',
        lastSyncUpdatedAt: last?.updatedAt ?? '',
      };
    });
  }
  return overview;
}
