import { type Chart, HISTORY_DAYS, type UserEntity } from '@datadeck/contract';
import type { Provider } from '../../api/models.ts';
import { knownChart } from '../../ui/charts/known-chart.ts';
import { LazyChartFigure } from '../../ui/charts/lazy-chart-figure.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useTimeZone } from '../sign-in/use-time-zone.ts';
import { entityTitles } from './entity-titles.ts';
import { fillDays } from './history-day.ts';
import { useSyncDaysQuery } from './sync-api.ts';

/** Height of a picture over time, px. */
const HEIGHT = 220;
/** Sources that are drawn, those with the most records. */
const MOST_SOURCES = 12;
const DAYS: Chart = { kind: 'bars', x: 'day', series: 'outcome', measure: 'count', unit: 'syncs' };
const SOURCES: Chart = { kind: 'bars', x: 'source', measure: 'count', unit: 'records' };
const OUTCOMES = [
  ['finished', 'finished'],
  ['failed', 'failed'],
  ['started', 'running'],
] as const;

/** The syncs of the last 90 days by day and outcome. */
export function SyncsOverTime() {
  const timeZone = useTimeZone();
  const { data } = useSyncDaysQuery({ timeZone });
  if (!data) return <Skeleton className="h-56" />;
  const days = fillDays(data, { most: HISTORY_DAYS, timeZone });
  if (data.length === 0)
    return <p className="text-13 text-ink-3">No synchronization ran in the last {HISTORY_DAYS} days.</p>;
  const chart = knownChart({
    chart: DAYS,
    axis: 'times',
    bucket: 'day',
    timeZone,
    groups: days.map(({ day }) => day),
    series: OUTCOMES.filter(([name]) => days.some((day) => day[name] > 0)).map(([name, key]) => ({
      key,
      values: days.map((day) => day[name]),
    })),
  });
  return (
    <LazyChartFigure
      data={chart}
      title="Synchronizations over time"
      isTile
      height={HEIGHT}
      fallback={<Skeleton className="h-56" />}
    />
  );
}

interface RecordsPerSourceProps {
  entities: readonly UserEntity[];
  providers: readonly Provider[];
}

/** The stored records of each entity and account, the most first. */
export function RecordsPerSource({ entities, providers }: RecordsPerSourceProps) {
  const titles = entityTitles(entities, providers);
  const sources = entities
    .flatMap(({ id, accounts }) =>
      accounts.map(({ account, title, records }) => ({
        name: accounts.length > 1 ? `${titles.get(id) ?? id} · ${title || account}` : (titles.get(id) ?? id),
        records,
      })),
    )
    .filter(({ records }) => records > 0)
    .sort((a, b) => b.records - a.records)
    .slice(0, MOST_SOURCES);
  const chart = knownChart({
    chart: SOURCES,
    groups: sources.map(({ name }) => name),
    series: [{ key: null, values: sources.map(({ records }) => records) }],
  });
  return (
    <LazyChartFigure
      data={chart}
      title="Records per source"
      isTile
      fallback={<Skeleton className="h-56" />}
    />
  );
}
