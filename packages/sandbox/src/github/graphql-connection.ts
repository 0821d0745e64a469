import { FieldError } from './graphql-error.ts';

/** The arguments of a connection. */
export interface PageArguments {
  first?: number | null;
  last?: number | null;
  after?: string | null;
  before?: string | null;
}

/** The order of the records of a connection: by a number, and by id among equal ones. */
export interface ConnectionOrder<Row> {
  value(row: Row): number;
  isDescending: boolean;
}

const MAX_RECORDS = 100;

/**
 * Returns a page of records that are in the connection's order. A cursor is a place in this order, so a page continues after
 * it although records have moved or are gone since. @throws FieldError for a missing or too large size, or a wrong cursor
 */
export function connection<Row extends { id: number }, Node>(
  name: string,
  rows: readonly Row[],
  order: ConnectionOrder<Row>,
  page: PageArguments,
  nodeOf: (row: Row) => Node,
): Record<string, unknown> {
  requireSize(name, page);
  const compare = (row: Row, place: Place) => {
    const difference = order.value(row) - place[0] || row.id - place[1];
    return order.isDescending ? -difference : difference;
  };
  const after = page.after ? placeOf(page.after) : undefined;
  const before = page.before ? placeOf(page.before) : undefined;
  const start = after ? firstIndex(rows, (row) => compare(row, after) > 0) : 0;
  const end = before ? firstIndex(rows, (row) => compare(row, before) >= 0) : rows.length;
  const from = page.first == null ? Math.max(start, end - (page.last ?? 0)) : start;
  const to = page.first == null ? end : Math.min(end, start + page.first);
  const shown = rows.slice(from, to);
  const cursorOf = (row: Row | undefined) => (row ? cursorAt([order.value(row), row.id]) : null);
  return {
    totalCount: rows.length,
    pageInfo: {
      hasNextPage: to < rows.length,
      hasPreviousPage: from > 0,
      startCursor: cursorOf(shown[0]),
      endCursor: cursorOf(shown.at(-1)),
    },
    nodes: () => shown.map(nodeOf),
    edges: () => shown.map((row) => ({ cursor: cursorOf(row), node: nodeOf(row) })),
  };
}

function requireSize(name: string, { first, last }: PageArguments): void {
  const [kind, size] = first == null ? (['last', last] as const) : (['first', first] as const);
  if (size == null)
    throw new FieldError(
      'MISSING_PAGINATION_BOUNDARIES',
      `You must provide a \`first\` or \`last\` value to properly paginate the \`${name}\` connection.`,
    );
  if (size < 0)
    throw new FieldError(
      'UNPROCESSABLE',
      `\`${kind}\` on the \`${name}\` connection cannot be less than zero.`,
    );
  if (size > MAX_RECORDS)
    throw new FieldError(
      'EXCESSIVE_PAGINATION',
      `Requesting ${size} records on the \`${name}\` connection exceeds the \`${kind}\` limit of ${MAX_RECORDS} records.`,
    );
}

/** Returns the first index of ordered rows at which `fits` is true; their number if there is none. */
function firstIndex<Row>(rows: readonly Row[], fits: (row: Row) => boolean): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const row = rows[middle];
    if (row !== undefined && fits(row)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The value and the id of a record. */
type Place = readonly [number, number];

const PREFIX = 'cursor:v2:';

function cursorAt(place: Place): string {
  return Buffer.from(PREFIX + JSON.stringify(place)).toString('base64');
}

function placeOf(cursor: string): Place {
  const text = Buffer.from(cursor, 'base64').toString('utf8');
  const [, value, id] = /^cursor:v2:\[(-?\d+),(\d+)\]$/.exec(text) ?? [];
  if (value === undefined || id === undefined)
    throw new FieldError('INVALID_CURSOR_ARGUMENTS', `\`${cursor}\` does not appear to be a valid cursor.`);
  return [Number(value), Number(id)];
}
