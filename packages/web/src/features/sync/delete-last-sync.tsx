import { Trash2 } from 'lucide-react';
import type { Sync, SyncSummary } from '../../api/models.ts';
import { useForbiddenReason, useMayChange } from '../../api/permission.ts';
import { Button } from '../../ui/button.tsx';
import { confirmDeletion } from '../../ui/confirmation.tsx';
import { countOf } from '../../ui/duration.ts';
import { toasts } from '../../ui/toast.tsx';
import { useDeleteSyncMutation } from './sync-api.ts';

/** Says what the deletion of a run does to the records: `Undo this run: 10 added records go, 3 updated records change back.` */
export function undoInWords({ added = 0, updated = 0, removed = 0 }: SyncSummary): string {
  const changes: [number, string, [one: string, many: string]][] = [
    [added, 'added', ['goes', 'go']],
    [updated, 'updated', ['changes back', 'change back']],
    [removed, 'removed', ['returns', 'return']],
  ];
  const parts = changes
    .filter(([count]) => count > 0)
    .map(([count, how, [one, many]]) => `${countOf(count, `${how} record`)} ${count === 1 ? one : many}`);
  return `Undo this run: ${parts.join(', ') || 'it changed no records'}.`;
}

/** Deletes the last sync of an entity after a confirmation, which undoes it. */
export function DeleteLastSync({ sync, entityTitle }: { sync: Sync; entityTitle: string }) {
  const mayChange = useMayChange();
  const forbidden = useForbiddenReason();
  const [deleteSync, { isLoading }] = useDeleteSyncMutation();
  async function ask() {
    if (
      !(await confirmDeletion(
        `Delete #${sync.number} of ${entityTitle}`,
        'The latest synchronized data will be deleted.',
        undoInWords(sync.summary),
      ))
    )
      return;
    const { error } = await deleteSync(sync.id);
    if (error) toasts.error('Last synchronization data deletion was unsuccessful');
    else toasts.success('Last synchronization data was deleted successfully');
  }
  return (
    <Button
      variant="danger"
      className="mr-auto"
      icon={<Trash2 size={14} />}
      busy={isLoading}
      disabled={!mayChange || isLoading}
      title={forbidden}
      onClick={() => void ask()}
    >
      Delete
    </Button>
  );
}
