import { Repeat } from 'lucide-react';
import type { Sync } from '../../api/models.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { countOf, formatDuration } from '../../ui/duration.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { SyncStatusLine } from './sync-status.tsx';

function outcomeOf({ status, summary }: Sync): string {
  if (status === 'failed') return summary.reason ?? '';
  if (status === 'started') return 'Running';
  const time = summary.seconds === undefined ? '' : ` in ${formatDuration(summary.seconds)}`;
  return `${countOf(summary.records ?? 0, 'record')}${time}`;
}

const ROW =
  'grid grid-cols-[3rem_1fr_auto] items-center gap-x-3 gap-y-1 border-b px-4 py-2.5 last:border-b-0 @min-[44rem]:grid-cols-[3.5rem_10rem_14rem_1fr_auto]';

const SEPARATOR = ' · ';

const joined = (...parts: string[]) => parts.filter((part) => part !== '').join(SEPARATOR);

/** The scope and outcome of a sync. A long scope is truncated, so that the outcome stays visible. */
function Words({ scope, outcome }: { scope: string; outcome: string }) {
  if (scope === '' || outcome === '') return scope + outcome;
  return (
    <>
      <span className="inline-block max-w-full truncate align-bottom @min-[44rem]:max-w-1/2">{scope}</span>
      {SEPARATOR}
      {outcome}
    </>
  );
}

interface HistoryListProps {
  syncs: readonly Sync[];
  /** Titles of entities by label. */
  titles: ReadonlyMap<string, string>;
  /** Returns the scope of a sync in words; empty when its entity has no settings. */
  scopeOf: (sync: Sync) => string;
  onDetails: (sync: Sync) => void;
}

/** Past syncs with their numbers, newest first. */
export function HistoryList({ syncs, titles, scopeOf, onDetails }: HistoryListProps) {
  const wordsOf = (sync: Sync) => joined(scopeOf(sync), outcomeOf(sync));
  return (
    <ul className="rounded-md border bg-surface shadow-low">
      {syncs.map((sync) => (
        <li key={sync.id} className={ROW}>
          <span className="font-medium text-13 text-ink-3 tabular-nums">#{sync.number}</span>
          <span className="flex min-w-0 items-center gap-1.5 text-13 font-medium">
            <span title={titles.get(sync.entityLabel) ?? sync.entityLabel} className="truncate">
              {titles.get(sync.entityLabel) ?? sync.entityLabel}
            </span>
            {sync.isScheduled && (
              <span role="img" aria-label="Scheduled" title="Scheduled" className="shrink-0 text-ink-3">
                <Repeat aria-hidden="true" size={12} />
              </span>
            )}
          </span>
          <span className="order-4 col-span-3 @min-[44rem]:order-none @min-[44rem]:col-span-1">
            <SyncStatusLine status={sync.status} updatedAt={sync.updatedAt} />
          </span>
          <span
            title={wordsOf(sync)}
            className={classNames(
              'order-5 col-span-3 line-clamp-2 wrap-anywhere text-12 tabular-nums @min-[44rem]:line-clamp-1 @min-[44rem]:order-none @min-[44rem]:col-span-1',
              sync.status === 'failed' ? 'text-error-text' : 'text-ink-3',
            )}
          >
            <Words scope={scopeOf(sync)} outcome={outcomeOf(sync)} />
          </span>
          <Button
            size="sm"
            className="order-3 @min-[44rem]:order-none"
            aria-label={`Details of #${sync.number}`}
            onClick={() => onDetails(sync)}
          >
            Details
          </Button>
        </li>
      ))}
    </ul>
  );
}

/** Placeholder for the list and its pagination while they load. */
export function LoadingHistory({ syncs }: { syncs: number }) {
  return (
    <div role="status" className="flex flex-col gap-4">
      <div className="flex h-8 items-center">
        <span className="text-12 text-ink-3">Loading...</span>
      </div>
      <div className="rounded-md border bg-surface shadow-low">
        {Array.from({ length: syncs }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
          <div key={index} className={ROW}>
            <Skeleton className="h-3 w-6" />
            <Skeleton className="h-3 w-24" />
            <Skeleton className="order-4 col-span-3 mt-1 mb-1.25 h-3 w-40 @min-[44rem]:order-none @min-[44rem]:col-span-1" />
            <Skeleton className="order-5 col-span-3 my-0.5 h-3 w-1/2 @min-[44rem]:order-none @min-[44rem]:col-span-1" />
            <Skeleton className="order-3 h-7 w-16 @min-[44rem]:order-none" />
          </div>
        ))}
      </div>
    </div>
  );
}
