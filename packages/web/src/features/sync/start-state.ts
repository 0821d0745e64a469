import { isUsedUp, type SyncStatus, type Usage } from '@datadeck/contract';

export interface StartConditions {
  /** Status of the running sync, if any. */
  currentStatus: SyncStatus | '';
  /** Status of the last ended sync, if any. */
  lastStatus: SyncStatus | '';
  isRequesting: boolean;
  isDisabled: boolean;
  mayChange: boolean;
  isHistory: boolean;
  usage: Pick<Usage, 'used' | 'allowed'>;
}

export interface StartState {
  isHidden: boolean;
  isDisabled: boolean;
  isBusy: boolean;
  label: 'Synchronizing' | 'Resync' | 'Sync';
}

/** Returns the label and state of the start-sync button (specification, section 4). */
export function startState(conditions: StartConditions): StartState {
  const { currentStatus, lastStatus, isRequesting, usage } = conditions;
  const isBusy = isRequesting || currentStatus === 'started';
  return {
    isHidden: conditions.isHistory || isUsedUp(usage),
    isDisabled: isBusy || conditions.isDisabled || !conditions.mayChange,
    isBusy,
    label: isBusy ? 'Synchronizing' : lastStatus === '' ? 'Sync' : 'Resync',
  };
}
