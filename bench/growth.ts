/**
 * `node bench/growth.ts [sizes] [--accounts N] [--check] [--chart FILE]`: pages of all templates over 10,000, 100,000 and 1,000,000
 * records of 1 KB, one user and one entity at a time, on the embedded server. Prints milliseconds by template and size:
 * the first page after a change of the records, the first page again, and of lists the middle and the last page; beside
 * them DuckDB's time for the same aggregate over the same rows, where it is installed (`npm ci --prefix bench`).
 */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { makeTemporaryFolder } from '../packages/server/test-support/temporary-folder.ts';
import { Client, startTestServer } from '../packages/server/test-support/test-server.ts';
import { type Curve, chartOf } from './growth/chart.ts';
import { DUCKDB_QUERIES, IMAP_MESSAGES, insertOf, MESSAGES, PULLS, type RowSource } from './growth/rows.ts';
import { peakMemory } from './memory-of.ts';
import { percentile } from './percentile.ts';

const args = process.argv.slice(2);
const isCheck = args.includes('--check');
const chartFile = args.includes('--chart') ? args[args.indexOf('--chart') + 1] : undefined;
/** Accounts of each provider, among which the records are divided. */
const ACCOUNTS = args.includes('--accounts') ? Number(args[args.indexOf('--accounts') + 1]) : 1;
const SIZES = (args[0]?.match(/^\d/) ? args[0] : '10000,100000,1000000').split(',').map(Number);
const ROUNDS = 5;
const PAGE = 20;
/** Goals, ms. */
const GOALS = {
  warm: 20,
  coldList: 30,
  middle: 150,
  last: 20,
  aggregate: (records: number) => (records > 100_000 ? 1500 : 150),
} as const;

interface Measured {
  template: string;
  isOfRecords: boolean;
  records: number;
  first: number;
  warm: number;
  middle: number | undefined;
  last: number | undefined;
}

const server = await startTestServer({}, { hasOwnPostgres: true });
const pool: pg.Pool = server.product.context.db.$client;
const ada = await new Client(server).signIn('ada.nowak@sandbox.example');
await ada.connect('google', 'ada.nowak@sandbox.example');
await ada.connect('github', 'ada-nowak');

const median = (times: readonly number[]) => percentile(times, 0.5);

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

/** Condition in SQL that the record `i` is of the account `c`, whose number is its title. */
const IS_OF_ACCOUNT = `coalesce(nullif(c.title, ''), '0')::int = i % ${ACCOUNTS}`;

/** Fills the table up to so many records, as a sync leaves it: counted, with statistics and visibility. */
async function fill(source: RowSource, from: number, to: number): Promise<void> {
  const step = 50_000;
  for (let first = from + 1; first <= to; first += step)
    await pool.query(insertOf(source, IS_OF_ACCOUNT), [first, Math.min(to, first + step - 1)]);
  await change(source, to);
  await pool.query(`vacuum (analyze) ${source.table}`);
}

/** Increments the data version like a sync, which invalidates the caches. */
async function change({ provider, entity, extraction }: RowSource, records: number): Promise<void> {
  await pool.query(
    `insert into record_versions (user_id, connection_id, entity, version, records, extraction)
    select user_id, id, $2, 1, $3, $4 from connections where provider = $1
    on conflict (user_id, connection_id, entity) do update set version = record_versions.version + 1, records = excluded.records`,
    [provider, entity, records / ACCOUNTS, extraction],
  );
}

function readPage(entity: string, template: string, page: number): Promise<{ count: number }> {
  return ada.get<{ count: number }>(
    `/api/integrations/entities/aggregation/${entity}/${template}?page=${page}`,
  );
}

async function warmed(entity: string, template: string, page: number): Promise<number> {
  await readPage(entity, template, page);
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++)
    times.push(await timed(() => readPage(entity, template, page)));
  return median(times);
}

async function measure(source: RowSource, records: number): Promise<Measured[]> {
  const { provider, entity } = source;
  const templates = await ada.get<{ templateKey: string; isOfRecords: boolean }[]>(
    `/api/integrations/entities/templates/${provider}/${entity}`,
  );
  const found: Measured[] = [];
  for (const { templateKey: template, isOfRecords } of templates) {
    const firsts: number[] = [];
    for (let round = 0; round < 3; round++) {
      await change(source, records);
      firsts.push(await timed(() => readPage(entity, template, 1)));
    }
    const pages = Math.ceil(records / PAGE);
    found.push({
      template,
      isOfRecords,
      records,
      first: median(firsts),
      warm: await warmed(entity, template, 1),
      middle: isOfRecords ? await warmed(entity, template, Math.ceil(pages / 2)) : undefined,
      last: isOfRecords ? await warmed(entity, template, pages) : undefined,
    });
  }
  return found;
}

/** DuckDB's times for the same aggregates, ms; undefined where it is not installed. */
async function duckDbTimes(): Promise<Map<string, number> | undefined> {
  // Not a dependency of the product: by a name that the type checker does not resolve.
  const name: string = '@duckdb/node-api';
  const duckdb = await import(name).catch(() => undefined);
  if (!duckdb) return undefined;
  const folder = makeTemporaryFolder('datadeck-duckdb-');
  const file = join(folder, 'pulls.json');
  const { rows } = await pool.query<{ row: string }>(
    `select json_build_object('author', author, 'state', state, 'draft', draft, 'repository', repository, 'labels', labels,
      'created_at', created_at at time zone 'UTC', 'merged_at', merged_at at time zone 'UTC')::text as row from gh_pulls`,
  );
  writeFileSync(file, rows.map(({ row }) => row).join('\n'));
  const instance = await duckdb.DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  await connection.run(
    `create table pulls as select * replace (created_at::timestamp as created_at, merged_at::timestamp as merged_at) from read_json('${file}')`,
  );
  rmSync(folder, { recursive: true });
  const times = new Map<string, number>();
  for (const [template, query] of Object.entries(DUCKDB_QUERIES)) {
    const rounds: number[] = [];
    for (let round = 0; round < ROUNDS; round++)
      rounds.push(await timed(async () => (await connection.runAndReadAll(query)).getRowObjects()));
    times.set(template, median(rounds));
  }
  return times;
}

function missed(one: Measured, smallest: Measured | undefined): string[] {
  const { records, isOfRecords, first, warm, middle = 0, last = 0 } = one;
  const goals: [string, number, number][] = [
    ['first page again', warm, GOALS.warm],
    ['first page again beside that of the smallest', warm, Math.max(1.5 * (smallest?.warm ?? warm), 5)],
    ['first page after a change', first, isOfRecords ? GOALS.coldList : GOALS.aggregate(records)],
    ['middle page', middle, GOALS.middle],
    ['last page', last, GOALS.last],
  ];
  return goals.flatMap(([name, ms, goal]) =>
    ms > goal
      ? [`${one.template}, ${records} records: ${name} ${ms.toFixed(1)} ms, goal ${goal.toFixed(1)}`]
      : [],
  );
}

/** Expressions over all records; the last one is a view that filters. */
const EXPRESSIONS = [
  '$count($)',
  '$sum(additions)',
  '$distinct(user.login)',
  '$[state="open"]^(>additions)[[0..9]]',
  '$[deletions > 290]',
];
const EXPRESSION_GOALS = { firstMs: 6000, secondMs: 20, memoryMb: 600 } as const;

/** Times expressions over all pull requests, live and as views. @returns which goals were missed */
async function measureExpressions(records: number): Promise<string[]> {
  const entity = { providerId: 'github', entityLabel: 'gh-pulls', templateKey: 'pulls-all' };
  const problems: string[] = [];
  for (const [index, jsonNataQuery] of EXPRESSIONS.entries()) {
    const title = `Expression ${records} ${index}`;
    const view = await ada.post<{ _id: string }>('/api/data/views', {
      ...{ ...entity, title, description: title, jsonNataQuery },
    });
    const read = (page: number) => timed(() => ada.get(`/api/data/views/aggregate/${view._id}?page=${page}`));
    const first = await read(1);
    const second = await read(2);
    const memory = peakMemory(server.product.context.evaluation.pids);
    console.log(
      `${jsonNataQuery.padEnd(40)} first ${first.toFixed(0).padStart(6)} ms, page 2 ${second.toFixed(1)} ms, peak ${memory.toFixed(0)} MB`,
    );
    const { firstMs, secondMs, memoryMb } = EXPRESSION_GOALS;
    if (first > firstMs || second > secondMs || memory > memoryMb)
      problems.push(
        `${jsonNataQuery} over ${records} records: ${first.toFixed(0)} ms, ${second.toFixed(1)} ms, ${memory.toFixed(0)} MB`,
      );
  }
  return problems;
}

const shown = (ms: number | undefined) => (ms === undefined ? '' : ms.toFixed(1)).padStart(9);

/** Adds a connection for the IMAP messages, whose server the benchmark does not need. */
async function connectImap(): Promise<void> {
  const { rows } = await pool.query<{ user_id: string }>('select user_id from connections limit 1');
  await pool.query(
    `insert into connections (user_id, id, provider, subject, account, status, is_shown)
     values ($1, gen_random_uuid(), 'imap', 'bench', 'bench', 'connected', true)`,
    [rows[0]?.user_id],
  );
}

const COLUMN_TITLES = ['changed', 'again', 'middle', 'last', 'DuckDB', 'ratio'];

function printHead(source: RowSource, records: number): void {
  console.log(`\n${source.entity}, ${records.toLocaleString('en')} records (ms)`);
  console.log('template'.padEnd(28) + COLUMN_TITLES.map((name) => name.padStart(9)).join(''));
}

/** Prints the row of a template. @param reference DuckDB's time, ms */
function printRow(one: Measured, reference: number | undefined): void {
  const ratio = reference && one.first / reference;
  const cells = [one.first, one.warm, one.middle, one.last, reference, ratio];
  console.log(one.template.padEnd(28) + cells.map(shown).join(''));
}

/** Measures the templates and expressions at every size. @returns the times, and which goals were missed */
async function measureGrowth(source: RowSource): Promise<{ measured: Measured[]; problems: string[] }> {
  const measured: Measured[] = [];
  const problems: string[] = [];
  let filled = 0;
  for (const records of SIZES) {
    await fill(source, filled, records);
    filled = records;
    const ofSize = await measure(source, records);
    measured.push(...ofSize);
    const duckdb = source === PULLS ? await duckDbTimes() : undefined;
    printHead(source, records);
    if (source === PULLS) problems.push(...(await measureExpressions(records)));
    for (const one of ofSize) {
      const reference = duckdb?.get(one.template);
      printRow(one, reference);
      const smallest = measured.find(({ template }) => template === one.template);
      problems.push(...missed(one, smallest));
      if (reference && one.first > 5 * reference)
        problems.push(
          `${one.template}, ${records} records: ${(one.first / reference).toFixed(1)} times DuckDB, goal 5`,
        );
    }
  }
  await pool.query(`truncate ${source.table}`);
  return { measured, problems };
}

/** Adds the further accounts of each provider. */
async function addAccounts(): Promise<void> {
  await pool.query(
    `insert into connections (user_id, id, provider, subject, account, title, status, is_shown)
     select user_id, gen_random_uuid(), provider, 'bench-' || n, 'bench-' || n, n::text, 'connected', true
     from connections, generate_series(1, $1::int - 1) n`,
    [ACCOUNTS],
  );
}

async function main(): Promise<void> {
  await connectImap();
  await addAccounts();
  const problems: string[] = [];
  const all: Measured[] = [];
  for (const source of [PULLS, MESSAGES, IMAP_MESSAGES]) {
    const growth = await measureGrowth(source);
    all.push(...growth.measured);
    problems.push(...growth.problems);
  }
  if (chartFile) writeFileSync(chartFile, chartOf('First page after a change', curvesOf(all)));
  for (const problem of problems) console.log(`missed: ${problem}`);
  if (isCheck && problems.length > 0) process.exitCode = 1;
}

function curvesOf(all: readonly Measured[]): Curve[] {
  return [...new Set(all.map(({ template }) => template))].map((name) => ({
    name,
    points: all.flatMap(({ template, records, first }) =>
      template === name ? [[records, first] as const] : [],
    ),
  }));
}

try {
  await main();
} finally {
  await server.remove();
}
