import { type SettingValues, validateSettings } from '@datadeck/contract';
import { RefreshCw } from 'lucide-react';
import { sentenceOf } from '../../api/failure.ts';
import type { Sync } from '../../api/models.ts';
import { useForbiddenReason, useMayChange } from '../../api/permission.ts';
import { Button } from '../../ui/button.tsx';
import type { EntityInAccount } from './entity-account.ts';
import { initialValues } from './settings-form.tsx';
import { startState } from './start-state.ts';
import { useStart } from './use-start.ts';

/** Returns the settings of the entity's last sync; null if it needs settings and has no valid ones yet. */
export function storedSettings(entity: EntityInAccount): SettingValues | null {
  const values = initialValues(entity);
  if (entity.settings.length === 0 || entity.account?.source) return values;
  if (entity.lastSettings === null) return null;
  return Object.keys(validateSettings(entity.settings, values)).length > 0 ? null : values;
}

interface SyncNowButtonProps {
  entity: EntityInAccount;
  /** The syncs of the entity in its account, newest first. */
  syncs: readonly Sync[];
  /** Whether the account must be connected again first. */
  isBlocked: boolean;
  /** Opens the details, where missing settings are entered. */
  onDetails: () => void;
  /** Called with why a sync could not start; undefined when one is requested. */
  onFailure: (sentence: string | undefined) => void;
}

/** Starts a sync with the settings of the last one; opens the details if there are none. */
export function SyncNowButton({ entity, syncs, isBlocked, onDetails, onFailure }: SyncNowButtonProps) {
  const mayChange = useMayChange();
  const forbidden = useForbiddenReason();
  const last = syncs.find(({ status }) => status !== 'started');
  const { start, isRequesting } = useStart(entity, last);
  const state = startState({
    currentStatus: syncs.some(({ status }) => status === 'started') ? 'started' : '',
    lastStatus: last?.status ?? '',
    isRequesting,
    isDisabled: isBlocked,
    mayChange,
    isHistory: false,
    usage: entity.usage,
  });
  if (state.isHidden) return null;
  async function sync() {
    const values = storedSettings(entity);
    if (values === null) return onDetails();
    onFailure(undefined);
    const failure = await start(values);
    if (failure) onFailure(sentenceOf(failure));
  }
  return (
    <Button
      size="sm"
      busy={state.isBusy}
      icon={<RefreshCw size={14} />}
      disabled={state.isDisabled}
      aria-label={`Sync ${entity.title}`}
      title={forbidden ?? (isBlocked ? 'Reconnect the provider first' : undefined)}
      onClick={() => void sync()}
    >
      Sync
    </Button>
  );
}
