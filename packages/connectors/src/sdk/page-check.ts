import { isDeepStrictEqual } from 'node:util';
import type { ConnectorRecord, Page, ReadRequest } from './connector.ts';
import { storableInstant } from './instant.ts';
import type { Json } from './json.ts';

/**
 * Records of a page at most. A page is held in memory and committed as a whole, and shown only then: some hundred are
 * enough, but servers that speak a provider's API may send all at once.
 */
export const MOST_RECORDS = 5000;
/** Letters of an id at most: it must fit an index. */
const LONGEST_ID = 2000;
/** Pages in a row that may stand at the same place: a read that goes on there does not end. */
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

function recordProblem({ id, occurredAt, facets, data }: ConnectorRecord): string | undefined {
  const problem = idProblem(id);
  if (problem !== undefined) return problem;
  if (!(occurredAt instanceof Date) || !storableInstant(occurredAt.getTime()))
    return `record ${id}: 'occurredAt' is no date of the years 1 to 9999`;
  if (!isObject(facets)) return `record ${id}: its facets are no object`;
  return isObject(data) ? undefined : `record ${id}: its data is neither an object nor a buffer`;
}

function pageProblem(page: Page): string | undefined {
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
    const problem = recordProblem(record);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/**
 * Watches the pages of one read: what no connector may hand over ends the read before it is stored, and so does a read that
 * brings more than it was asked for or does not get on. What it throws is a fault of the connector, not of its provider.
 */
export class PageCheck {
  readonly #request: Pick<ReadRequest, 'cursor' | 'limit'>;
  #brought = 0;
  #standing = 0;
  #checkpoint: Json = null;

  constructor(request: Pick<ReadRequest, 'cursor' | 'limit'>) {
    this.#request = request;
  }

  /** The page, when nothing is wrong with it. @throws Error that says what is */
  take(page: Page): Page {
    const problem = pageProblem(page) ?? this.#progressProblem(page);
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
