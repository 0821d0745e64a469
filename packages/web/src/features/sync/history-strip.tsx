import { HISTORY_DAYS } from '@datadeck/contract';
import { Toolbar } from 'radix-ui';
import { classNames } from '../../ui/class-names.ts';
import { formatDay } from '../../ui/date-time.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useIsNarrow } from '../../ui/use-is-narrow.ts';
import { useTimeZone } from '../sign-in/use-time-zone.ts';
import { type DayCounts, fillDays } from './history-day.ts';
import { outcomesInWords } from './run-bars.tsx';
import { type HistoryFilter, useSyncDaysQuery } from './sync-api.ts';

/** Number of days on a phone, where a bar must be wide enough to be hit. */
const NARROW_DAYS = 30;
/** Height of the highest bar, and the least of a part of one, px. */
const [HEIGHT, LEAST] = [48, 3];
/** Syncs of a day that reach the full height at least, so that a single one stays small. */
const LEAST_SCALE = 4;
/** From the bottom to the top of a bar. */
const PARTS = [
  ['finished', 'bg-success'],
  ['failed', 'bg-error'],
  ['started', 'bg-secondary'],
] as const;

const countOfDay = ({ finished, failed, started }: DayCounts) => finished + failed + started;

interface DayBarProps {
  counts: DayCounts;
  /** Syncs of the day that has most of them. */
  most: number;
  isChosen: boolean;
  /** Whether another day is chosen. */
  isOther: boolean;
  onChoose: () => void;
}

/** The syncs of a day as a bar: its height is their number, its colours their outcomes. A day without one is a line. */
function DayBar({ counts, most, isChosen, isOther, onChoose }: DayBarProps) {
  if (countOfDay(counts) === 0)
    return (
      <span aria-hidden="true" className="flex min-w-0 flex-1 items-end px-px">
        <span className="mx-auto h-px w-full max-w-3 bg-line-strong" />
      </span>
    );
  const words = `${formatDay(counts.day)}: ${outcomesInWords(counts)}`;
  return (
    <Toolbar.Button
      aria-label={words}
      title={words}
      aria-pressed={isChosen}
      onClick={onChoose}
      className={classNames(
        'flex min-w-0 flex-1 flex-col-reverse items-center rounded-sm px-px transition duration-100 hover:bg-hover hover:opacity-100',
        isChosen && 'bg-accent-soft',
        isOther && 'opacity-40',
      )}
    >
      {PARTS.map(([status, colour]) => (
        <span
          key={status}
          className={`w-full max-w-3 ${colour}`}
          style={{ height: counts[status] && Math.max(LEAST, (counts[status] / most) * HEIGHT) }}
        />
      ))}
    </Toolbar.Button>
  );
}

interface HistoryStripProps {
  filter: HistoryFilter;
  /** The chosen day, e.g. `2026-11-27`; empty for all. */
  day: string;
  onDay: (day: string | null) => void;
}

/** All syncs of the last 90 days over time. A click on a day limits the list to it, a second one shows all again. */
export function HistoryStrip({ filter, day, onDay }: HistoryStripProps) {
  const timeZone = useTimeZone();
  const { data, error } = useSyncDaysQuery({ ...filter, timeZone });
  const isNarrow = useIsNarrow();
  // The list below reports failures, and says when there is no sync.
  if (error !== undefined || data?.length === 0) return null;
  const days = fillDays(data ?? [], { most: isNarrow ? NARROW_DAYS : HISTORY_DAYS, timeZone });
  const most = Math.max(...days.map(countOfDay), LEAST_SCALE);
  return (
    <section aria-label="Synchronizations by day" className="rounded-md border bg-surface p-4 shadow-low">
      {data ? (
        <Toolbar.Root aria-label="Days" className="flex h-12 items-stretch">
          {days.map((counts) => (
            <DayBar
              key={counts.day}
              counts={counts}
              most={most}
              isChosen={counts.day === day}
              isOther={day !== '' && counts.day !== day}
              onChoose={() => onDay(counts.day === day ? null : counts.day)}
            />
          ))}
        </Toolbar.Root>
      ) : (
        <Skeleton className="h-12 w-full" />
      )}
      <div className="mt-2 flex flex-wrap justify-between gap-x-3 text-12 text-ink-3 tabular-nums">
        <span>{data && days[0] ? formatDay(days[0].day) : '\u00a0'}</span>
        <span className="max-sm:order-last max-sm:basis-full">Days begin at midnight in {timeZone}</span>
        <span>Today</span>
      </div>
    </section>
  );
}
