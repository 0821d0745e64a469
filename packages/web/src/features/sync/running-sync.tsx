import type { Sync } from '../../api/models.ts';
import { useForbiddenReason, useMayChange } from '../../api/permission.ts';
import { Button } from '../../ui/button.tsx';
import { toasts } from '../../ui/toast.tsx';
import { useCancelSyncMutation } from './sync-api.ts';
import { SyncProgressView } from './sync-progress.tsx';
import { SyncScope } from './sync-scope.tsx';
import { SyncStatusLine } from './sync-status.tsx';

const QUEUED = { phase: 'queued', records: 0, total: null, rate: 0, retryAt: null } as const;

/** A running sync with what it reads, its progress and a Stop button. */
export function RunningSync({ sync, scope }: { sync: Sync; scope: string }) {
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
      <SyncScope scope={scope} />
      <SyncProgressView progress={sync.progress ?? QUEUED} />
    </div>
  );
}
