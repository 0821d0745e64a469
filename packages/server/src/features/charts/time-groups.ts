import { CHART_LIMITS, type ChartData, type GroupKey, type TimeBucket } from '@datadeck/contract';
import { GroupTable } from './group-table.ts';
import { bucketFor, type LocalTime, nextStart, startOf, startText, widerOf } from './time-buckets.ts';

/** Widths of groups while rows are added; each contains those before it. */
const LEVELS = ['hour', 'day', 'month', 'year'] as const;

/** The groups of a time axis, without gaps, and their numbers. */
export interface TimeAxis {
  bucket: TimeBucket;
  times: ChartData['times'];
  starts: number[];
  /** Rows of groups that are left out, because the range is too long. */
  omitted: number;
}

/** Adds up rows by time. It keeps hours while there are few of them, then days, months and years. */
export class TimeGroups {
  readonly table: GroupTable<number>;
  #level = 0;
  #least: TimeBucket = 'hour';
  /** The widths of all texts. */
  readonly #widths = new Set<TimeBucket>();
  #areInstants = true;
  #from = Number.POSITIVE_INFINITY;
  #to = Number.NEGATIVE_INFINITY;

  constructor(measure: 'count' | 'sum') {
    this.table = new GroupTable(measure);
  }

  get #width(): TimeBucket {
    return LEVELS[this.#level] ?? 'year';
  }

  add({ ms, width, isInstant = false }: LocalTime, series: GroupKey, number: number | undefined): void {
    this.#least = widerOf(this.#least, width);
    this.#widths.add(width);
    this.#areInstants &&= isInstant;
    this.#from = Math.min(this.#from, ms);
    this.#to = Math.max(this.#to, ms);
    while (this.table.isFullFor(startOf(ms, this.#width)) && this.#level < LEVELS.length - 1) {
      this.#level++;
      this.table.regroup((start) => startOf(start, this.#width));
    }
    this.table.add(startOf(ms, this.#width), series, number);
  }

  /** Adds the groups up to those that are drawn; undefined without any. */
  finish(wanted: TimeBucket | undefined): TimeAxis | undefined {
    if (this.table.groups.length === 0) return undefined;
    const least = widerOf(this.#least, this.#width);
    const range = { from: this.#from, to: this.#to };
    const bucket = bucketFor(range, { wanted, least, most: CHART_LIMITS.times });
    this.table.regroup((start) => startOf(start, bucket));
    const all: number[] = [];
    for (let start = startOf(range.from, bucket); start <= range.to; start = nextStart(start, bucket))
      all.push(start);
    const starts = all.slice(-CHART_LIMITS.times);
    const isPeriod = this.#widths.size === 1 && this.#widths.has(bucket) && bucket !== 'hour';
    const times = this.#areInstants ? 'instants' : isPeriod ? 'periods' : undefined;
    return { bucket, times, starts, omitted: this.table.rows(all.slice(0, -CHART_LIMITS.times)) };
  }
}

/** Returns the texts of the beginnings of groups. */
export function startTexts({ bucket, starts }: TimeAxis): string[] {
  return starts.map((start) => startText(start, bucket));
}
