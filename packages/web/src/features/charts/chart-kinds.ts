import type { Chart, ChartColumn, ChartKind } from '@datadeck/contract';
import { isIdentifier } from '@datadeck/contract/table-columns';

/** Names of kinds of charts. */
export const KIND_TITLES: Readonly<Record<ChartKind, string>> = {
  number: 'Number',
  bars: 'Bars',
  line: 'Line',
  area: 'Area',
  'heat-map': 'Heat map',
  distribution: 'Distribution',
  table: 'Table',
  text: 'Text',
};

const isNamed =
  (...types: ChartColumn['type'][]) =>
  ({ name, type }: ChartColumn) =>
    types.includes(type) && !isIdentifier(name);

/** Returns the field that fits a time axis or groups best. */
function bestGroup(columns: readonly ChartColumn[]): string | undefined {
  const found =
    columns.find(isNamed('time')) ??
    columns.find(isNamed('part')) ??
    columns.find(isNamed('text', 'boolean'));
  return (found ?? columns.find(({ type }) => type !== 'other'))?.name;
}

/** Returns the first column of numbers that are no identifiers. */
export function firstNumber(columns: readonly ChartColumn[]): string | undefined {
  return columns.find(isNamed('number'))?.name;
}

function fieldsOfHeatMap(chart: Chart, columns: readonly ChartColumn[]): Pick<Chart, 'x' | 'series'> {
  const time = columns.find(
    ({ name, type }) => type === 'time' && (chart.x === undefined || chart.x === name),
  );
  if (time) return { x: time.name };
  const hour = columns.find(({ name, type }) => type === 'part' && /hour/i.test(name))?.name;
  const day = columns.findLast(({ name, type }) => type === 'part' && /day/i.test(name))?.name;
  if (hour !== undefined && day !== undefined) return { x: hour, series: day };
  const x = chart.x ?? bestGroup(columns);
  const other = columns.find(
    (column) => column.name !== x && isNamed('part', 'text', 'boolean')(column),
  )?.name;
  const series = chart.series ?? other;
  return { ...(x !== undefined && { x }), ...(series !== undefined && { series }) };
}

/** Returns the settings of another kind of chart of the same rows; what both kinds have stays. */
export function withKind(chart: Chart, kind: ChartKind, columns: readonly ChartColumn[]): Chart {
  const { x, series, ...rest } = chart;
  const numbers = { ...rest, kind };
  if (kind === 'number' || kind === 'table' || kind === 'text') return numbers;
  if (kind === 'distribution') {
    const field = chart.y ?? firstNumber(columns) ?? x;
    return { kind, measure: 'count', ...(field !== undefined && { x: field }) };
  }
  if (kind === 'heat-map') return { ...numbers, ...fieldsOfHeatMap(chart, columns) };
  const wasNumber = columns.some((column) => column.name === x && column.type === 'number');
  const group = x === undefined || (chart.kind === 'distribution' && wasNumber) ? bestGroup(columns) : x;
  return { ...numbers, ...(group !== undefined && { x: group }), ...(series !== undefined && { series }) };
}

/** Returns whether two settings draw the same; undefined is what the product proposes. */
export function isSameChart(a: Chart | undefined, b: Chart | undefined): boolean {
  if (!a || !b) return a === b;
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])] as (keyof Chart)[];
  return names.every((name) => a[name] === b[name]);
}
