import type { SyncStatus } from '@datadeck/contract';
import type { Sync } from '../../api/models.ts';
import { formatDate } from '../../ui/date-time.tsx';
import { countOf, formatDuration } from '../../ui/duration.ts';
import { STATUS_TITLES } from './sync-status.tsx';

/** Number of runs that are drawn. */
const RUNS = 10;
/** Sizes, px. */
const [WIDTH, GAP, HEIGHT, LEAST] = [4, 2, 24, 4];

/** Class that fills a mark in the colour of an outcome. */
export const STATUS_FILLS: Record<SyncStatus, string> = {
  started: 'fill-secondary',
  finished: 'fill-success',
  failed: 'fill-error',
};

/** Counts runs by outcome: `8 finished, 2 failed`. */
export function outcomesInWords(counts: Readonly<Partial<Record<SyncStatus, number>>>): string {
  return (['finished', 'failed', 'started'] as const)
    .map((status) => [counts[status] ?? 0, STATUS_TITLES[status].toLowerCase()] as const)
    .filter(([count]) => count > 0)
    .map(([count, words]) => `${count} ${words}`)
    .join(', ');
}

function runInWords({ number, status, summary, updatedAt }: Sync): string {
  const time = summary.seconds === undefined ? '' : ` in ${formatDuration(summary.seconds)}`;
  return `#${number}: ${STATUS_TITLES[status]}${time}, ${formatDate(updatedAt)}`;
}

/** The last runs of an entity, newest on the right: the height shows the duration, the colour the outcome. */
export function RunBars({ syncs }: { syncs: readonly Sync[] }) {
  const shown = syncs.toSorted((a, b) => a.number - b.number).slice(-RUNS);
  if (shown.length === 0) return null;
  const longest = Math.max(...shown.map(({ summary }) => summary.seconds ?? 0)) || 1;
  const counts = Object.groupBy(shown, ({ status }) => status);
  const words = outcomesInWords({
    started: counts.started?.length ?? 0,
    finished: counts.finished?.length ?? 0,
    failed: counts.failed?.length ?? 0,
  });
  const width = RUNS * (WIDTH + GAP) - GAP;
  return (
    <svg
      role="img"
      aria-label={`Last ${countOf(shown.length, 'run')}: ${words}`}
      width={width}
      height={HEIGHT}
      className="shrink-0"
    >
      {shown.map((sync, index) => {
        // Square roots keep short runs visible beside a long one.
        const part = Math.sqrt((sync.summary.seconds ?? 0) / longest);
        const height = sync.status === 'started' ? HEIGHT : Math.max(LEAST, part * HEIGHT);
        return (
          <rect
            key={sync.id}
            x={width - (shown.length - index) * (WIDTH + GAP) + GAP}
            y={HEIGHT - height}
            width={WIDTH}
            height={height}
            rx="1"
            className={STATUS_FILLS[sync.status]}
          >
            <title>{runInWords(sync)}</title>
          </rect>
        );
      })}
    </svg>
  );
}
