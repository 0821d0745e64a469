import type { Sync } from '@datadeck/contract';
import { Badge } from '../../ui/badge.tsx';
import { DateTime } from '../../ui/date-time.tsx';
import { formatCount, formatDuration } from '../../ui/duration.ts';
import { NoticeLine } from '../../ui/notice-line.tsx';
import { SyncStatusLine } from './sync-status.tsx';

function factsOf({ summary }: Sync): [string, string][] {
  const count = (value: number | undefined) => (value === undefined ? undefined : formatCount(value));
  const seconds = (value: number | undefined) => (value === undefined ? undefined : formatDuration(value));
  const facts: [string, string | undefined][] = [
    ['Entities synced', count(summary.entitiesSynced)],
    ['Time elapsed', seconds(summary.timeElapsed)],
    ['Added', count(summary.added)],
    ['Updated', count(summary.updated)],
    ['Removed', count(summary.removed)],
    ['Unchanged', count(summary.unchanged)],
    ['Skipped', summary.skipped ? count(summary.skipped) : undefined],
    ['Requests', count(summary.requests)],
    ['Quota units', count(summary.units)],
    ['Waited', summary.waits ? seconds(summary.waits) : undefined],
    ['In the account', count(summary.total)],
  ];
  return facts.filter((fact): fact is [string, string] => fact[1] !== undefined);
}

/** The outcome of an ended sync. */
export function SyncReceipt({ sync }: { sync: Sync }) {
  const facts = factsOf(sync);
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <SyncStatusLine status={sync.status} updatedAt={sync.updated_at} withWords />
        {sync.isScheduled && <Badge>Scheduled</Badge>}
      </div>
      {sync.status === 'failed' && sync.summary.errMessage !== undefined && (
        <NoticeLine tone="error">{sync.summary.errMessage}</NoticeLine>
      )}
      {sync.status === 'failed' && sync.summary.completeBackTo !== undefined && (
        <p className="text-13 text-ink-2">
          What is stored is complete back to <DateTime iso={sync.summary.completeBackTo} />.
        </p>
      )}
      {facts.length > 0 && (
        <dl className="grid grid-cols-2 gap-x-6 gap-y-2 sm:grid-cols-3">
          {facts.map(([name, value]) => (
            <div key={name} className="flex flex-col">
              <dt className="text-12 text-ink-3">{name}</dt>
              <dd className="text-14 font-medium tabular-nums">{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}
