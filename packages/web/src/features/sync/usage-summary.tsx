import { isUsedUp, limitOf, type Usage, type UserEntity } from '@datadeck/contract';
import { Card } from '../../ui/card.tsx';
import { formatDate } from '../../ui/date-time.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { LimitRemedy } from './limit-remedy.tsx';
import { fewRunsWords, usageWords } from './usage-counter.tsx';

interface UsageSummaryProps {
  entities: readonly UserEntity[];
  /** Labels of the entities of connected providers. */
  connected: readonly string[];
  /** Titles of entities by label. */
  titles: ReadonlyMap<string, string>;
}

/** Placeholder for the summary while it loads, with a line per entity. */
export function LoadingUsage({ entities }: { entities: number }) {
  if (entities === 0) return null;
  return (
    <Card title="Usage this month">
      <div role="status" className="flex flex-col gap-4">
        <span className="sr-only">Loading...</span>
        {Array.from({ length: entities }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
          <div key={index} className="flex h-7.5 flex-col justify-between">
            <Skeleton className="my-1 h-3 w-1/2" />
            <Skeleton className="h-1 rounded-full" />
          </div>
        ))}
      </div>
      <Skeleton className="mt-4.5 mb-0.5 h-3 w-3/5" />
    </Card>
  );
}

/** Returns the length of the bar, percent; empty without a limit. */
function percentUsed({ used, allowed }: Usage): number {
  if (allowed === 0) return 100;
  return Math.min(100, (used / limitOf(allowed)) * 100);
}

/** Says that few runs of the month are left, or none; empty with enough of them. */
function limitWords(usage: Usage): string {
  return isUsedUp(usage) ? 'All runs of this month are used.' : fewRunsWords(usage);
}

/** Shows the month's usage of each entity as a small bar with its numbers. */
export function UsageSummary({ entities, connected, titles }: UsageSummaryProps) {
  const shown = entities.filter(({ id }) => connected.includes(id));
  if (shown.length === 0) return null;
  return (
    <Card title="Usage this month">
      <ul className="flex flex-col gap-4">
        {shown.map(({ id, usage }) => (
          <li key={id}>
            <div className="mb-1.5 flex items-baseline justify-between gap-3 text-13">
              <span title={titles.get(id)} className="truncate text-ink-2">
                {titles.get(id)}
              </span>
              <span className="text-12 text-ink-3 tabular-nums">{usageWords(usage)}</span>
            </div>
            <div aria-hidden="true" data-meter className="h-1 overflow-hidden rounded-full bg-sunken">
              <div
                className={isUsedUp(usage) ? 'h-full bg-error' : 'h-full bg-accent'}
                style={{ width: `${percentUsed(usage)}%` }}
              />
            </div>
            {limitWords(usage) !== '' && <p className="mt-1.5 text-12 text-ink-2">{limitWords(usage)}</p>}
          </li>
        ))}
      </ul>
      {shown.some(({ usage }) => limitWords(usage) !== '') && (
        <p className="mt-4 text-12 text-ink-2">
          <LimitRemedy />
        </p>
      )}
      <p className="mt-4 text-12 text-ink-3">Resets {formatDate(shown[0]?.usage.resetsAt ?? '')}</p>
    </Card>
  );
}
