import type { Sync } from '../../api/models.ts';
import { useForbiddenReason, useMayChange } from '../../api/permission.ts';
import { Button } from '../../ui/button.tsx';
import { formatCount } from '../../ui/duration.ts';
import { toasts } from '../../ui/toast.tsx';
import type { EntityInAccount } from './entity-account.ts';
import { scopeInWords } from './scope-words.ts';
import { scopeTitle } from './source-words.ts';
import { useCancelSyncMutation } from './sync-api.ts';
import { SyncProgressView } from './sync-progress.tsx';
import { SyncScope } from './sync-scope.tsx';
import { SyncStatusLine } from './sync-status.tsx';

const QUEUED = { phase: 'queued', records: 0, total: null, rate: 0, retryAt: null } as const;

/** A running sync with what it reads, its progress and a Stop button. */
export function RunningSync({ sync, entity }: { sync: Sync; entity: EntityInAccount }) {
  const reading = sync.progress?.scope;
  const mayChange = useMayChange();
  const forbidden = useForbiddenReason();
  const [cancel, { isLoading }] = useCancelSyncMutation();
  async function stop() {
    const { error } = await cancel(sync.id);
    if (error) toasts.error('The synchronization could not be cancelled');
  }
  return (
    <div className="flex flex-col gap-3">
      <div className="flex items-center justify-between gap-2">
        <SyncStatusLine status={sync.status} updatedAt={sync.updatedAt} withWords />
        <Button
          size="sm"
          busy={isLoading}
          disabled={!mayChange || isLoading}
          title={forbidden}
          onClick={() => void stop()}
        >
          Stop
        </Button>
      </div>
      <SyncScope scope={scopeInWords(sync, entity)} />
      {reading && (
        <p className="-mt-2 text-12 wrap-anywhere text-ink-2 tabular-nums">
          Reading <bdi>{scopeTitle(reading.name, entity)}</bdi>, {formatCount(reading.place)} of{' '}
          {formatCount(reading.count)}
        </p>
      )}
      <SyncProgressView progress={sync.progress ?? QUEUED} />
    </div>
  );
}
