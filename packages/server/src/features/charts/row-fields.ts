import { CHART_LIMITS, type ChartColumn, parseSort, sortText } from '@datadeck/contract';
import { timeColumn } from '@datadeck/contract/calendar';
import { isRecord } from '@datadeck/contract/table-columns';

/** Longest line of a row that is read, UTF-16 units; a longer one counts as a row without fields. */
const MAX_LINE = 4 * 1024 * 1024;
/** Sampled texts of a column that are compared, UTF-16 units. */
const MAX_COMPARED = 1000;

/** A row of a result, with how often it is there. */
export type Rows = Iterable<unknown>;

/** Returns the members of an object of numbers, the result of grouping (`{ amy: 3, bo: 1 }`), as rows; else undefined. */
function groupsOf(value: unknown): Record<string, unknown>[] | undefined {
  if (!isRecord(value)) return undefined;
  const members = Object.entries(value);
  if (members.length < 2 || !members.every(([, number]) => typeof number === 'number')) return undefined;
  return members.map(([name, number]) => ({ name, value: number }));
}

/** Yields the rows of the lines of a result. A single object of numbers is one row for each of them. */
export function* rowsOf(lines: Iterable<string>): Generator<unknown> {
  let first: unknown;
  let count = 0;
  for (const line of lines) {
    const row: unknown = line.length > MAX_LINE ? undefined : JSON.parse(line);
    count++;
    if (count === 1) {
      first = row;
      continue;
    }
    if (count === 2) yield first;
    yield row;
  }
  if (count === 1) yield* groupsOf(first) ?? [first];
}

/** Returns a function that reads a field of a row, named as in a sort: `user.login`, or `$` for the row itself. */
export function readerOf(field: string): (row: unknown) => unknown {
  const path = parseSort(field)?.path ?? [];
  return (row) => {
    let value = row;
    for (const name of path) value = isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
    return value;
  };
}

interface Sample {
  name: string;
  values: unknown[];
  distinct: Set<unknown>;
  isOther: boolean;
}

function typeOf({ name, values, isOther }: Sample): ChartColumn['type'] {
  if (isOther || values.length === 0) return 'other';
  const last = name.slice(name.lastIndexOf('.') + 1);
  const time = timeColumn(last, values);
  if (time) return time.rank < 0 ? 'time' : 'part';
  for (const type of ['number', 'boolean'] as const)
    if (values.every((value) => typeof value === type)) return type;
  return values.every((value) => typeof value === 'string') ? 'text' : 'other';
}

/** Collects what the first rows have in each field, also in those of objects within a row. */
export class ColumnSamples {
  readonly #samples = new Map<string, Sample>();
  #rows = 0;

  /** Whether enough rows were added. */
  get isFull(): boolean {
    return this.#rows >= CHART_LIMITS.sampledRows;
  }

  add(row: unknown): void {
    this.#rows++;
    if (!isRecord(row)) {
      this.#addValue([], row);
      return;
    }
    for (const [name, value] of Object.entries(row)) {
      if (!isRecord(value)) this.#addValue([name], value);
      else
        for (const [inner, of] of Object.entries(value)) if (!isRecord(of)) this.#addValue([name, inner], of);
    }
  }

  #addValue(path: readonly string[], value: unknown): void {
    const key = path.join('\n');
    let sample = this.#samples.get(key);
    if (!sample) {
      const name =
        this.#samples.size < CHART_LIMITS.columns ? sortText({ path, isDescending: false }) : undefined;
      if (name === undefined) return;
      sample = { name, values: [], distinct: new Set(), isOther: false };
      this.#samples.set(key, sample);
    }
    if (value === null || value === undefined || value === '') return;
    if (typeof value === 'object') sample.isOther = true;
    const compared = typeof value === 'string' ? value.slice(0, MAX_COMPARED) : value;
    sample.values.push(compared);
    sample.distinct.add(compared);
  }

  /** Returns the columns in the order in which they appeared. */
  columns(): ChartColumn[] {
    return [...this.#samples.values()].map((sample) => ({
      name: sample.name,
      type: typeOf(sample),
      distinct: sample.distinct.size,
      missing: this.#rows - sample.values.length,
    }));
  }
}
