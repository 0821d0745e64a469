import { AppError } from '../app-error.ts';
import { MAX_LOADED_BYTES, type RowFilter } from './protocol.ts';

/** A set of rows under a key that changes with every change of the rows. */
export interface DataSet {
  key: string;
  /** Groups the versions of a set: a new version replaces an older one of its family in a process. */
  family: string;
  /** Whether the rows were selected for one expression, so that others cannot use them. */
  isSelection?: boolean;
  /** Selects rows while they arrive in a process; `rows` and `bytes` are those before. */
  filter?: RowFilter;
  /** Number of rows, if known. */
  rows?: number;
  /** Size as JSON, bytes, if known. */
  bytes?: number;
  /** If set, the lists that steps of a plan read; `rows` and `bytes` are those of all, and `read` has none. */
  lists?: readonly DataSet[];
  /**
   * Reads the rows as lines of JSON, in chunks of preferably some hundred KB, which may end anywhere.
   * @param ms longest duration
   */
  read(ms: number): AsyncIterable<Buffer>;
}

/** Empty set, for work on an expression only. */
export const NO_ROWS: DataSet = { key: 'no rows', family: 'no rows', async *read() {} };

/** Returns the set of several lists, for a plan. */
export function setOfLists(lists: readonly DataSet[]): DataSet {
  // A filter selects rows while they arrive, so their size is not known before.
  const known = lists.filter(({ filter }) => filter === undefined);
  const sum = (name: 'rows' | 'bytes') => known.reduce((total, list) => total + (list[name] ?? 0), 0);
  return {
    key: JSON.stringify(lists.map(({ key }) => key)),
    family: JSON.stringify(lists.map(({ family }) => family)),
    rows: sum('rows'),
    bytes: sum('bytes'),
    lists,
    async *read() {},
  };
}

const number = new Intl.NumberFormat('en');

/** Refuses a set of rows that is too large to load, before it is read. @throws AppError query-too-complex */
export function refuseTooManyRows({ rows = 0, bytes = 0, filter }: DataSet): void {
  if (bytes <= MAX_LOADED_BYTES || filter) return;
  const most = Math.max(1, Math.floor(MAX_LOADED_BYTES / (bytes / Math.max(1, rows))));
  throw new AppError(
    'query-too-complex',
    `The query needs whole records, and there are ${number.format(rows)} of them. It may have about ` +
      `${number.format(most)}. Add a filter, for example $[created_at > "2026-01-01"], or name the fields that it needs.`,
  );
}
