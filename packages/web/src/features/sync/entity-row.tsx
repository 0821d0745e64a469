import type { Schedule, UserEntity } from '@datadeck/contract';
import { useState } from 'react';
import type { Sync } from '../../api/models.ts';
import { Button } from '../../ui/button.tsx';
import { Age } from '../../ui/date-time.tsx';
import { countOf, formatCount } from '../../ui/duration.ts';
import { chooseAccount, entityIn } from './entity-account.ts';
import type { OverviewRow } from './overview.ts';
import { RunBars } from './run-bars.tsx';
import { ScheduleMark } from './schedule-mark.tsx';
import { scopeInWords } from './scope-words.ts';
import { SyncNowButton } from './sync-now-button.tsx';
import { ProgressBar } from './sync-progress.tsx';
import { SyncStatusLine } from './sync-status.tsx';

function RowState({ row, sync }: { row: OverviewRow; sync: Sync | undefined }) {
  const progress = sync?.progress;
  if (sync && progress)
    return (
      <div className="flex w-full flex-col gap-1.5">
        <div className="flex items-center justify-between gap-3">
          <SyncStatusLine status="started" updatedAt={row.currentSyncUpdatedAt} />
          <span className="text-12 text-ink-2 tabular-nums">
            {formatCount(progress.records)}
            {progress.total !== null && ` / ${formatCount(progress.total)}`}
          </span>
        </div>
        <ProgressBar progress={progress} label={`${row.entityLabelTitle} synchronization progress`} />
      </div>
    );
  const updatedAt = row.currentSyncUpdatedAt || row.lastSyncUpdatedAt;
  return (
    <div className="flex flex-wrap items-baseline gap-x-2 @min-[44rem]:flex-col">
      <SyncStatusLine status={row.currentSyncStatus || row.lastSyncStatus} updatedAt={updatedAt} />
      {updatedAt !== '' && <Age iso={updatedAt} className="text-12 text-ink-3 @min-[44rem]:pl-4" />}
    </div>
  );
}

/** What the last run read, how many records are stored, and how many of them the run added. */
function RowFacts({ shown, last, entity, records }: RowFactsProps) {
  const scope = shown && entity ? scopeInWords(shown, entityIn(entity, shown.account)) : '';
  const added = last?.summary.added ?? 0;
  const hasRun = shown !== undefined || records > 0;
  if (!hasRun) return null;
  return (
    <span className="flex min-w-0 flex-wrap items-baseline gap-x-3 text-12 text-ink-3">
      {scope !== '' && (
        <span title={scope} className="line-clamp-1 min-w-0 max-w-full wrap-anywhere text-ink-2">
          <bdi>{scope}</bdi>
        </span>
      )}
      {entity && <span className="whitespace-nowrap tabular-nums">{countOf(records, 'record')}</span>}
      {added > 0 && (
        <span title="Added by the last run" className="text-success-text tabular-nums">
          +{formatCount(added)}
          <span className="sr-only"> added by the last run</span>
        </span>
      )}
    </span>
  );
}

interface RowFactsProps {
  /** The current sync, else the last one. */
  shown: Sync | undefined;
  last: Sync | undefined;
  entity: UserEntity | undefined;
  /** Stored records. */
  records: number;
}

interface EntityRowProps {
  row: OverviewRow;
  /** Undefined while the entities load. */
  entity: UserEntity | undefined;
  /** The syncs of the entity, newest first. */
  syncs: readonly Sync[];
  schedules: readonly Schedule[];
  /** The chosen account; empty for all. */
  account: string;
  /** Name of the account of a sync; undefined if the provider shows one account. */
  accountOf: (account: string) => string | undefined;
  /** Whether the provider must be connected again first. */
  isBlocked: boolean;
  onDetails: () => void;
}

/** One entity: its title, what is stored of it, its current or last sync, its last runs, and the button that syncs it. */
export function EntityRow({ row, entity, syncs, schedules, onDetails, ...props }: EntityRowProps) {
  const [failure, setFailure] = useState<string>();
  const current = syncs.find(({ id }) => id === row.currentSyncId);
  const last = syncs.find(({ id }) => id === row.lastSyncId);
  const shown = current ?? last;
  const accountName = shown && props.accountOf(shown.account);
  const chosen = entity && entityIn(entity, chooseAccount(entity, props.account || undefined));
  const counted = entity?.accounts.filter(({ account }) => props.account === '' || account === props.account);
  const reason = failure ?? (!current && last?.status === 'failed' ? last.summary.reason : undefined);
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-2 border-b px-4 py-3 last:border-b-0 @min-[44rem]:grid-cols-[minmax(0,1fr)_14rem_auto_auto] @min-[44rem]:items-baseline">
      <div className="flex min-w-0 flex-col gap-0.5">
        <span className="flex min-w-0 flex-wrap items-baseline gap-x-3 gap-y-0.5">
          <span title={row.entityLabelTitle} className="truncate text-14 font-medium">
            {row.entityLabelTitle}
          </span>
          {accountName !== undefined && (
            <span title={accountName} className="min-w-0 max-w-full truncate text-12 text-ink-3">
              {accountName}
            </span>
          )}
          <ScheduleMark schedules={schedules} />
        </span>
        <RowFacts
          shown={shown}
          last={last}
          entity={entity}
          records={counted?.reduce((sum, { records }) => sum + records, 0) ?? 0}
        />
      </div>
      <div className="order-3 col-span-full flex items-center gap-4 @min-[44rem]:contents">
        <div className="min-w-0 flex-1">
          <RowState row={row} sync={current} />
        </div>
        <div className="flex shrink-0 justify-end @min-[44rem]:w-15 @min-[44rem]:self-center">
          <RunBars syncs={syncs} />
        </div>
      </div>
      <div className="flex justify-end gap-2 @min-[44rem]:w-38 @min-[44rem]:self-center">
        {chosen && (
          <SyncNowButton
            entity={chosen}
            syncs={syncs.filter(({ account }) => !chosen.account || account === chosen.account.account)}
            isBlocked={chosen.account ? chosen.account.status === 'reconnect-needed' : props.isBlocked}
            onDetails={onDetails}
            onFailure={setFailure}
          />
        )}
        <Button size="sm" aria-label={`Details of ${row.entityLabelTitle}`} onClick={onDetails}>
          Details
        </Button>
      </div>
      {reason !== undefined && (
        <p
          title={reason}
          className="order-4 col-span-full line-clamp-2 wrap-anywhere text-12 text-error-text"
        >
          <span className="font-medium">{failure === undefined ? 'Failed' : 'Not started'}</span>: {reason}
        </p>
      )}
    </li>
  );
}
