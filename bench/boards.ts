/**
 * `node bench/boards.ts [--count N] [--check]`: a board of 12 tiles (charts, tables, lists and a search) over 100,000 pull requests of
 * one person. Prints how long it takes until all tiles are there: warm, and cold after a change of the records, alone and while
 * 50 persons with 2,000 records each open theirs at once, and the p99 of a plain request of somebody else while they do. The reference, in
 * the same minute, reads the same groups by PostgreSQL alone, one query after another.
 *
 * Goals (`--check`) at 100,000 records: warm 1 s, cold 3 s, 50 at once warm 1 s; plain requests 250 ms (p99).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Tile } from '../packages/contract/src/index.ts';
import { openSession } from '../packages/server/src/features/accounts/index.ts';
import { Client, startTestServer } from '../packages/server/test-support/test-server.ts';
import { addAccounts } from './accounts/generate.ts';
import { insertOf, PULLS } from './growth/rows.ts';
import { percentile } from './percentile.ts';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '100000' },
    people: { type: 'string', default: '50' },
    check: { type: 'boolean', default: false },
  },
});
const COUNT = Number(values.count);
const PEOPLE = Number(values.people);
const RECORDS_OF_OTHERS = 2000;
const ROUNDS = 5;
/** Insertions of rows at a time. */
const STEP = 50_000;
const GOALS = { warmMs: 1000, coldMs: 3000, requestMs: 250 } as const;

/** The views of the board: a template, an expression, and how the tile shows it. */
const VIEWS: readonly [template: string, expression: string, picture: 'chart' | 'table' | 'list'][] = [
  ['pulls-by-state', '$', 'chart'],
  ['pulls-by-author', '$', 'chart'],
  ['pulls-by-month', '$', 'chart'],
  ['pulls-time-to-merge', '$', 'chart'],
  ['pulls-by-label', '$', 'chart'],
  ['pulls-review-requests', '$', 'table'],
  ['pulls-open-by-age', '$', 'table'],
  ['pulls-all', '$count($[state = "open"])', 'chart'],
  ['pulls-all', '$[draft].{"number": number, "title": title}', 'list'],
  ['pulls-by-author', '$[open > 3]^(>open)', 'table'],
  ['pulls-all', '$', 'table'],
];
/** The groups of the charts by SQL. */
const REFERENCE = [
  'select state, count(*) from gh_pulls where user_id = $1 group by state',
  'select author, count(*) from gh_pulls where user_id = $1 group by author',
  "select date_trunc('month', occurred_at), count(*) from gh_pulls where user_id = $1 group by 1",
  "select date_trunc('month', merged_at), percentile_cont(0.5) within group (order by merged_at - occurred_at) from gh_pulls where user_id = $1 group by 1",
  'select label, count(*) from gh_pulls, unnest(labels) label where user_id = $1 group by label',
  'select reviewer, count(*) from gh_pulls, unnest(reviewers) reviewer where user_id = $1 group by reviewer',
];

const server = await startTestServer({}, { hasOwnPostgres: true });
const database = server.product.context.db.$client;

interface Person {
  client: Client;
  userId: string;
  tiles: readonly Tile[];
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Increments the data version like a sync, which invalidates the caches. */
async function change(userId: string, count: number): Promise<void> {
  await database.query(
    `insert into record_versions (user_id, connection_id, entity, version, records, extraction)
    select user_id, id, 'gh-pulls', 1, $1, $2 from connections where provider = 'github' and user_id = $3
    on conflict (user_id, connection_id, entity) do update set version = record_versions.version + 1`,
    [count, PULLS.extraction, userId],
  );
}

/** Opens a session for an account, stores its records and makes the board. */
async function preparePerson(userId: string, place: number, count: number): Promise<Person> {
  const client = new Client(server, `10.1.${place >> 8}.${place & 255}`);
  client.token = await openSession(server.product.context.db, userId);
  for (let from = 1; from <= count; from += STEP)
    await database.query(insertOf(PULLS, `c.user_id = '${userId}'`), [
      from,
      Math.min(count, from + STEP - 1),
    ]);
  await change(userId, count);
  const tiles: Tile[] = [{ id: 'search', kind: 'search', width: 6, height: 4, search: 'change', title: '' }];
  for (const [index, [templateKey, jsonNataQuery, picture]] of VIEWS.entries()) {
    const { _id } = await client.post<{ _id: string }>('/api/data/views', {
      title: `Tile ${index}`,
      description: 'For the bench.',
      providerId: 'github',
      entityLabel: 'gh-pulls',
      templateKey,
      jsonNataQuery,
    });
    tiles.push({ id: `t${index}`, kind: 'view', width: 6, height: 4, viewId: _id, picture, title: '' });
  }
  await client.post('/api/data/boards', { title: 'Bench', tiles });
  return { client, userId, tiles };
}

/** How often the page asks a busy server before a tile says so, as in `request-when-free.ts`. */
const TRIES = 8;
/** Tiles that said that the server is busy. */
let refusedTiles = 0;
/** Tiles that said that their query needs more records than it may have. */
const largeTiles = new Set<string>();

/** Reads like the page, which asks a busy server again after the seconds that it names, and up to as many more. */
async function readWhenFree(client: Client, method: string, path: string, body?: object): Promise<void> {
  for (let tries = 1; tries <= TRIES; tries++) {
    const response = await client.call(method, path, body);
    const text = await response.text();
    if (response.ok) return;
    const { error } = JSON.parse(text) as { error: { code: string; retryAfter?: number } };
    if (error.code === 'query-too-complex' && COUNT > 100_000) return void largeTiles.add(path);
    if (error.code !== 'rate-limited') throw new Error(`${path}: ${text}`);
    await sleep((error.retryAfter ?? 1) * 1000 * (1 + Math.random()));
  }
  refusedTiles++;
}

/** Reads what the page reads: the board with the views, and then all tiles at once. */
async function openBoard({ client, tiles }: Person): Promise<void> {
  await Promise.all([client.get('/api/data/boards'), client.get('/api/data/views/all?page=1')]);
  await Promise.all(
    tiles.map((tile) => {
      if (tile.kind === 'search')
        return readWhenFree(client, 'GET', '/api/data/search?q=change&order=newest&page=1');
      if (tile.kind === 'text') return undefined;
      const { viewId, picture } = tile;
      return picture === 'chart'
        ? readWhenFree(client, 'POST', `/api/data/views/chart/${viewId}`, { timeZone: 'UTC' })
        : readWhenFree(client, 'GET', `/api/data/views/aggregate/${viewId}?page=1`);
    }),
  );
}

/** Sends plain requests of somebody else until the task ends. @returns their times, ms */
async function probing(client: Client, task: Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  let isOver = false;
  const end = task.finally(() => (isOver = true));
  while (!isOver) {
    times.push(await timed(() => client.get('/api/integrations/entities')));
    await sleep(10);
  }
  await end;
  return times;
}

function report(what: string, times: readonly number[], goal?: number): boolean {
  const [p50, p95] = [0.5, 0.95].map((share) => percentile(times, share));
  const isMissed = goal !== undefined && COUNT <= 100_000 && (p50 ?? 0) > goal;
  const goalText = goal === undefined ? '' : `  goal ${goal}${isMissed ? ' missed' : ''}`;
  console.log(`${what.padEnd(44)}${p50?.toFixed(0).padStart(8)}${p95?.toFixed(0).padStart(8)}${goalText}`);
  return isMissed;
}

async function main(): Promise<void> {
  await addAccounts(database, PEOPLE + 2);
  const { rows: users } = await database.query<{ id: string }>('select id from users order by id');
  const people: Person[] = [];
  for (const [place, { id }] of users.entries()) {
    const count = place === 0 ? COUNT : RECORDS_OF_OTHERS;
    people.push(await preparePerson(id, place, count));
  }
  const [one, watcher, ...others] = people as [Person, Person, ...Person[]];
  await database.query(`vacuum (analyze) ${PULLS.table}`);
  console.log(`${COUNT} pull requests, all 12 tiles of a board, ms${''.padEnd(8)}median     p95`);
  const times = { cold: [] as number[], warm: [] as number[], sql: [] as number[] };
  await openBoard(one);
  for (let round = 0; round < ROUNDS; round++) {
    times.sql.push(
      await timed(async () => {
        for (const query of REFERENCE) await database.query(query, [one.userId]);
      }),
    );
    await change(one.userId, COUNT);
    times.cold.push(await timed(() => openBoard(one)));
    times.warm.push(await timed(() => openBoard(one)));
  }
  const missed = [
    report('reference: six of the groups by SQL', times.sql),
    report('cold, after a change', times.cold, GOALS.coldMs),
    report('warm', times.warm, GOALS.warmMs),
  ];
  const together = async (isCold: boolean) => {
    if (isCold) for (const { userId } of others) await change(userId, RECORDS_OF_OTHERS);
    const each: number[] = [];
    const requests = await probing(
      watcher.client,
      Promise.all(others.map(async (person) => each.push(await timed(() => openBoard(person))))),
    );
    return { each, requests };
  };
  await together(true);
  const [cold, warm] = [await together(true), await together(false)];
  missed.push(
    report(`${PEOPLE} at once, cold`, cold.each),
    report(`${PEOPLE} at once, warm`, warm.each, GOALS.warmMs),
  );
  console.log(`tiles that gave up, of ${PEOPLE * 12 * 3}: ${refusedTiles}, goal 0`);
  const requests = percentile([...cold.requests, ...warm.requests], 0.99);
  console.log(`plain requests of somebody else, p99: ${requests.toFixed(0)} ms, goal ${GOALS.requestMs}`);
  if (values.check && (missed.includes(true) || refusedTiles > 0 || requests > GOALS.requestMs))
    process.exitCode = 1;
}

try {
  await main();
} finally {
  await server.remove();
}
