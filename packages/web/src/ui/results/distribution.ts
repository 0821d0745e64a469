import { isTimestamp, type TimeColumn, timeColumn } from '@datadeck/contract/calendar';
import { isIdentifier, isRecord } from '@datadeck/contract/table-columns';

/** Bars that a chart draws at most. */
export const MAX_BARS = 60;
/** Fields of a row at most; rows with more are whole records. */
const MAX_FIELDS = 11;
/** Fields that name a bar at most: `Monday`, `9:00`. */
const MAX_NAMES = 3;

export interface Bar {
  /** One text for each field that names the bar. */
  labels: string[];
  /** Null if the row has no number. */
  value: number | null;
}

export interface Distribution {
  /** Name of the numeric field that the bars show; empty if the numbers have none. */
  measure: string;
  /** All numeric fields that the bars can show. */
  measures: string[];
  bars: Bar[];
  /** Number of bars, including those that are not drawn. */
  count: number;
}

interface Field {
  name: string;
  time: TimeColumn | undefined;
  isMeasure: boolean;
  isName: boolean;
}

type Row = Readonly<Record<string, unknown>>;

/** A field that summarises a group, such as `medianHours`, says more than the size of the group. */
const STATISTIC = /^(median|mean|avg|average|p\d\d)(?![a-z])/;

function fieldsOf(rows: readonly Row[]): Field[] {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return names.map((name) => {
    const values = rows.map((row) => row[name]).filter((value) => value !== null && value !== undefined);
    const time = timeColumn(name, values);
    const isNumeric = values.length > 0 && values.every((value) => typeof value === 'number');
    return {
      name,
      time,
      isMeasure: isNumeric && !time && !isIdentifier(name),
      isName:
        values.length > 0 &&
        (time !== undefined ||
          values.every((value) => typeof value === 'string' || typeof value === 'boolean')),
    };
  });
}

/** Returns the fields that may name a bar, the best first: an id or a moment only if nothing else does. */
function candidatesOf(fields: readonly Field[], rows: readonly Row[]): Field[] {
  const hasDayName = fields.some(
    ({ name, time }) => time && rows.some((row) => typeof row[name] === 'string'),
  );
  const cost = ({ name, time }: Field) => {
    if (isIdentifier(name) || rows.some((row) => isTimestamp(row[name]))) return 2;
    // A number of the day beside its name only sorts.
    return time && hasDayName && /day/i.test(name) && rows.every((row) => typeof row[name] === 'number')
      ? 1
      : 0;
  };
  return fields.filter(({ isName }) => isName).sort((a, b) => cost(a) - cost(b));
}

/** Returns the fewest of these fields that tell the rows apart. */
function namingFields(fields: readonly Field[], rows: readonly Row[]): Field[] {
  const distinct = (chosen: readonly Field[]) =>
    new Set(rows.map((row) => JSON.stringify(chosen.map(({ name }) => row[name] ?? null)))).size;
  const chosen: Field[] = [];
  for (const field of candidatesOf(fields, rows)) {
    const before = distinct(chosen);
    if (before === rows.length || chosen.length === MAX_NAMES) break;
    if (chosen.length === 0 || distinct([...chosen, field]) > before) chosen.push(field);
  }
  return chosen;
}

function labelOf({ name }: Field, value: unknown): string {
  if (value === null || value === undefined || value === '') return '–';
  if (name.toLowerCase() === 'hour' && typeof value === 'number') return `${value}:00`;
  return typeof value === 'boolean' ? `${name}: ${value}` : String(value);
}

/** Orders rows by time, the oldest first, if a field that names them is of time. */
function inOrder(rows: readonly Row[], fields: readonly Field[], naming: readonly Field[]): readonly Row[] {
  if (!naming.some(({ time }) => time)) return rows;
  const keys = fields
    .flatMap(({ name, time }) =>
      time && !rows.some((row) => isTimestamp(row[name])) ? [{ name, ...time }] : [],
    )
    .concat(naming.flatMap(({ name, time }) => (time ? [{ name, ...time }] : [])))
    .sort((a, b) => a.rank - b.rank);
  return [...rows].sort((a, b) => {
    for (const { name, keyOf } of keys) {
      const [one, other] = [keyOf(a[name] ?? ''), keyOf(b[name] ?? '')];
      if (one !== other) return one < other ? -1 : 1;
    }
    return 0;
  });
}

/** Returns the last bars of a time axis, otherwise the first. */
function drawn<T>(all: readonly T[], isTime: boolean): T[] {
  return isTime ? all.slice(-MAX_BARS) : all.slice(0, MAX_BARS);
}

/** Reads an object of numbers, the result of grouping: `{"amy": 3, "bo": 1}`. */
function groupsOf(value: Row): Distribution | null {
  const entries = Object.entries(value);
  if (entries.length < 2 || !entries.every(([, number]) => typeof number === 'number')) return null;
  const rows = entries.map(([group, number]) => ({ group, number }));
  const time = timeColumn(
    'group',
    entries.map(([group]) => group),
  );
  const field: Field = { name: 'group', time, isMeasure: false, isName: true };
  const ordered = inOrder(rows, [field], [field]);
  const bars = ordered.map(({ group, number }) => ({
    labels: [labelOf(field, group)],
    value: Number(number),
  }));
  return { measure: '', measures: [], bars: drawn(bars, time !== undefined), count: bars.length };
}

/** Converts rows with names and numbers, or an object of numbers, into bars; null for other values. */
export function distributionOf(value: unknown, wanted?: string): Distribution | null {
  if (isRecord(value)) return groupsOf(value);
  if (!Array.isArray(value) || value.length < 2 || !value.every(isRecord)) return null;
  const rows: Row[] = value;
  const fields = fieldsOf(rows);
  const measures = fields.filter(({ isMeasure }) => isMeasure).map(({ name }) => name);
  const naming = namingFields(fields, rows);
  const measure =
    measures.find((name) => name === wanted) ?? measures.find((name) => STATISTIC.test(name)) ?? measures[0];
  if (measure === undefined || naming.length === 0 || fields.length > MAX_FIELDS) return null;
  const bars = inOrder(rows, fields, naming).map((row) => {
    const number = row[measure];
    return {
      labels: naming.map((field) => labelOf(field, row[field.name])),
      value: typeof number === 'number' ? number : null,
    };
  });
  return {
    measure,
    measures,
    bars: drawn(
      bars,
      naming.some(({ time }) => time),
    ),
    count: bars.length,
  };
}
