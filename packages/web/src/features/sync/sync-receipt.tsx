import { SKIP_REASONS } from '@datadeck/contract';
import type { Sync } from '../../api/models.ts';
import { Badge } from '../../ui/badge.tsx';
import { DateTime } from '../../ui/date-time.tsx';
import { formatCount, formatDuration } from '../../ui/duration.ts';
import { NoticeLine } from '../../ui/notice-line.tsx';
import type { EntityInAccount } from './entity-account.ts';
import { LimitRemedy } from './limit-remedy.tsx';
import { scopeInWords } from './scope-words.ts';
import { ScopesReceipt } from './scopes-receipt.tsx';
import { SyncScope } from './sync-scope.tsx';
import { SyncStatusLine } from './sync-status.tsx';

/** Texts of figures that carry no information. */
const EMPTY_FIGURES = new Set([formatCount(0), formatDuration(0), formatDuration(0.01)]);

/** Returns the figures of a run. Of a failed run, only those above zero. */
function factsOf({ status, summary }: Sync): [string, string][] {
  const isFailed = status === 'failed';
  const figures: [string, number | undefined, (value: number) => string][] = [
    ['Entities synced', summary.records, formatCount],
    ['Time elapsed', summary.seconds, formatDuration],
    ['Added', summary.added, formatCount],
    ['Updated', summary.updated, formatCount],
    ['Removed', summary.removed, formatCount],
    ['Unchanged', summary.unchanged, formatCount],
    ['Skipped', summary.skipped || undefined, formatCount],
    ['Requests', summary.requests, formatCount],
    ['Waited', summary.waits || undefined, formatDuration],
    ['At the provider', summary.total, formatCount],
  ];
  return figures.flatMap(([name, value, format]) => {
    if (value === undefined) return [];
    const words = format(value);
    return isFailed && EMPTY_FIGURES.has(words) ? [] : [[name, words]];
  });
}

/** Says how many records the plan left out, if the run knows it. Undated records, such as labels, are kept in list order. */
function CutLine({ sync, entity }: { sync: Sync; entity: EntityInAccount }) {
  const { records, total, cap, keptBackTo } = sync.summary;
  const isCut = cap !== undefined && records !== undefined && records >= cap;
  if (!isCut || total === undefined || total <= cap) return null;
  const [kept, all] = [formatCount(cap), formatCount(total)];
  return (
    <div className="flex flex-col gap-1 text-13 text-ink-2">
      <p>
        {keptBackTo === undefined ? (
          `Your plan at that time kept the first ${kept} of ${all}.`
        ) : (
          <>
            Your plan at that time kept the newest {kept} of {all}, back to <DateTime iso={keptBackTo} />.
          </>
        )}
      </p>
      {cap === entity.cap && <LimitRemedy />}
    </div>
  );
}

/** Sentences about skipped records, by reason. */
const SKIPPED: Record<(typeof SKIP_REASONS)[number], (isOne: boolean) => string> = {
  vanished: (isOne) => `${isOne ? 'was' : 'were'} deleted at the provider while the sync ran.`,
  unreadable: (isOne) =>
    `could not be read at the provider. ${isOne ? 'Its' : 'Their'} stored data is kept; the next sync tries again.`,
  refused: (isOne) =>
    `${isOne ? 'is' : 'are'} not stored: the database refuses ${isOne ? 'its' : 'their'} content. An earlier version is kept.`,
};

function SkippedLines({ summary: { skippedReasons, skippedIds = [] } }: Sync) {
  const reasons = SKIP_REASONS.map((reason) => ({ reason, count: skippedReasons?.[reason] ?? 0 }));
  return (
    <>
      {reasons.map(
        ({ reason, count }) =>
          count > 0 && (
            <p key={reason} className="text-13 text-ink-2">
              Skipped: {formatCount(count)} {SKIPPED[reason](count === 1)}
            </p>
          ),
      )}
      {skippedIds.length > 0 && (
        <p className="text-13 wrap-anywhere text-ink-2">Ids of skipped records: {skippedIds.join(', ')}</p>
      )}
    </>
  );
}

/** What an ended sync read, and its outcome. */
export function SyncReceipt({ sync, entity }: { sync: Sync; entity: EntityInAccount }) {
  const facts = factsOf(sync);
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <SyncStatusLine status={sync.status} updatedAt={sync.updatedAt} withWords />
        {sync.isScheduled && <Badge>Scheduled</Badge>}
      </div>
      <SyncScope scope={scopeInWords(sync, entity)} />
      {sync.status === 'failed' && sync.summary.reason !== undefined && (
        <NoticeLine tone="error">{sync.summary.reason}</NoticeLine>
      )}
      {sync.status === 'failed' && sync.summary.completeBackTo !== undefined && (
        <p className="text-13 text-ink-2">
          The stored data is complete back to <DateTime iso={sync.summary.completeBackTo} />.
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
      <CutLine sync={sync} entity={entity} />
      <SkippedLines {...sync} />
      <ScopesReceipt sync={sync} entity={entity} />
    </div>
  );
}
