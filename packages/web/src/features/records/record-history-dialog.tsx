import { causeOf } from '../../api/failure.ts';
import type { RecordVersion } from '../../api/models.ts';
import { DateTime } from '../../ui/date-time.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { LoadFailure } from '../../ui/load-failure.tsx';
import { LoadingRows } from '../../ui/skeleton.tsx';
import { ChangeKindBadge } from './change-kind.tsx';
import { ChangeRow } from './change-row.tsx';
import { useRecordVersionsQuery } from './records-api.ts';

function SyncName({ sync }: Pick<RecordVersion, 'sync'>) {
  if (!sync) return <span className="text-ink-3">by a deleted sync</span>;
  return (
    <span className="flex min-w-0 flex-wrap gap-x-3 whitespace-nowrap">
      <span className="font-medium tabular-nums">by #{sync.number}</span>
      <DateTime iso={sync.at} className="text-ink-3 tabular-nums" />
    </span>
  );
}

function Version({
  version,
  recordId,
  isNewest,
}: {
  version: RecordVersion;
  recordId: string;
  isNewest: boolean;
}) {
  const { kind, sync } = version;
  if (kind === 'kept' || !sync)
    return (
      <li className="flex min-h-10 flex-wrap items-center gap-3 border-b px-3 py-2 text-13 last:border-b-0 md:pl-10">
        <ChangeKindBadge kind={kind} />
        <SyncName sync={sync} />
        <span className="text-12 text-ink-3">The oldest stored version.</span>
      </li>
    );
  return (
    <ChangeRow
      kind={kind}
      syncId={sync.id}
      recordId={recordId}
      isOpenAtFirst={isNewest && kind === 'updated'}
    >
      <SyncName sync={sync} />
    </ChangeRow>
  );
}

interface RecordHistoryDialogProps {
  providerId: string;
  entityLabel: string;
  recordId: string;
  /** The account whose copy is meant; any without it. */
  account?: string | undefined;
  onClose: () => void;
}

/** The 'History' dialog of a record: its stored versions, the sync of each, and the changes. */
export function RecordHistoryDialog({
  providerId,
  entityLabel,
  recordId,
  account,
  onClose,
}: RecordHistoryDialogProps) {
  const { data, error, isFetching, refetch } = useRecordVersionsQuery({
    providerId,
    entityLabel,
    record: recordId,
    account,
  });
  return (
    <Dialog open onClose={onClose} size="xl" title="History" subtitle={data?.title || recordId}>
      <div className="flex min-h-48 flex-col gap-3">
        {error !== undefined && <LoadFailure sentence={causeOf(error)} busy={isFetching} onRetry={refetch} />}
        {!data && error === undefined && <LoadingRows rows={4} words="Loading" />}
        {data && (
          <>
            <ol className="rounded-md border">
              {data.results.map((version, index) => (
                <Version
                  key={`${version.kind} ${version.sync?.id ?? index}`}
                  version={version}
                  recordId={recordId}
                  isNewest={index === 0}
                />
              ))}
            </ol>
            <p className="text-12 text-ink-3">
              {data.results.length === 1
                ? data.results[0]?.kind === 'added'
                  ? 'No later sync has changed it.'
                  : 'None of the recent syncs has changed this record.'
                : 'The newest version comes first.'}
            </p>
          </>
        )}
      </div>
    </Dialog>
  );
}
