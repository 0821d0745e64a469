import { isDeepStrictEqual } from 'node:util';
import { isInteger, LONGEST_COLUMN_TEXT, MOST_COLUMN_TEXTS } from './column-values.ts';
import type { ConnectorRecord, Page, ReadRequest } from './connector.ts';
import { storableInstant } from './instant.ts';
import type { Json } from './json.ts';
import type { ColumnType, ColumnValue, TableDefinition } from './table.ts';

/**
 * Most records of a page. A page is held in memory, committed as a whole and shown only then: some hundred are enough, but
 * servers that imitate a provider's API may send everything at once.
 */
export const MOST_RECORDS = 5000;
/** Longest id, UTF-16 units: it must fit an index. */
const LONGEST_ID = 2000;
/** Pages in a row that may have the same checkpoint: such a read does not end. */
const MOST_STANDING = 100;

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isCount(value: unknown): boolean {
  return value === undefined || (Number.isInteger(value) && Number(value) >= 0);
}

function idProblem(id: unknown): string | undefined {
  if (typeof id !== 'string') return `the id ${String(id)} is no text`;
  if (id === '') return 'an id is empty';
  return id.length > LONGEST_ID ? `an id has ${id.length} letters, at most ${LONGEST_ID}` : undefined;
}

function textProblem(value: unknown): string | undefined {
  if (typeof value !== 'string') return 'is no text';
  if (value.length > LONGEST_COLUMN_TEXT)
    return `has a text of ${value.length} letters, at most ${LONGEST_COLUMN_TEXT}`;
  return value.includes('\u0000') || !value.isWellFormed()
    ? 'has a text that the database does not store'
    : undefined;
}

function listProblem(value: unknown): string | undefined {
  if (!Array.isArray(value)) return 'is no list of texts';
  if (value.length > MOST_COLUMN_TEXTS) return `has ${value.length} texts, at most ${MOST_COLUMN_TEXTS}`;
  return value.map(textProblem).find((problem) => problem !== undefined);
}

/** What is wrong with a value of each column type. */
const VALUE_PROBLEMS: Readonly<Record<ColumnType, (value: unknown) => string | undefined>> = {
  text: textProblem,
  'text[]': listProblem,
  integer: (value) => (isInteger(value) ? undefined : 'is no integer of 32 bits'),
  bigint: (value) => (Number.isSafeInteger(value) ? undefined : 'is no safe integer'),
  'double precision': (value) => (Number.isFinite(value) ? undefined : 'is no finite number'),
  boolean: (value) => (typeof value === 'boolean' ? undefined : 'is no boolean'),
  timestamptz: (value) => (isInstant(value) ? undefined : 'is no date of the years 1 to 9999'),
};

function isInstant(value: unknown): boolean {
  return value instanceof Date && storableInstant(value.getTime()) !== undefined;
}

function columnProblem(values: unknown, { columns }: TableDefinition): string | undefined {
  if (!isObject(values)) return 'its columns are no object';
  const given = values as Readonly<Record<string, ColumnValue>>;
  const other = Object.keys(given).find((name) => !Object.hasOwn(columns, name));
  if (other !== undefined) return `its table has no column ${other}`;
  for (const [name, { type }] of Object.entries(columns)) {
    const value = given[name];
    if (value === undefined) return `it has no value for the column ${name}`;
    const problem = value === null ? undefined : VALUE_PROBLEMS[type](value);
    if (problem !== undefined) return `its column ${name} ${problem}`;
  }
  return undefined;
}

function recordProblem(
  { id, occurredAt, columns, data }: ConnectorRecord,
  table: TableDefinition,
): string | undefined {
  const problem = idProblem(id);
  if (problem !== undefined) return problem;
  if (!isInstant(occurredAt)) return `record ${id}: 'occurredAt' is no date of the years 1 to 9999`;
  const inColumns = columnProblem(columns, table);
  if (inColumns !== undefined) return `record ${id}: ${inColumns}`;
  return isObject(data) ? undefined : `record ${id}: its data is neither an object nor a buffer`;
}

function pageProblem(page: Page, table: TableDefinition): string | undefined {
  const { records, removed = [], unreadable = [], checkpoint, total, skipped } = page;
  if (records.length > MOST_RECORDS) return `it has ${records.length} records, at most ${MOST_RECORDS}`;
  if (checkpoint === null || checkpoint === undefined) return 'it has no checkpoint';
  if (!isCount(total)) return `its total ${String(total)} is no count`;
  if (!isCount(skipped)) return `'skipped' is no count: ${String(skipped)}`;
  for (const id of [...removed, ...unreadable]) {
    const problem = idProblem(id);
    if (problem !== undefined) return problem;
  }
  for (const record of records) {
    const problem = recordProblem(record, table);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/**
 * Checks the pages of one read before they are stored: ids, dates, documents, column values and counts, and that the read
 * makes progress and stays within its limit. Its errors are faults of the connector, not of the provider.
 */
export class PageCheck {
  readonly #request: Pick<ReadRequest, 'cursor' | 'limit'>;
  readonly #table: TableDefinition;
  #brought = 0;
  #standing = 0;
  #checkpoint: Json = null;

  /** @param table the one that the entity declares */
  constructor(request: Pick<ReadRequest, 'cursor' | 'limit'>, table: TableDefinition) {
    this.#request = request;
    this.#table = table;
  }

  /** Returns the page unchanged. @throws Error that names what is wrong with it */
  take(page: Page): Page {
    const problem = pageProblem(page, this.#table) ?? this.#progressProblem(page);
    if (problem !== undefined) throw new Error(`The connector handed over a wrong page: ${problem}.`);
    return page;
  }

  #progressProblem({ records, checkpoint }: Page): string | undefined {
    const { cursor, limit } = this.#request;
    this.#brought += records.length;
    if (cursor === null && this.#brought > limit)
      return `with it there are ${this.#brought} records, and ${limit} were asked for`;
    this.#standing = isDeepStrictEqual(checkpoint, this.#checkpoint) ? this.#standing + 1 : 0;
    this.#checkpoint = checkpoint;
    return this.#standing >= MOST_STANDING
      ? `${this.#standing} pages before it stood at the same checkpoint`
      : undefined;
  }
}
