/**
 * `node bench/sorting.ts [--count N] [--check]`: sorts 100,000 pull requests of one user by each header of a table, as a click on
 * it does, in both directions: rows of a template, of a view of all rows, and of a view that computes its rows. Prints p50 and p95 of
 * the first page beside a reference: the same `order by … limit 20` by `pg` alone, and for computed rows `toSorted` of Node over
 * parsed rows. `--check` fails when a p95 is over 300 ms.
 */
import { parseArgs } from 'node:util';
import { Client, startTestServer } from '../packages/server/test-support/test-server.ts';
import { insertOf, PULLS } from './growth/rows.ts';
import { percentile } from './percentile.ts';

const { values } = parseArgs({
  options: { count: { type: 'string', default: '100000' }, check: { type: 'boolean', default: false } },
});
const COUNT = Number(values.count);
/** Goal of the p95 of a first page, ms. */
const GOAL_MS = 300;
const ROUNDS = 5;
const PAGE = 20;
const WARM_UP = 'number';
/** Headers, each with the expression of PostgreSQL that sorts by it: columns of the table and fields of the document alone. */
const HEADERS: Readonly<Record<string, string>> = {
  number: 'number',
  title: 'title',
  state: 'state',
  draft: 'draft',
  created_at: 'created_at',
  additions: 'additions',
  body: "data->>'body'",
};
/** The fields of the computed rows. */
const COMPUTED = '$.{"number": number, "title": title, "state": state, "size": additions + deletions}';
const COMPUTED_HEADERS = ['number', 'title', 'state', 'size'] as const;

interface Page {
  results: Record<string, unknown>[];
  count: number;
}

/** One kind of rows, and how its reference sorts them. */
interface Sorted {
  name: string;
  headers: readonly string[];
  path: string;
  reference: (header: string, isDescending: boolean) => Promise<unknown[]>;
}

const server = await startTestServer({}, { hasOwnPostgres: true });
const database = server.product.context.db.$client;

async function fill(): Promise<void> {
  await database.query(insertOf(PULLS), [1, COUNT]);
  await change();
  await database.query(`vacuum (analyze) ${PULLS.table}`);
}

/** Increments the data version like a sync, which invalidates the caches. */
async function change(): Promise<void> {
  await database.query(
    `insert into record_versions (user_id, connection_id, entity, version, records, extraction)
    select user_id, id, 'gh-pulls', 1, $1, $2 from connections where provider = 'github'
    on conflict (user_id, connection_id, entity) do update set version = record_versions.version + 1`,
    [COUNT, PULLS.extraction],
  );
}

async function timed<T>(work: () => Promise<T>): Promise<[ms: number, result: T]> {
  const start = performance.now();
  const result = await work();
  return [performance.now() - start, result];
}

/** Sorts by PostgreSQL alone. */
async function sortBySql(header: string, isDescending: boolean): Promise<unknown[]> {
  const order = `${HEADERS[header]} ${isDescending ? 'desc' : 'asc'} nulls last`;
  return (await database.query(`select data from ${PULLS.table} order by ${order} limit ${PAGE}`)).rows;
}

type ComputedRow = Record<(typeof COMPUTED_HEADERS)[number], string | number>;

/** Returns a function that sorts computed rows, which are in memory, by Node. */
async function sorterByNode(): Promise<Sorted['reference']> {
  const { rows } = await database.query<ComputedRow>(
    `select number, title, state, additions + deletions as size from ${PULLS.table}`,
  );
  return async (header, isDescending) => {
    const sign = isDescending ? -1 : 1;
    const key = header as keyof ComputedRow;
    return rows.toSorted((a, b) => (a[key] < b[key] ? -sign : a[key] > b[key] ? sign : 0)).slice(0, PAGE);
  };
}

/** Fails if the first page is not in order. */
function checkOrder({ results, count }: Page, header: string, isDescending: boolean): void {
  if (count !== COUNT || results.length !== PAGE) throw new Error(`${header}: ${count} rows`);
  const keys = results.map((row) => row[header] as string | number | boolean);
  const isSorted = keys.every((key, index) => {
    const before = keys[index - 1] ?? key;
    return isDescending ? before >= key : before <= key;
  });
  if (!isSorted) throw new Error(`The rows are not in order of ${header}: ${keys.join(', ')}`);
}

/** Measures each header in both directions, each after a page in the rows' own order, as a person sees it before the click. */
async function measure(client: Client, { name, headers, path, reference }: Sorted): Promise<number> {
  const [own, alone]: [number[], number[]] = [[], []];
  const readSorted = (sort: string) => client.get<Page>(`${path}?page=1&sort=${sort}`);
  await readSorted(WARM_UP);
  for (let round = 0; round < ROUNDS; round++) {
    await change();
    await client.get<Page>(`${path}?page=1`);
    for (const header of headers)
      for (const isDescending of [false, true]) {
        const [ms, page] = await timed(() => readSorted(isDescending ? `-${header}` : header));
        checkOrder(page, header, isDescending);
        own.push(ms);
        alone.push((await timed(() => reference(header, isDescending)))[0]);
      }
  }
  const shown = (times: readonly number[]) =>
    [0.5, 0.95].map((share) => percentile(times, share).toFixed(0).padStart(8)).join('');
  console.log(`${name.padEnd(28)}${shown(own)}${shown(alone)}`);
  return percentile(own, 0.95);
}

async function main(): Promise<void> {
  const client = await new Client(server).signIn('ada.nowak@sandbox.example');
  await client.connect('github', 'ada-nowak');
  await fill();
  const viewOf = async (jsonNataQuery: string) => {
    const view = { title: 'Sorted', description: 'Sorted', providerId: 'github', entityLabel: 'gh-pulls' };
    const { _id } = await client.post<{ _id: string }>('/api/data/views', {
      ...{ ...view, jsonNataQuery, templateKey: 'pulls-all' },
    });
    return `/api/data/views/aggregate/${_id}`;
  };
  const template = '/api/integrations/entities/aggregation/gh-pulls/pulls-all';
  const headers = Object.keys(HEADERS);
  const kinds: Sorted[] = [
    { name: 'rows of a template', headers, path: template, reference: sortBySql },
    { name: 'a view of all rows', headers, path: await viewOf('$'), reference: sortBySql },
    {
      name: 'a view of computed rows',
      headers: COMPUTED_HEADERS,
      path: await viewOf(COMPUTED),
      reference: await sorterByNode(),
    },
  ];
  console.log(`${COUNT} pull requests, first page after a click on a header, ms; goal: p95 ${GOAL_MS} ms`);
  console.log(`${''.padEnd(28)}     p50     p95     reference p50, p95`);
  const slow: string[] = [];
  for (const kind of kinds) if ((await measure(client, kind)) > GOAL_MS) slow.push(kind.name);
  if (slow.length === 0) return;
  console.log(`slower than the goal: ${slow.join(', ')}`);
  if (values.check) process.exitCode = 1;
}

try {
  await main();
} finally {
  await server.remove();
}
