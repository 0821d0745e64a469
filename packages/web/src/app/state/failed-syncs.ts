import { isFulfilled } from '@reduxjs/toolkit';
import type { Sync } from '../../api/wire.ts';
import { type OverviewState, syncSet, syncsSet } from '../../features/sync/overview-slice.ts';
import { toasts } from '../../ui/toast.tsx';

/** Milliseconds that the announcement stays: its sentence takes longer to read than the product's other toasts. */
const DURATION = 6000;

/** Returns the id of the sync whose start this action reports. By hand: the login screen loads without the contract. */
function startedId(action: unknown): string | undefined {
  if (!isFulfilled(action)) return undefined;
  const { arg } = action.meta;
  const isStart =
    typeof arg === 'object' && arg !== null && 'endpointName' in arg && arg.endpointName === 'startSync';
  return isStart ? (action.payload as Sync)._id : undefined;
}

/** Tells whether an action may show that a sync has ended: an event, a list, or the answer to its start. */
export function isAboutSyncs(action: unknown): boolean {
  return syncSet.match(action) || syncsSet.match(action) || startedId(action) !== undefined;
}

function sentenceOf(sync: Sync, { providers }: Pick<OverviewState, 'providers'>): string {
  const title = providers
    .flatMap(({ entities }) => entities)
    .find(({ id }) => id === sync.entityLabel)?.title;
  const reason = sync.summary.reason ?? 'The reason is not known.';
  return `Synchronizing ${title ?? sync.entityLabel} failed: ${reason}`;
}

/**
 * Makes a listener that announces each sync which fails while the page is open, on every screen. A sync may
 * fail before the answer to its start has come.
 */
export function announceFailedSyncs(): (state: OverviewState, action: unknown) => void {
  /** Syncs that the page has seen running. */
  const running = new Set<string>();
  return (state, action) => {
    const started = startedId(action);
    if (started !== undefined) running.add(started);
    for (const sync of state.syncs) {
      if (sync.status === 'started') running.add(sync._id);
      // A cancelled sync was ended on purpose.
      else if (running.delete(sync._id) && sync.status === 'failed' && sync.failure !== 'cancelled')
        toasts.error(sentenceOf(sync, state), { duration: DURATION });
    }
  };
}
