import { type ChartData, hourOfDay, parseSort, type TimeBucket } from '@datadeck/contract';
import { fieldBelow } from '../field-name.ts';
import { conditionOf } from '../results/value-filter.ts';
import type { ActiveMark } from './plot.ts';

function conditionOfKey(field: string | undefined, key: unknown): string | undefined {
  const path = field === undefined ? undefined : parseSort(field)?.path;
  if (!path) return undefined;
  // The name of a group is cut at its longest.
  if (typeof key === 'string' && key.endsWith('…')) return undefined;
  if (key !== null) return conditionOf(path, key);
  const name = fieldBelow(path);
  return `($not($exists(${name})) or ${name} = null or ${name} = "")`;
}

/** Returns the local beginning of the next group of a time axis. */
function nextOf(start: Date, bucket: TimeBucket): Date {
  const next = new Date(start);
  if (bucket === 'hour') next.setUTCHours(next.getUTCHours() + 1);
  else if (bucket === 'day' || bucket === 'week')
    next.setUTCDate(next.getUTCDate() + (bucket === 'day' ? 1 : 7));
  else next.setUTCMonth(next.getUTCMonth() + { month: 1, quarter: 3, year: 12 }[bucket]);
  return next;
}

/** Returns the text of a period that begins on a day; undefined for weeks. */
function periodText(day: string, bucket: TimeBucket): string | undefined {
  if (bucket === 'day') return day;
  if (bucket === 'month') return day.slice(0, 7);
  if (bucket === 'quarter') return `${day.slice(0, 4)}-Q${Math.ceil(Number(day.slice(5, 7)) / 3)}`;
  return bucket === 'year' ? day.slice(0, 4) : undefined;
}

/** Returns the condition that a row is of a group of a time axis; undefined if its texts cannot be compared. */
function conditionOfTime(data: ChartData, path: readonly string[], start: string): string | undefined {
  const { bucket, times, timeZone, missing } = data;
  if (bucket === null) return undefined;
  if (times === 'periods') {
    const text = periodText(start.slice(0, 10), bucket);
    return text === undefined ? undefined : conditionOf(path, text);
  }
  if (times !== 'instants') return undefined;
  const local = new Date(`${start.padEnd(16, 'T00:00')}Z`);
  const [from, to] = [local, nextOf(local, bucket)].map((at) => {
    const day = new Date(at.toISOString().slice(0, 10));
    return hourOfDay(day, at.getUTCHours(), timeZone).toISOString();
  });
  const name = fieldBelow(path);
  // Only texts can be compared with texts.
  const guard = missing > 0 ? `$type(${name}) = "string" and ` : '';
  return `${guard}${name} >= "${from}" and ${name} < "${to}"`;
}

/** Returns the condition that a row is of a mark; undefined if there is none, as for combined groups. */
export function conditionOfMark(data: ChartData, { group, series }: ActiveMark): string | undefined {
  const { chart, axis, groups, combinedGroups, combinedSeries, binWidth } = data;
  const key = groups[group] ?? null;
  const path = parseSort(chart.x ?? '')?.path;
  if (axis === 'bins' && typeof key === 'number' && binWidth !== null && path) {
    const name = fieldBelow(path);
    return `${name} >= ${key} and ${name} < ${key + binWidth}`;
  }
  if (axis === 'times' && typeof key === 'string' && path && series === null)
    return conditionOfTime(data, path, key);
  if (axis !== 'groups' || (combinedGroups > 0 && group === groups.length - 1)) return undefined;
  if (chart.kind === 'heat-map' && chart.series === undefined) return undefined;
  const ofGroup = conditionOfKey(chart.x, key);
  if (series === null || ofGroup === undefined) return ofGroup;
  if (combinedSeries > 0 && series === data.series.length - 1) return undefined;
  const ofSeries = conditionOfKey(chart.series, data.series[series]?.key ?? null);
  return ofSeries === undefined ? undefined : `${ofGroup} and ${ofSeries}`;
}
