import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '@datadeck/contract/table-columns';
import { isInteger, MAX_COLUMN_TEXT_LENGTH, MAX_COLUMN_TEXTS } from './column-values.ts';
import type { ConnectorRecord, Page, ReadRequest } from './connector.ts';
import { storableInstant } from './instant.ts';
import type { Json } from './json.ts';
import { isStorable } from './storable.ts';
import type { ColumnType, ColumnValue, TableDefinition } from './table.ts';

/**
 * Largest number of records in a page. A page is kept in memory and committed as a whole. Connectors yield some hundred,
 * but servers that imitate a provider's API may send everything at once.
 */
export const MAX_RECORDS_PER_PAGE = 5000;
/** Longest id, UTF-16 units; it must fit into an index entry. */
const MAX_ID_LENGTH = 2000;
/** Consecutive pages that may have the same checkpoint; more mean an endless read. */
const MAX_SAME_CHECKPOINTS = 100;

function isCount(value: unknown): boolean {
  return value === undefined || (Number.isInteger(value) && Number(value) >= 0);
}

function idProblem(id: unknown): string | undefined {
  if (typeof id !== 'string') return `the id ${String(id)} is not a text`;
  if (id === '') return 'an id is empty';
  return id.length > MAX_ID_LENGTH ? `an id has ${id.length} letters, at most ${MAX_ID_LENGTH}` : undefined;
}

function textProblem(value: unknown, maxLength = MAX_COLUMN_TEXT_LENGTH): string | undefined {
  if (typeof value !== 'string') return 'is not a text';
  if (value.length > maxLength) return `has a text of ${value.length} letters, at most ${maxLength}`;
  return isStorable(value) ? undefined : 'has a text that the database does not store';
}

function listProblem(value: unknown): string | undefined {
  if (!Array.isArray(value)) return 'is not a list of texts';
  if (value.length > MAX_COLUMN_TEXTS) return `has ${value.length} texts, at most ${MAX_COLUMN_TEXTS}`;
  return value.map((text) => textProblem(text)).find((problem) => problem !== undefined);
}

/** Returns the fault of a column value, by column type. */
const VALUE_PROBLEMS: Readonly<
  Record<ColumnType, (value: unknown, maxLength?: number) => string | undefined>
> = {
  text: textProblem,
  'text[]': listProblem,
  integer: (value) => (isInteger(value) ? undefined : 'is not a 32-bit integer'),
  bigint: (value) => (Number.isSafeInteger(value) ? undefined : 'is not a safe integer'),
  'double precision': (value) => (Number.isFinite(value) ? undefined : 'is not a finite number'),
  boolean: (value) => (typeof value === 'boolean' ? undefined : 'is not a boolean'),
  timestamptz: (value) => (isInstant(value) ? undefined : 'is not a date in the years 1 to 9999'),
};

function isInstant(value: unknown): boolean {
  return value instanceof Date && storableInstant(value.getTime()) !== undefined;
}

function columnProblem(values: unknown, { columns }: TableDefinition): string | undefined {
  if (!isRecord(values)) return 'its columns are not an object';
  const given = values as Readonly<Record<string, ColumnValue>>;
  const other = Object.keys(given).find((name) => !Object.hasOwn(columns, name));
  if (other !== undefined) return `its table has no column ${other}`;
  for (const [name, { type, maxLength }] of Object.entries(columns)) {
    const value = given[name];
    if (value === undefined) return `it has no value for the column ${name}`;
    const problem = value === null ? undefined : VALUE_PROBLEMS[type](value, maxLength);
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
  if (!isInstant(occurredAt)) return `record ${id}: 'occurredAt' is not a date in the years 1 to 9999`;
  const inColumns = columnProblem(columns, table);
  if (inColumns !== undefined) return `record ${id}: ${inColumns}`;
  return isRecord(data) ? undefined : `record ${id}: its data is neither an object nor a buffer`;
}

function pageProblem(page: Page, table: TableDefinition): string | undefined {
  const { records, removed = [], unreadable = [], checkpoint, total, skipped } = page;
  if (records.length > MAX_RECORDS_PER_PAGE)
    return `it has ${records.length} records, at most ${MAX_RECORDS_PER_PAGE}`;
  if (checkpoint === null || checkpoint === undefined) return 'it has no checkpoint';
  if (!isCount(total)) return `its total ${String(total)} is not a count`;
  if (!isCount(skipped)) return `'skipped' is not a count: ${String(skipped)}`;
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
 * makes progress and stays within its limit. Errors are faults of the connector, not of the provider.
 */
export class PageCheck {
  readonly #request: Pick<ReadRequest, 'cursor' | 'limit'>;
  readonly #table: TableDefinition;
  #recordCount = 0;
  #sameCheckpoints = 0;
  #checkpoint: Json = null;

  /** @param table the table that the entity declares */
  constructor(request: Pick<ReadRequest, 'cursor' | 'limit'>, table: TableDefinition) {
    this.#request = request;
    this.#table = table;
  }

  /** Returns the page unchanged. @throws Error that names the fault */
  check(page: Page): Page {
    const problem = pageProblem(page, this.#table) ?? this.#progressProblem(page);
    if (problem !== undefined) throw new Error(`The connector yielded an invalid page: ${problem}.`);
    return page;
  }

  #progressProblem({ records, checkpoint }: Page): string | undefined {
    const { cursor, limit } = this.#request;
    this.#recordCount += records.length;
    if (cursor === null && this.#recordCount > limit)
      return `the read has now yielded ${this.#recordCount} records, but the limit is ${limit}`;
    this.#sameCheckpoints = isDeepStrictEqual(checkpoint, this.#checkpoint) ? this.#sameCheckpoints + 1 : 0;
    this.#checkpoint = checkpoint;
    return this.#sameCheckpoints >= MAX_SAME_CHECKPOINTS
      ? `the ${this.#sameCheckpoints} pages before it have the same checkpoint`
      : undefined;
  }
}
