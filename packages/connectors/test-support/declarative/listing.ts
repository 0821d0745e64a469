import { type Item, timeIn } from './items.ts';
import type { ServiceShape } from './shape.ts';

/** What a request asks for, by names without dots: `after` of the query and `page.after` of the body are one. */
export type Parameters = ReadonlyMap<string, string>;

/** One page of a list. */
export interface ListPage<Row> {
  rows: Row[];
  /** Number of all rows. */
  total: number;
  /** Parameter and value of the next page; null at the end. */
  next: { name: string; value: string } | null;
}

/** Where a row is in its list; rows of a higher rank come first. */
type Ranked<Row> = { row: Row; rank: number; number: number };

/** Returns the items since the time (ISO, or seconds since 1970) or number that a request names. */
export function changedItems(items: readonly Item[], given: Parameters): Item[] {
  const since = given.get('since');
  const from = given.get('from');
  if (from !== undefined) return items.filter(({ revision }) => revision >= Number(from));
  if (since === undefined) return [...items];
  const time = /^\d+$/.test(since) ? Number(since) * 1000 : Date.parse(since);
  if (Number.isNaN(time)) throw new Error(`no time: ${since}`);
  return items.filter(({ updated }) => Date.parse(updated) >= time);
}

/** Returns the items with their ranks in an order; an unsorted list has the same wild order each time. */
export function rankItems(items: readonly Item[], order: ServiceShape['order']): Ranked<Item>[] {
  const rankOf = (item: Item) => (order === 'unsorted' ? (item.number * 7919) % 1009 : timeIn(order, item));
  return items.map((row) => ({ row, rank: rankOf(row), number: row.number }));
}

const cursorOf = ({ rank, number }: Ranked<unknown>) =>
  Buffer.from(JSON.stringify([rank, number])).toString('base64');

/** Returns the page of a list that a request asks for. */
export function pageOf<Row>(
  ranked: readonly Ranked<Row>[],
  pagination: ServiceShape['pagination'],
  given: Parameters,
): ListPage<Row> {
  const list = ranked.toSorted((a, b) => b.rank - a.rank || b.number - a.number);
  const total = list.length;
  const rowsFrom = (start: number, end?: number) => list.slice(start, end).map(({ row }) => row);
  if (pagination === 'none') return { rows: rowsFrom(0), total, next: null };
  const limit = Number(given.get('limit'));
  if (!(limit > 0)) throw new Error('the request has no limit');
  let start = 0;
  let nextOf = (end: number) => ({ name: 'offset', value: String(end) });
  if (pagination === 'offset') start = Number(given.get('offset') ?? 0);
  else if (pagination === 'page-from-0' || pagination === 'page-from-1' || pagination === 'link') {
    const first = pagination === 'page-from-0' ? 0 : 1;
    const page = Number(given.get('page') ?? first);
    start = (page - first) * limit;
    nextOf = () => ({ name: 'page', value: String(page + 1) });
  } else {
    const after = given.get('after');
    const [rank, number] = after ? JSON.parse(Buffer.from(after, 'base64').toString()) : [];
    const isAfter = (one: Ranked<Row>) => one.rank < rank || (one.rank === rank && one.number < number);
    const found = after ? list.findIndex(isAfter) : 0;
    start = found < 0 ? total : found;
    nextOf = (end) => ({ name: 'after', value: cursorOf(list[end - 1] as Ranked<Row>) });
  }
  const end = start + limit;
  return { rows: rowsFrom(start, end), total, next: end < total ? nextOf(end) : null };
}
