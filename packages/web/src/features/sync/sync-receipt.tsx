import type { Sync } from '@datadeck/contract';
import { Badge } from '../../ui/badge.tsx';
import { DateTime } from '../../ui/date-time.tsx';
import { formatCount, formatDuration } from '../../ui/duration.ts';
import { NoticeLine } from '../../ui/notice-line.tsx';
import { SyncStatusLine } from './sync-status.tsx';

/** What figures say that tell nothing. */
const NOTHING = new Set([formatCount(0), formatDuration(0), formatDuration(0.01)]);

/** The figures of a run: of one that failed those above zero alone, which tell how far it came. */
function factsOf({ status, summary }: Sync): [string, string][] {
  const isFailed = status === 'failed';
  const figures: [string, number | undefined, (value: number) => string][] = [
    ['Entities synced', summary.entitiesSynced, formatCount],
    ['Time elapsed', summary.timeElapsed, formatDuration],
    ['Added', summary.added, formatCount],
    ['Updated', summary.updated, formatCount],
    ['Removed', summary.removed, formatCount],
    ['Unchanged', summary.unchanged, formatCount],
    ['Skipped', summary.skipped || undefined, formatCount],
    ['Requests', summary.requests, formatCount],
    ['Quota units', summary.units, formatCount],
    ['Waited', summary.waits || undefined, formatDuration],
    ['At the provider', summary.total, formatCount],
  ];
  return figures.flatMap(([name, value, inWords]) => {
    if (value === undefined) return [];
    const words = inWords(value);
    return isFailed && NOTHING.has(words) ? [] : [[name, words]];
  });
}

/** Why there is less here than at the provider, as far as the run knows. What comes first is the entity's to say: newest messages, labels as listed. */
function gapsOf({ summary }: Sync): string[] {
  const { entitiesSynced, total, cap, skippedReasons } = summary;
  const vanished = skippedReasons?.vanished ?? 0;
  const isCut = cap !== undefined && entitiesSynced !== undefined && entitiesSynced >= cap;
  return [
    isCut && total !== undefined && total > cap
      ? `Your plan keeps the first ${formatCount(cap)} of ${formatCount(total)}.`
      : '',
    vanished > 0
      ? `Skipped: ${formatCount(vanished)} ${vanished === 1 ? 'was' : 'were'} deleted at the provider while the sync ran.`
      : '',
  ].filter(Boolean);
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
      {gapsOf(sync).map((sentence) => (
        <p key={sentence} className="text-13 text-ink-2">
          {sentence}
        </p>
      ))}
    </div>
  );
}
