import { isRecord, MIN_RECORD_FIELDS } from '@datadeck/contract/table-columns';

/** Columns of a table; fields after them are written as one JSON object. Spreadsheets have 16,384 columns at most. */
const MAX_COLUMNS = 1000;
/** Texts are measured up to this length, UTF-16 units. */
const MAX_TEXT_LENGTH = 60;
/** ISO date and time in UTC with at most three digits of a second, as a calendar has them. */
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$/;

/** Type of all values of a column that are not null; `text` also for mixed types, lists and objects. */
export type FileColumnType = 'boolean' | 'integer' | 'number' | 'timestamp' | 'text';

/** A column of a table file. */
export interface FileColumn {
  name: string;
  type: FileColumnType;
  /** Length of the longest text, UTF-16 units, up to `MAX_TEXT_LENGTH`. */
  textLength: number;
}

/** Columns found in all rows, and the name of the column for further fields, if there are any. */
export interface FileColumns {
  columns: readonly FileColumn[];
  rest: string | undefined;
  /** Average length of a row as JSON, bytes. */
  rowLength: number;
}

/** Returns the date of a text such as `2026-03-01T09:30:00Z`; undefined for other values. */
export function instantOf(value: unknown): Date | undefined {
  if (typeof value !== 'string' || value.length > 24 || !INSTANT.test(value)) return undefined;
  const date = new Date(value);
  // Date accepts 30 February as a day in March, and 24:00 as the next day.
  return date.getUTCDate() === Number(value.slice(8, 10)) ? date : undefined;
}

function typeOf(value: unknown): FileColumnType {
  if (typeof value === 'boolean') return 'boolean';
  if (typeof value === 'number') return Number.isSafeInteger(value) ? 'integer' : 'number';
  return instantOf(value) ? 'timestamp' : 'text';
}

function commonType(one: FileColumnType | undefined, other: FileColumnType): FileColumnType {
  if (one === undefined || one === other) return other;
  const areNumbers = [one, other].every((type) => type === 'integer' || type === 'number');
  return areNumbers ? 'number' : 'text';
}

/** Returns the fields of a row; a row that is no object has one field `value`. */
export function fieldsOf(row: unknown): Record<string, unknown> {
  return isRecord(row) ? row : { value: row };
}

/** Finds the columns of rows in the order in which they appear, and the types of their values. */
export class ColumnFinder {
  readonly #types = new Map<string, FileColumnType | undefined>();
  readonly #lengths = new Map<string, number>();
  #hasMore = false;
  #rows = 0;

  add(row: unknown): void {
    this.#rows++;
    const fields = fieldsOf(row);
    for (const name of Object.keys(fields)) {
      const value = fields[name];
      const type = this.#types.get(name);
      if (type === undefined && !this.#types.has(name)) {
        if (this.#types.size >= MAX_COLUMNS) {
          this.#hasMore = true;
          continue;
        }
        this.#types.set(name, undefined);
      }
      if (typeof value === 'string' && value.length > (this.#lengths.get(name) ?? 0))
        this.#lengths.set(name, Math.min(value.length, MAX_TEXT_LENGTH));
      if (type !== 'text' && value !== null && value !== undefined)
        this.#types.set(name, commonType(type, typeOf(value)));
    }
  }

  /** Returns the columns; a table without any has one for values. @param bytes length of all rows as JSON */
  finish(bytes: number): FileColumns {
    if (this.#types.size === 0) this.#types.set('value', undefined);
    let rest = 'other_fields';
    while (this.#types.has(rest)) rest += '_';
    return {
      columns: Array.from(this.#types, ([name, type = 'text']) => ({
        name,
        type,
        textLength: this.#lengths.get(name) ?? 0,
      })),
      rest: this.#hasMore ? rest : undefined,
      rowLength: bytes / Math.max(1, this.#rows),
    };
  }
}

/** Returns the columns of whole records with those that people look at first before the others; fewer than 12 columns as they are. */
export function usefulFirst(found: FileColumns, preferred: readonly string[]): FileColumns {
  if (found.columns.length < MIN_RECORD_FIELDS) return found;
  const rank = ({ name }: FileColumn) => {
    const place = preferred.indexOf(name);
    return place < 0 ? preferred.length : place;
  };
  return { ...found, columns: found.columns.toSorted((one, other) => rank(one) - rank(other)) };
}

/** Thrown when a row does not fit the columns that were found, because the rows changed between the two passes. */
class ChangedRowsError extends Error {}

/** Returns the values of a row by column. @throws ChangedRowsError for a new field or a value of another type */
export class RowReader {
  readonly names: readonly string[];
  readonly #columns: readonly FileColumn[];
  readonly #known: ReadonlySet<string>;
  readonly #rest: string | undefined;

  constructor({ columns, rest }: FileColumns) {
    this.#columns = columns;
    this.#rest = rest;
    const names = columns.map(({ name }) => name);
    this.#known = new Set(names);
    this.names = rest === undefined ? names : [...names, rest];
  }

  /** Returns the type of the column at a position. */
  typeAt(index: number): FileColumnType {
    return this.#columns[index]?.type ?? 'text';
  }

  /** Returns the length of the longest text of the column at a position, up to 60. */
  textLengthAt(index: number): number {
    return this.#columns[index]?.textLength ?? 0;
  }

  /** Returns the values as they are in the row: null where it has none. */
  read(row: unknown): unknown[] {
    const fields = fieldsOf(row);
    const values: unknown[] = this.#columns.map(({ name }) =>
      Object.hasOwn(fields, name) ? fields[name] : null,
    );
    const others = Object.keys(fields).filter((name) => !this.#known.has(name));
    if (others.length === 0) return this.#rest === undefined ? values : [...values, null];
    if (this.#rest === undefined) throw new ChangedRowsError('A new field appeared during the export.');
    return [...values, Object.fromEntries(others.map((name) => [name, fields[name]]))];
  }

  /** Returns the values with dates as such, and lists, objects and mixed types as text. */
  readTyped(row: unknown): (string | number | boolean | Date | null)[] {
    return this.read(row).map((value, index) => this.#typed(value, this.typeAt(index)));
  }

  #typed(value: unknown, type: FileColumnType): string | number | boolean | Date | null {
    if (value === null || value === undefined) return null;
    if (type === 'text') return typeof value === 'string' ? value : JSON.stringify(value);
    if (commonType(type, typeOf(value)) !== type)
      throw new ChangedRowsError('A field changed its type during the export.');
    return type === 'timestamp' ? (instantOf(value) ?? null) : (value as number | boolean);
  }
}
