import type { ChartData, GroupKey, TimeBucket } from '@datadeck/contract';
import { countOf, formatCount } from '../duration.ts';

/** Numbers from here on, and fractions below the other one, are written as powers of ten. */
const HUGE = 1e15;
const TINY = 1e-4;
const EXACT = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });
const SMALL = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 3 });
const SHORT = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });

/** Formats a number for people: `1,234.5`, `0.0123`, `1.235e+20`. */
export function formatNumber(value: number): string {
  const size = Math.abs(value);
  if (size >= HUGE || (size > 0 && size < TINY)) return value.toPrecision(4);
  return size < 1 ? SMALL.format(value) : EXACT.format(value);
}

/** Formats a number of an axis: `1.2K`, `3M`, `2e+20`. */
export function formatTick(value: number): string {
  const size = Math.abs(value);
  if (size >= HUGE || (size > 0 && size < TINY)) return value.toExponential().replace(/(\.\d\d)\d+/, '$1');
  return size < 1 ? SMALL.format(value) : SHORT.format(value);
}

/** Endings of field names that show the unit of their numbers. */
const UNITS: readonly [ending: RegExp, unit: string][] = [
  [/(?:hours|Hours)$/, 'hours'],
  [/(?:days|Days)$/, 'days'],
  [/(?:minutes|Minutes)$/, 'minutes'],
  [/(?:seconds|Seconds)$/, 'seconds'],
  [/(?:Ms|_ms|milliseconds)$/, 'ms'],
  [/(?:bytes|Bytes)$/, 'bytes'],
  [/(?:percent|Percent)$/, '%'],
];

/** Returns the unit of the numbers: that of the settings, or the one that the name of the field shows; empty if there is none. */
export function unitOf({ chart }: Pick<ChartData, 'chart'>): string {
  if (chart.unit) return chart.unit;
  if (chart.measure === 'count') return '';
  return UNITS.find(([ending]) => ending.test(chart.y ?? ''))?.[1] ?? '';
}

/** Formats a number with its unit. */
export function formatValue(data: Pick<ChartData, 'chart'>, value: number | null | undefined): string {
  if (value === null || value === undefined) return 'no number';
  const unit = unitOf(data);
  if (unit === '') return formatNumber(value);
  return unit === '%' ? `${formatNumber(value)} %` : `${formatNumber(value)} ${unit}`;
}

const dateFormat = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-US', { ...options, timeZone: 'UTC' });
const DAY = dateFormat({ month: 'short', day: 'numeric' });
const DAY_OF_YEAR = dateFormat({ month: 'short', day: 'numeric', year: 'numeric' });
const MONTH = dateFormat({ month: 'short', year: 'numeric' });

function formatStart(start: string, bucket: TimeBucket | null, isShort: boolean): string {
  const date = new Date(start.includes('T') ? `${start}Z` : start);
  if (Number.isNaN(date.getTime())) return start;
  const year = date.getUTCFullYear();
  if (bucket === 'year') return String(year);
  if (bucket === 'quarter') return `Q${Math.floor(date.getUTCMonth() / 3) + 1} ${year}`;
  if (bucket === 'month') return MONTH.format(date);
  const time = start.slice(11);
  if (isShort) return bucket === 'hour' && time !== '00:00' ? time : DAY.format(date);
  const day = DAY_OF_YEAR.format(date);
  if (bucket === 'hour') return `${day}, ${time}`;
  return bucket === 'week' ? `Week of ${day}` : day;
}

function keyText(key: GroupKey, field: string | undefined): string {
  if (key === null) return 'No value';
  if (typeof key === 'boolean') return `${field ?? ''}: ${key}`;
  if (typeof key === 'number') return /hour/i.test(field ?? '') ? `${key}:00` : formatNumber(key);
  return key;
}

/** Returns the name of a group. @param isShort for a tick of a time axis, where others are beside it */
export function groupLabel(data: ChartData, index: number, isShort = false): string {
  const key = data.groups[index] ?? null;
  if (data.axis === 'none') return 'All rows';
  if (data.combinedGroups > 0 && index === data.groups.length - 1)
    return `Others (${formatCount(data.combinedGroups)}${data.isPartial ? '+' : ''})`;
  if (data.axis === 'times' && typeof key === 'string') return formatStart(key, data.bucket, isShort);
  if (data.axis === 'bins' && typeof key === 'number')
    return isShort ? formatTick(key) : `${formatNumber(key)} to ${formatNumber(key + (data.binWidth ?? 0))}`;
  const isHeatMapHour = data.chart.kind === 'heat-map' && data.chart.series === undefined;
  return keyText(key, isHeatMapHour ? 'hour' : data.chart.x);
}

/** Returns the name of a series. */
export function seriesLabel(data: ChartData, index: number): string {
  if (data.combinedSeries > 0 && index === data.series.length - 1)
    return `Others (${formatCount(data.combinedSeries)})`;
  const isSplit = data.chart.series !== undefined || data.chart.kind === 'heat-map';
  return isSplit ? keyText(data.series[index]?.key ?? null, data.chart.series) : measureTitle(data);
}

/** Returns what the numbers are: `Number of rows`, `Number of mails`, `Sum of waitHours (hours)`. */
export function measureTitle(data: Pick<ChartData, 'chart'>): string {
  const unit = unitOf(data);
  if (data.chart.measure === 'count') return `Number of ${unit || 'rows'}`;
  const title = `Sum of ${data.chart.y ?? ''}`;
  return unit === '' ? title : `${title} (${unit})`;
}

/** Returns what the groups are: `author`, `created_at by week, Europe/Berlin`. */
export function groupTitle({ chart, axis, bucket, timeZone }: ChartData): string {
  if (chart.kind === 'heat-map' && chart.series === undefined) return `Hour of ${chart.x}, ${timeZone}`;
  if (axis === 'times') return `${chart.x === bucket ? '' : `${chart.x} by `}${bucket}, ${timeZone}`;
  return chart.x === '$' ? 'Value' : (chart.x ?? '');
}

/** Returns what the picture shows in one sentence. */
export function chartTitle(data: ChartData): string {
  const { chart } = data;
  const numbers = measureTitle(data);
  if (chart.kind === 'distribution') return `Distribution of ${chart.x === '$' ? 'the values' : chart.x}`;
  const groups = data.axis === 'times' ? (data.bucket ?? '') : groupTitle(data);
  const by = data.axis === 'none' ? '' : ` by ${groups}`;
  if (chart.kind === 'heat-map' && chart.series === undefined) return `${numbers} by weekday and hour`;
  return `${numbers}${by}${chart.series === undefined ? '' : ` and ${chart.series}`}`;
}

/** Returns what to know about the numbers beside the picture: how many rows they are of, and what is left out or combined. */
export function chartNotes(data: ChartData): string[] {
  const { rows, missing, chart, combinedGroups, isPartial } = data;
  const what = chart.measure === 'sum' || data.axis === 'bins' ? 'number' : 'time';
  return [
    `Over all ${countOf(rows, 'row')}`,
    ...(missing > 0 ? [`${countOf(missing, 'row')} without a ${what}`] : []),
    ...(combinedGroups > 0 ? [`${countOf(combinedGroups, 'group')} combined`] : []),
    ...(isPartial ? ['too many groups to compare them all'] : []),
    ...(usesTimeZone(data) ? [`time zone ${data.timeZone}`] : []),
  ];
}

/** Returns whether the groups are those of a time zone. */
export function usesTimeZone({ axis, chart }: ChartData): boolean {
  return axis === 'times' || (chart.kind === 'heat-map' && chart.series === undefined);
}
