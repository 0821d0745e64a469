import { type ChangeKind, PAGE_SIZES, type SyncChanges } from '@datadeck/contract';
import { FileDiff } from 'lucide-react';
import { useState } from 'react';
import { causeOf } from '../../api/failure.ts';
import type { Sync } from '../../api/models.ts';
import { DateTime } from '../../ui/date-time.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { formatCount } from '../../ui/duration.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LoadFailure } from '../../ui/load-failure.tsx';
import { clampPage, pageCount } from '../../ui/page-window.ts';
import { Pagination } from '../../ui/pagination.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { KIND_TITLES } from './change-kind.tsx';
import { ChangeRow } from './change-row.tsx';
import { useSyncChangesQuery } from './records-api.ts';

const KINDS = ['updated', 'added', 'removed'] as const;

/** Returns the filter's options with their counts; kinds without changes are left out. */
function choices(counts: SyncChanges['counts']): { value: ChangeKind | 'all'; label: string }[] {
  const all = counts.added + counts.updated + counts.removed;
  const kinds = KINDS.filter((kind) => counts[kind] > 0);
  return [
    { value: 'all', label: `All ${formatCount(all)}` },
    ...kinds.map((kind) => ({ value: kind, label: `${KIND_TITLES[kind]} ${formatCount(counts[kind])}` })),
  ];
}

/** Returns the number of changes on the first page, from the sync's receipt. */
function changesOf({ summary }: Sync): number {
  const all = (summary.added ?? 0) + (summary.updated ?? 0) + (summary.removed ?? 0);
  return Math.min(all, PAGE_SIZES.results);
}

/** Placeholder for the list while it loads. */
function LoadingChanges({ changes }: { changes: number }) {
  return (
    <div role="status" className="flex flex-col gap-3">
      <span className="flex h-8 items-center text-12 text-ink-3">Loading</span>
      <div className="rounded-md border">
        {Array.from({ length: changes }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
          <div key={index} className="border-b last:border-b-0">
            <div className="flex h-10 items-center gap-3 px-3">
              <Skeleton className="ml-6 h-5 w-16" />
              <Skeleton className="h-3 w-1/3" />
            </div>
          </div>
        ))}
      </div>
    </div>
  );
}

interface SyncChangesDialogProps {
  sync: Sync;
  entityTitle: string;
  onClose: () => void;
}

/** The 'What changed' dialog: the records that a sync added, updated and removed, with their differences. */
export function SyncChangesDialog({ sync, entityTitle, onClose }: SyncChangesDialogProps) {
  const [kind, setKind] = useState<ChangeKind | 'all'>('all');
  const [page, setPage] = useState(1);
  const query = { id: sync.id, kind: kind === 'all' ? ('' as const) : kind, page };
  const { data, currentData, error, isFetching, refetch } = useSyncChangesQuery(query);
  const total = pageCount(data?.count ?? 0, PAGE_SIZES.results);
  return (
    <Dialog
      open
      onClose={onClose}
      size="xl"
      title={`What changed in #${sync.number}`}
      subtitle={
        <>
          {entityTitle} · <DateTime iso={sync.updatedAt} />
        </>
      }
    >
      <div className="flex min-h-64 flex-col gap-3">
        {error !== undefined && <LoadFailure sentence={causeOf(error)} busy={isFetching} onRetry={refetch} />}
        {!data && error === undefined && <LoadingChanges changes={changesOf(sync)} />}
        {data && data.counts.added + data.counts.updated + data.counts.removed === 0 && (
          <EmptyState
            icon={<FileDiff size={20} />}
            title={data.isKept ? 'No record was changed' : 'The changes of this sync are no longer stored'}
            hint={
              data.isKept
                ? 'All records were already up to date.'
                : 'Changes are stored for recent syncs only. Older syncs keep their receipt.'
            }
          />
        )}
        {data && data.results.length > 0 && (
          <>
            <div className="flex flex-wrap items-center justify-between gap-2">
              <Segmented
                label="Kind of change"
                value={kind}
                options={choices(data.counts)}
                onChange={(next) => {
                  setKind(next);
                  setPage(1);
                }}
              />
              {total > 1 && (
                <Pagination
                  label="Pages of changes"
                  page={clampPage(page, total)}
                  total={total}
                  onChange={(next) => {
                    if (!isFetching) setPage(next);
                  }}
                />
              )}
            </div>
            <ul className="rounded-md border">
              {(currentData ?? data).results.map(({ recordId, title, kind: changed }) => (
                <ChangeRow key={recordId} kind={changed} syncId={sync.id} recordId={recordId}>
                  <span
                    dir="auto"
                    title={title || recordId}
                    className="min-w-0 flex-1 truncate text-left font-medium"
                  >
                    {title || recordId}
                  </span>
                  <span
                    title={recordId}
                    className="hidden shrink-0 truncate font-mono text-12 text-ink-3 sm:block sm:max-w-48"
                  >
                    {recordId}
                  </span>
                </ChangeRow>
              ))}
            </ul>
          </>
        )}
      </div>
    </Dialog>
  );
}
