import { type SettingValues, type SyncPlan, validateSettings } from '@datadeck/contract';
import type { EntityInAccount } from './entity-account.ts';
import { usePlanSyncQuery } from './sync-api.ts';

/** Loads the plan of a sync with these settings; sends no request while they are invalid. */
export function useSyncPlan(
  entity: EntityInAccount,
  values: SettingValues,
): { plan: SyncPlan | undefined; isLoading: boolean; error: unknown; refetch: () => unknown } {
  const isWrong = Object.keys(validateSettings(entity.settings, values)).length > 0;
  const request = {
    providerId: entity.providerId,
    entityLabel: entity.id,
    account: entity.account?.account,
    entitySettings: values,
  };
  const { currentData, isFetching, error, refetch } = usePlanSyncQuery(request, { skip: isWrong });
  return {
    plan: isWrong ? undefined : currentData,
    isLoading: isFetching && !currentData,
    error: isWrong ? undefined : error,
    refetch,
  };
}
