import { type SettingValues, type SyncPlan, validateSettings } from '@datadeck/contract';
import type { EntityInAccount } from './entity-account.ts';
import { usePlanSyncQuery } from './sync-api.ts';
import { whatToRead } from './what-to-read.ts';

/** Loads the plan of a sync with these settings; sends no request while they are invalid. */
export function useSyncPlan(
  entity: EntityInAccount,
  values: SettingValues,
): { plan: SyncPlan | undefined; isLoading: boolean; error: unknown; refetch: () => unknown } {
  const isWrong =
    !entity.account?.source && Object.keys(validateSettings(entity.settings, values)).length > 0;
  const request = {
    providerId: entity.providerId,
    entityLabel: entity.id,
    account: entity.account?.account,
    ...whatToRead(entity, values),
  };
  const { currentData, isFetching, error, refetch } = usePlanSyncQuery(request, { skip: isWrong });
  return {
    plan: isWrong ? undefined : currentData,
    isLoading: isFetching && !currentData,
    error: isWrong ? undefined : error,
    refetch,
  };
}
