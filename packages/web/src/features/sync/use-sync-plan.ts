import { type SettingValues, type SyncPlan, type UserEntity, validateSettings } from '@datadeck/contract';
import { usePlanSyncQuery } from './sync-api.ts';

/** Loads the plan of a sync with these settings; sends no request while they are invalid. */
export function useSyncPlan(
  entity: UserEntity,
  values: SettingValues,
): { plan: SyncPlan | undefined; isLoading: boolean; error: unknown; refetch: () => unknown } {
  const isWrong = Object.keys(validateSettings(entity.settings, values)).length > 0;
  const request = { providerId: entity.providerId, entityLabel: entity.id, entitySettings: values };
  const { currentData, isFetching, error, refetch } = usePlanSyncQuery(request, { skip: isWrong });
  return {
    plan: isWrong ? undefined : currentData,
    isLoading: isFetching && !currentData,
    error: isWrong ? undefined : error,
    refetch,
  };
}
