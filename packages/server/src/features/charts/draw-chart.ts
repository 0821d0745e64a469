import {
  CHART_LIMITS,
  type Chart,
  type ChartColumn,
  type ChartData,
  type GroupKey,
  proposeChart,
} from '@datadeck/contract';
import { type LinesFile, linesOf } from '../../platform/evaluation/file-lines.ts';
import { binsOf } from './bins.ts';
import type { DrawnPart, RowValue } from './drawn-part.ts';
import { addedUp, groupAxis, heatMapOfTimes, timeAxis } from './grouped-chart.ts';
import { ColumnSamples, readerOf, rowsOf } from './row-fields.ts';

/** A result to draw. */
export interface ChartTask {
  file: LinesFile;
  /** Number of lines. */
  rows: number;
  /** Absent: what is proposed. */
  chart?: Chart | undefined;
  timeZone: string;
}

const NOTHING: DrawnPart = { axis: 'none', groups: [], series: [] };

function sampleOf(file: LinesFile): { columns: ChartColumn[]; sampled: number } {
  const samples = new ColumnSamples();
  let sampled = 0;
  for (const row of rowsOf(linesOf(file))) {
    samples.add(row);
    sampled++;
    if (samples.isFull) break;
  }
  return { columns: samples.columns(), sampled };
}

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

/** Counts numbers in equal ranges. The rows are read twice, first for their range. */
function drawDistribution({ file }: ChartTask, field: string): DrawnPart {
  const read = readerOf(field);
  let [from, to, count, missing] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0, 0];
  let isWhole = true;
  for (const row of rowsOf(linesOf(file))) {
    const value = read(row);
    if (!isNumber(value)) {
      missing++;
      continue;
    }
    count++;
    from = Math.min(from, value);
    to = Math.max(to, value);
    isWhole &&= Number.isInteger(value);
  }
  if (count === 0) return { ...NOTHING, problem: 'no-numbers', missing };
  const bins = binsOf({ from, to, isWhole });
  const values = bins.edges.map(() => 0);
  for (const row of rowsOf(linesOf(file))) {
    const value = read(row);
    if (isNumber(value)) values[bins.indexOf(value)] = (values[bins.indexOf(value)] ?? 0) + 1;
  }
  return { axis: 'bins', groups: bins.edges, series: [{ key: null, values }], binWidth: bins.width, missing };
}

/** Yields group, series and number of each row. */
function* valuesOf({ file }: ChartTask, { x, series, measure, y }: Chart): Generator<RowValue> {
  const readX = x === undefined ? () => null : readerOf(x);
  const readSeries = series === undefined ? () => null : readerOf(series);
  const readY = measure === 'sum' && y !== undefined ? readerOf(y) : undefined;
  for (const row of rowsOf(linesOf(file))) {
    const number = readY?.(row);
    yield { group: readX(row), series: readSeries(row), number: isNumber(number) ? number : undefined };
  }
}

function drawGroups(task: ChartTask, chart: Chart, columns: readonly ChartColumn[]): DrawnPart {
  const rows = valuesOf(task, chart);
  const column = (name: string | undefined) => columns.find((one) => one.name === name);
  if (chart.kind === 'number' || chart.x === undefined) {
    if (chart.kind === 'line' || chart.kind === 'area' || chart.kind === 'heat-map')
      return { ...NOTHING, problem: 'no-groups' };
    return addedUp(rows, chart);
  }
  const isTime = column(chart.x)?.type === 'time';
  if (isTime && chart.kind === 'heat-map' && chart.series === undefined)
    return heatMapOfTimes(rows, chart, task.timeZone);
  const split = column(chart.series);
  return isTime
    ? timeAxis(rows, chart, { timeZone: task.timeZone, split })
    : groupAxis(rows, chart, { column: column(chart.x), split });
}

function partOf(task: ChartTask, chart: Chart, columns: readonly ChartColumn[]): DrawnPart {
  if (chart.kind === 'table' || chart.kind === 'text') return NOTHING;
  if (chart.measure === 'sum' && chart.y === undefined) return { ...NOTHING, problem: 'no-numbers' };
  if (chart.kind !== 'distribution') return drawGroups(task, chart, columns);
  const field = chart.x ?? chart.y;
  return field === undefined ? { ...NOTHING, problem: 'no-field' } : drawDistribution(task, field);
}

/** Returns why nothing is drawn although there are rows; undefined if numbers are. */
function problemOf({
  chart,
  columns,
  part,
}: {
  chart: Chart;
  columns: readonly ChartColumn[];
  part: DrawnPart;
}) {
  const isListed = (name: string | undefined) =>
    name === undefined || columns.length >= CHART_LIMITS.columns || columns.some((one) => one.name === name);
  const hasKey = (keys: readonly GroupKey[]) => keys.some((key) => key !== null);
  if (chart.x !== undefined && !isListed(chart.x) && !hasKey(part.groups)) return 'no-field';
  if (!isListed(chart.series)) return 'no-field';
  if (part.groups.length > 0 && part.series.every(({ values }) => values.every((value) => value === null)))
    return isListed(chart.y) ? 'no-numbers' : 'no-field';
  return undefined;
}

/** Adds up the rows of a result to what a chart draws, or to what is proposed for them. It reads a file, so it is for threads. */
export function drawChart(task: ChartTask): ChartData {
  const { columns, sampled } = sampleOf(task.file);
  const rows = Math.max(task.rows, sampled);
  const proposed = proposeChart({ columns, rows: sampled });
  const chart = task.chart ?? proposed;
  const part: DrawnPart = rows === 0 ? { ...NOTHING, problem: 'no-rows' } : partOf(task, chart, columns);
  const problem = part.problem ?? problemOf({ chart, columns, part }) ?? null;
  return {
    chart,
    proposed,
    columns,
    rows,
    missing: 0,
    bucket: null,
    binWidth: null,
    timeZone: task.timeZone,
    combinedGroups: 0,
    combinedSeries: 0,
    isPartial: false,
    ...part,
    problem,
    ...(problem !== null && { groups: [], series: [] }),
  };
}
