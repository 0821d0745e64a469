import type { UserEntity } from '@datadeck/contract';
import { RefreshCw } from 'lucide-react';
import { sentenceOf } from '../../api/failure.ts';
import { useForbiddenReason, useMayChange } from '../../api/permission.ts';
import { Button } from '../../ui/button.tsx';
import { countOf, formatCount } from '../../ui/duration.ts';
import { toasts } from '../../ui/toast.tsx';
import { useProvidersQuery } from '../connections/connections-api.ts';
import { entityTitles } from './entity-titles.ts';
import { useProvidersAndSyncs } from './providers-and-syncs.ts';
import { type StartedSyncs, useStartAllSyncsMutation } from './sources-api.ts';

/** Duration of the toast about sources that were not started, ms. */
const DURATION = 8000;
/** Number of sources that the toast names. */
const NAMED = 3;

/** Says which sources were not started and why; a source whose account is one of several is named with it. */
function skippedInWords({ skipped }: StartedSyncs, titles: ReadonlyMap<string, string>): string {
  const named = skipped
    .slice(0, NAMED)
    .map(
      ({ entityLabel, account, message }) =>
        `${titles.get(entityLabel) ?? entityLabel} (${account}): ${message}`,
    );
  const rest = skipped.length - named.length;
  return `Not started: ${named.join(' ')}${rest > 0 ? ` And ${formatCount(rest)} more.` : ''}`;
}

/** Counts the syncs of the latest start of all sources, and those that have ended. */
function useAllProgress(result: StartedSyncs | undefined, startedAt: number | undefined) {
  const { syncs } = useProvidersAndSyncs();
  const started = result?.started ?? [];
  // A list from before the start does not have its syncs yet; later, a missing one was deleted.
  const isNewer = (syncs.fulfilledTimeStamp ?? 0) >= (startedAt ?? 0);
  const isRunning = (id: string) => {
    const found = syncs.data?.find((sync) => sync.id === id);
    return found ? found.status === 'started' : !isNewer;
  };
  return { count: started.length, running: started.filter(({ id }) => isRunning(id)).length };
}

/** Starts a sync of each source that was synchronized before, and shows one progress for all of them. */
export function SyncAllButton({ entities }: { entities: readonly UserEntity[] }) {
  const mayChange = useMayChange();
  const forbidden = useForbiddenReason();
  const { data: providers = [] } = useProvidersQuery();
  // The key keeps the result while the user is on another page.
  const [startAll, state] = useStartAllSyncsMutation({ fixedCacheKey: 'sync-all' });
  const { count, running } = useAllProgress(state.data, state.fulfilledTimeStamp);
  async function start() {
    const { data, error } = await startAll();
    if (error) return toasts.error(sentenceOf(error), { duration: DURATION });
    const { started, skipped } = data;
    if (started.length > 0) toasts.success(`${countOf(started.length, 'sync', 'syncs')} started`);
    if (skipped.length > 0)
      toasts.error(skippedInWords(data, entityTitles(entities, providers)), { duration: DURATION });
    if (started.length + skipped.length === 0)
      toasts.info('Nothing has been synchronized yet. Start a first sync under Details.');
  }
  const isBusy = state.isLoading || running > 0;
  return (
    <Button
      icon={<RefreshCw size={14} />}
      busy={isBusy}
      disabled={!mayChange || isBusy}
      title={forbidden}
      className="tabular-nums"
      onClick={() => void start()}
    >
      {running > 0 ? `${formatCount(count - running)} of ${countOf(count, 'source')} done` : 'Sync all'}
    </Button>
  );
}
