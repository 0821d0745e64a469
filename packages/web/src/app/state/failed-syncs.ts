import { isFulfilled } from '@reduxjs/toolkit';
import type { Sync } from '../../api/wire.ts';
import { type OverviewState, syncSet, syncsSet } from '../../features/sync/overview-slice.ts';
import { isReceiptShown } from '../../features/sync/shown-receipts.ts';
import { toasts } from '../../ui/toast.tsx';

/** Duration of the toast, ms. Its sentence takes longer to read than the product's other toasts. */
const DURATION = 6000;

/** Returns the id of the sync that this action started. Written by hand: the login screen does not load the contract. */
function startedId(action: unknown): string | undefined {
  if (!isFulfilled(action)) return undefined;
  const { arg } = action.meta;
  const isStart =
    typeof arg === 'object' && arg !== null && 'endpointName' in arg && arg.endpointName === 'startSync';
  return isStart ? (action.payload as Sync).id : undefined;
}

/** Returns true for actions after which a sync may have ended: an event, a list, or the response to its start. */
export function isAboutSyncs(action: unknown): boolean {
  return syncSet.match(action) || syncsSet.match(action) || startedId(action) !== undefined;
}

function sentenceOf(sync: Sync, { providers }: Pick<OverviewState, 'providers'>): string {
  const title = providers
    .flatMap(({ entities }) => entities)
    .find(({ id }) => id === sync.entityLabel)?.title;
  const reason = sync.summary.reason ?? 'The reason is unknown. Try again.';
  return `Synchronizing ${title ?? sync.entityLabel} failed: ${reason}`;
}

/** Shows why a sync failed, in the place of the toast that said it started; no toast beside its receipt. */
function announce(sync: Sync, state: OverviewState): void {
  if (isReceiptShown(sync.entityLabel)) toasts.dismiss(sync.id);
  else toasts.error(sentenceOf(sync, state), { duration: DURATION, id: sync.id });
}

/**
 * Returns a listener that announces each sync that fails while the page is open, once. A sync may fail before
 * the response to its start arrives, and a list that was requested earlier may still show it running.
 */
export function announceFailedSyncs(): (state: OverviewState, action: unknown) => void {
  /** Ids of the syncs that this page has seen running. */
  const running = new Set<string>();
  const announced = new Set<string>();
  return (state, action) => {
    const started = startedId(action);
    if (started !== undefined) running.add(started);
    for (const sync of state.syncs) {
      if (sync.status === 'started') running.add(sync.id);
      // The user cancelled the sync on purpose, so no toast appears.
      else if (running.delete(sync.id) && sync.status === 'failed' && sync.failure !== 'cancelled') {
        if (!announced.has(sync.id)) announce(sync, state);
        announced.add(sync.id);
      }
    }
  };
}
