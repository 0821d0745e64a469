import {
  CHART_LIMITS,
  type Chart,
  type ChartColumn,
  type ChartData,
  type GroupKey,
} from '@datadeck/contract';
import { timeColumn } from '@datadeck/contract/calendar';
import type { DrawnPart, RowValues } from './drawn-part.ts';
import { GroupTable, keyOf, OTHERS } from './group-table.ts';
import { localTimeReader } from './time-buckets.ts';
import { startTexts, TimeGroups } from './time-groups.ts';

/** Groups that are drawn unless the settings say otherwise. */
const DEFAULT_TOP = 20;
const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const HOURS = Array.from({ length: 24 }, (_, hour) => hour);
const byText = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

type Key = GroupKey | typeof OTHERS;

/** Compares keys by name: parts of dates in their order, numbers by size, then texts; none comes last. */
function nameOrder(column: ChartColumn | undefined, keys: readonly Key[]): (a: Key, b: Key) => number {
  const name = column?.name ?? '';
  const known = keys.filter((key) => key !== null && key !== OTHERS);
  const part = column?.type === 'part' ? timeColumn(name.slice(name.lastIndexOf('.') + 1), known) : undefined;
  const rank = (key: Key) =>
    typeof key === 'symbol' ? 3 : key === null ? 2 : typeof key === 'number' ? 0 : 1;
  return (a, b) => {
    if (rank(a) !== rank(b)) return rank(a) - rank(b);
    if (part && a !== null && a !== OTHERS) return Number(part.keyOf(a)) - Number(part.keyOf(b));
    if (typeof a === 'number' && typeof b === 'number') return a - b;
    return byText.compare(String(a), String(b));
  };
}

/** Keys that are drawn, and those that are combined into one more. */
interface Chosen<K> {
  shown: K[];
  combined: K[];
}

/**
 * Chooses the keys with the largest numbers.
 * @param order of the chosen ones; null: that of `keys`; absent: the largest first
 */
function choose<K extends Key>(
  keys: readonly K[],
  { size, most, order }: { size: (key: K) => number; most: number; order?: ((a: K, b: K) => number) | null },
): Chosen<K> {
  const bySize = keys
    .filter((key) => key !== OTHERS)
    .map((key) => ({ key, size: size(key) }))
    .sort((a, b) => b.size - a.size);
  // Combining a single one would save no space.
  const isOneMore = bySize.length === keys.length && bySize.length === most + 1 && most < CHART_LIMITS.groups;
  const largest = bySize.slice(0, isOneMore ? most + 1 : most).map(({ key }) => key);
  const chosen = new Set(largest);
  const inOrder = keys.filter((key) => chosen.has(key));
  const shown = order === undefined ? largest : order === null ? inOrder : inOrder.sort(order);
  return { shown, combined: keys.filter((key) => !chosen.has(key)) };
}

/** Returns the numbers of each series in each list of groups. */
function seriesOf<G extends Key | number>(
  table: GroupTable<G>,
  groups: readonly (G | typeof OTHERS)[][],
  { shown, combined }: Chosen<Key>,
): ChartData['series'] {
  const rowOf = (keys: readonly Key[], key: GroupKey) => ({
    key,
    values: groups.map((group) => table.value(group, keys)),
  });
  const rows = shown.map((key) => rowOf([key], typeof key === 'symbol' ? null : key));
  return combined.length > 0 ? [...rows, rowOf(combined, null)] : rows;
}

/** Chooses the series of a table: parts of dates in their order, else the largest first. */
function chooseSeries<G extends Key | number>(
  table: GroupTable<G>,
  split: ChartColumn | undefined,
  most: number,
): Chosen<Key> {
  const { series, groups } = table;
  return choose(series, {
    size: (key) => Math.abs(table.value(groups, [key]) ?? 0),
    most,
    ...(split?.type === 'part' && { order: nameOrder(split, series) }),
  });
}

/** Adds up all rows to one number for each series. */
export function addedUp(rows: RowValues, chart: Chart): DrawnPart {
  const table = new GroupTable<GroupKey>(chart.measure);
  let missing = 0;
  for (const { series, number } of rows) {
    if (chart.measure === 'sum' && number === undefined) missing++;
    table.add(null, chart.kind === 'number' ? null : keyOf(series), number);
  }
  const chosen = chooseSeries(table, undefined, CHART_LIMITS.series);
  return {
    axis: 'none',
    groups: [null],
    series: seriesOf(table, [[null]], chosen),
    combinedSeries: chosen.combined.length,
    missing,
  };
}

/** Adds up rows by the values of a field; the smallest groups are combined. */
export function groupAxis(
  rows: RowValues,
  chart: Chart,
  { column, split }: { column: ChartColumn | undefined; split: ChartColumn | undefined },
): DrawnPart {
  const table = new GroupTable<GroupKey>(chart.measure);
  let missing = 0;
  for (const { group, series, number } of rows) {
    if (chart.measure === 'sum' && number === undefined) missing++;
    table.add(keyOf(group), keyOf(series), number);
  }
  const { groups: keys, series } = table;
  const isMap = chart.kind === 'heat-map';
  const isPart = column?.type === 'part';
  const order =
    chart.order ?? (isPart || column?.type === 'number' || chart.kind !== 'bars' ? 'name' : 'value');
  const sizes = new Map(keys.map((key) => [key, table.value([key], series) ?? 0]));
  const sizeOf = (key: Key) => sizes.get(key as GroupKey) ?? 0;
  const orders = {
    value: (a: Key, b: Key) => sizeOf(b) - sizeOf(a),
    name: nameOrder(column, keys),
    rows: null,
  };
  const groups = choose(keys, {
    size: (key) => Math.abs(sizeOf(key)),
    most: isPart || isMap ? CHART_LIMITS.groups : (chart.top ?? DEFAULT_TOP),
    order: orders[order],
  });
  const rowsOfMap = chooseSeries(table, split, isMap ? CHART_LIMITS.heatMapRows : CHART_LIMITS.series);
  const lists: (GroupKey | typeof OTHERS)[][] = groups.shown.map((key) => [key]);
  if (groups.combined.length > 0) lists.push(groups.combined);
  return {
    axis: 'groups',
    groups: lists.map((_, index) => (groups.shown[index] as GroupKey | undefined) ?? null),
    combinedGroups: groups.combined.length,
    series: seriesOf(table, lists, rowsOfMap),
    combinedSeries: rowsOfMap.combined.length,
    isPartial: keys.includes(OTHERS),
    missing,
  };
}

/** Adds up rows by time, without gaps in the axis. */
export function timeAxis(
  rows: RowValues,
  chart: Chart,
  { timeZone, split }: { timeZone: string; split: ChartColumn | undefined },
): DrawnPart {
  const timeOf = localTimeReader(timeZone);
  const times = new TimeGroups(chart.measure);
  let missing = 0;
  for (const { group, series, number } of rows) {
    const time = timeOf(group);
    if (time === undefined || (chart.measure === 'sum' && number === undefined)) missing++;
    if (time) times.add(time, keyOf(series), number);
  }
  const axis = times.finish(chart.bucket);
  if (!axis) return { axis: 'times', groups: [], series: [], problem: 'no-groups', missing };
  const most = chart.kind === 'heat-map' ? CHART_LIMITS.heatMapRows : CHART_LIMITS.series;
  const chosen = chooseSeries(times.table, split, most);
  return {
    axis: 'times',
    bucket: axis.bucket,
    ...(axis.times && { times: axis.times }),
    groups: startTexts(axis),
    series: seriesOf(
      times.table,
      axis.starts.map((start) => [start]),
      chosen,
    ),
    combinedSeries: chosen.combined.length,
    missing: missing + axis.omitted,
  };
}

/** Adds up rows by the hour and the weekday of a time. */
export function heatMapOfTimes(rows: RowValues, chart: Chart, timeZone: string): DrawnPart {
  const timeOf = localTimeReader(timeZone);
  const table = new GroupTable<GroupKey>(chart.measure);
  let missing = 0;
  for (const { group, number } of rows) {
    const time = timeOf(group);
    if (time?.width !== 'hour' || (chart.measure === 'sum' && number === undefined)) missing++;
    if (time?.width !== 'hour') continue;
    const date = new Date(time.ms);
    table.add(date.getUTCHours(), WEEKDAYS[(date.getUTCDay() + 6) % 7] ?? null, number);
  }
  if (table.groups.length === 0)
    return { axis: 'groups', groups: [], series: [], problem: 'no-groups', missing };
  return {
    axis: 'groups',
    groups: HOURS,
    series: seriesOf(
      table,
      HOURS.map((hour) => [hour]),
      { shown: WEEKDAYS, combined: [] },
    ),
    missing,
  };
}
