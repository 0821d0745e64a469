import { isFulfilled } from '@reduxjs/toolkit';
import type { baseApi } from '../../api/base-api.ts';
import type { Provider, Sync } from '../../api/models.ts';
import { isReceiptShown } from '../../features/sync/shown-receipts.ts';
import { syncChanged } from '../../features/sync/sync-changed.ts';
import { toasts } from '../../ui/toast.tsx';

/** Duration of the toast, ms. Its sentence takes longer to read than the product's other toasts. */
const DURATION = 6000;

/** The cache of server state. */
type Cached = Record<typeof baseApi.reducerPath, ReturnType<typeof baseApi.reducer>>;

/*
 * Endpoints are named here by hand: the login screen loads the store, but neither the endpoints nor the contract.
 */

/** Returns the items of all cached lists of an endpoint. */
function cachedItems<T>({ api }: Cached, endpoint: 'providers' | 'syncs'): T[] {
  return Object.values(api.queries).flatMap((query) =>
    query?.endpointName === endpoint ? ((query.data ?? []) as T[]) : [],
  );
}

/** Returns the response to a call of this endpoint; undefined for other actions. */
function responseOf<T>(action: unknown, endpoint: 'startSync' | 'syncs'): T | undefined {
  if (!isFulfilled(action)) return undefined;
  const { arg } = action.meta;
  const isOf =
    typeof arg === 'object' && arg !== null && 'endpointName' in arg && arg.endpointName === endpoint;
  return isOf ? (action.payload as T) : undefined;
}

const startedSync = (action: unknown) => responseOf<Sync>(action, 'startSync');

/** Returns true for actions after which a sync may have ended: an event, a list, or the response to its start. */
export function isAboutSyncs(action: unknown): boolean {
  return (
    syncChanged.match(action) ||
    responseOf<Sync[]>(action, 'syncs') !== undefined ||
    startedSync(action) !== undefined
  );
}

function sentenceOf(sync: Sync, state: Cached): string {
  const title = cachedItems<Provider>(state, 'providers')
    .flatMap(({ entities }) => entities)
    .find(({ id }) => id === sync.entityLabel)?.title;
  const reason = sync.summary.reason ?? 'The reason is unknown. Try again.';
  return `Synchronizing ${title ?? sync.entityLabel} failed: ${reason}`;
}

/** Shows why a sync failed, in the place of the toast that said it started; no toast beside its receipt. */
function announce(sync: Sync, state: Cached): void {
  if (isReceiptShown(sync)) toasts.dismiss(sync.id);
  else toasts.error(sentenceOf(sync, state), { duration: DURATION, id: sync.id });
}

/**
 * Returns a listener that announces each sync that fails while the page is open, once. A sync may fail before
 * the response to its start arrives, and a list that was requested earlier may still show it running.
 */
export function announceFailedSyncs(): (state: Cached, action: unknown) => void {
  /** Ids of the syncs that this page has seen running. */
  const running = new Set<string>();
  const announced = new Set<string>();
  return (state, action) => {
    const started = startedSync(action);
    if (started) running.add(started.id);
    const syncs = cachedItems<Sync>(state, 'syncs');
    for (const sync of syncChanged.match(action) ? [action.payload, ...syncs] : syncs) {
      if (sync.status === 'started') running.add(sync.id);
      // The user cancelled the sync on purpose, so no toast appears.
      else if (running.delete(sync.id) && sync.status === 'failed' && sync.failure !== 'cancelled') {
        if (!announced.has(sync.id)) announce(sync, state);
        announced.add(sync.id);
      }
    }
  };
}
