import type { Chart, ChartColumn } from './charts.ts';
import { isIdentifier, MIN_RECORD_FIELDS } from './table-columns.ts';

/** The shape of a result. */
export interface RowShape {
  columns: readonly ChartColumn[];
  rows: number;
}

/** A field that summarises a group, such as `medianHours`, says more than the size of the group. */
const STATISTIC = /^(median|mean|avg|average|p\d\d)(?![a-z])/;
/** A field with few values by which rows of records differ at a glance. */
const STATE = /^(state|status|type|kind|conclusion)$/i;
/** Most values of a field that splits bars. */
const MAX_SPLIT = 6;

const lastName = (name: string) => name.slice(name.lastIndexOf('.') + 1).replaceAll('`', '');
const isOf =
  (...types: ChartColumn['type'][]) =>
  ({ type }: ChartColumn) =>
    types.includes(type);

/** Proposes a chart of whole records: how many there are over time, or by a field with few values. */
function chartOfRecords({ columns, rows }: RowShape): Chart {
  const time = columns.find((column) => column.type === 'time' && column.missing === 0);
  const splits = columns.filter(
    (column) => isOf('text', 'boolean')(column) && column.distinct > 1 && column.distinct <= MAX_SPLIT,
  );
  const split = splits.find(({ name }) => STATE.test(lastName(name)));
  if (time)
    return {
      kind: 'bars',
      x: time.name,
      measure: 'count',
      layout: 'stacked',
      ...(split && { series: split.name }),
    };
  const group = split ?? columns.find((column) => column.type === 'text' && column.distinct < rows);
  return group
    ? { kind: 'bars', x: group.name, measure: 'count', order: 'value' }
    : { kind: 'table', measure: 'count' };
}

/** Proposes a chart of groups with their numbers, which an expression or a template has counted. */
function chartOfGroups({ columns, rows }: RowShape, y: string): Chart {
  const sum = { measure: 'sum', y } as const;
  const names = columns.filter(isOf('text', 'boolean', 'time', 'part'));
  const named = names.filter(({ name }) => !isIdentifier(lastName(name)));
  const parts = named.filter(({ type }) => type === 'part');
  const hour = parts.find(({ name }) => /hour/i.test(name));
  // A number of the day beside its name only sorts; the name comes with fewer missing values or later.
  const day = parts.findLast(({ name }) => /day/i.test(name));
  if (hour && day) return { kind: 'heat-map', x: hour.name, series: day.name, ...sum };
  const time = named.find(({ type }) => type === 'time') ?? hour ?? day ?? parts[0];
  const texts = named.filter(isOf('text', 'boolean'));
  const split = texts.find(({ distinct }) => distinct > 1 && distinct <= MAX_SPLIT);
  if (time?.type === 'time' && time.distinct > 1) {
    const isUnique = time.distinct === rows;
    return { kind: 'line', x: time.name, ...sum, ...(!isUnique && split && { series: split.name }) };
  }
  const unique = texts.find(({ distinct }) => distinct === rows);
  const x = unique ?? time ?? texts.toSorted((a, b) => b.distinct - a.distinct)[0] ?? names[0];
  if (!x) return { kind: 'distribution', x: y, measure: 'count' };
  const series = x.distinct < rows ? texts.find((one) => one !== x && one === split) : undefined;
  return {
    kind: 'bars',
    x: x.name,
    ...sum,
    order: x.type === 'part' ? 'name' : 'rows',
    ...(series && { series: series.name, layout: 'stacked' }),
  };
}

/** Proposes the chart that fits rows by the types of their columns and the numbers of their values. */
export function proposeChart(shape: RowShape): Chart {
  const { columns, rows } = shape;
  const table: Chart = { kind: 'table', measure: 'count' };
  if (rows === 0 || columns.length === 0) return table;
  const measures = columns.filter(({ type, name }) => type === 'number' && !isIdentifier(lastName(name)));
  const y = (measures.find(({ name }) => STATISTIC.test(lastName(name))) ?? measures[0])?.name;
  if (rows === 1) {
    const [only] = columns;
    if (y !== undefined && measures.length === 1) return { kind: 'number', measure: 'sum', y };
    return columns.length === 1 && only?.type === 'text' ? { kind: 'text', measure: 'count' } : table;
  }
  const [only] = columns;
  if (only && columns.length === 1) {
    if (only.type === 'number') return { kind: 'distribution', x: only.name, measure: 'count' };
    if (only.type === 'time') return { kind: 'bars', x: only.name, measure: 'count' };
    const isRepeated = only.type !== 'other' && only.distinct < rows;
    return isRepeated ? { kind: 'bars', x: only.name, measure: 'count', order: 'value' } : table;
  }
  if (columns.length >= MIN_RECORD_FIELDS) return chartOfRecords(shape);
  return y === undefined ? chartOfRecords(shape) : chartOfGroups(shape, y);
}
