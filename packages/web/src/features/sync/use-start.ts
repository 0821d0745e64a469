import type { SettingValues } from '@datadeck/contract';
import { useEffect, useRef } from 'react';
import type { Sync } from '../../api/models.ts';
import { toasts } from '../../ui/toast.tsx';
import type { EntityInAccount } from './entity-account.ts';
import { useStartSyncMutation } from './sync-api.ts';
import { whatToRead } from './what-to-read.ts';

/** Starts a sync of an entity in its account. @param last its last ended sync there */
export function useStart(entity: EntityInAccount, last: Sync | undefined) {
  const [startSync, { isLoading, error, reset }] = useStartSyncMutation();
  const newest = useRef(last);
  useEffect(() => {
    newest.current = last;
  }, [last]);
  /** @returns why it could not start; undefined if it did */
  async function start(values: SettingValues): Promise<unknown> {
    // An entity with dependencies needs settings that select the records to synchronize.
    if (entity.dependsOn.length > 0 && Object.keys(values).length === 0) return undefined;
    const { data, error: failure } = await startSync({
      providerId: entity.providerId,
      entityLabel: entity.id,
      account: entity.account?.account,
      prevSyncId: last?.id ?? '',
      generalSettings: { overwrite: true, limit: entity.cap, many: entity.multi },
      ...whatToRead(entity, values),
    });
    if (failure) toasts.error('Synced unsuccessfully');
    // A sync that failed before the response to its start has its receipt already.
    else if (newest.current?.id !== data.id || newest.current.status !== 'failed')
      toasts.success('Sync started successfully', data.id);
    return failure;
  }
  return { start, isRequesting: isLoading, error, reset };
}
