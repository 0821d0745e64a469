/**
 * `node bench/joins.ts [records] [--keys] [--check]`: equality joins of two lists of 100,000 records by JSONata's operators, beside
 * DuckDB, which reads the same files of NDJSON and writes the same rows (`npm ci --prefix bench`). Compares the rows one by
 * one, and evaluates each as a view of two bases to its first page. Then prints how many pairs a join without an equality compares in a millisecond, from which the refusal of slow
 * joins follows, and the time of views that select the records of a list by keys. `--keys`: these views alone. `--check` fails beyond 10 times DuckDB's time, 600 MB, a different row, or fewer pairs than `PAIRS_PER_MS`.
 */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, createWriteStream, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { compile, PAIRS_PER_MS } from '../packages/jsonata/src/index.ts';
import { Evaluations, setOfLists } from '../packages/server/src/platform/evaluation/index.ts';
import { makeTemporaryFolder } from '../packages/server/test-support/temporary-folder.ts';
import { measurePushedKeys } from './joins/pushed-keys.ts';
import { peakMemory } from './memory-of.ts';

const args = process.argv.slice(2);
const RECORDS = Number(args.find((arg) => !arg.startsWith('-')) ?? 100_000);
const ROUNDS = 3;
const MOST = { ratio: 10, mb: 600 } as const;

interface Query {
  expression: string;
  /** The same rows in SQL over the tables `commits` and `mails`. */
  sql: string;
}

const FIELDS = '{"sha": $c.sha, "subject": $m.subject, "at": $m.at}';
const SELECTED = 'c.sha as sha, m.subject as subject, m.at as at';

const QUERIES: readonly Query[] = [
  {
    expression: `$commits@$c.$mails@$m[$m.number = $c.number].${FIELDS}`,
    sql: `select ${SELECTED} from commits c join mails m on m.number = c.number`,
  },
  {
    expression: `$commits@$c.$mails@$m[$m.from.address = $c.author.email and $m.day = $c.day].${FIELDS}`,
    sql: `select ${SELECTED} from commits c join mails m on m."from".address = c.author.email and m.day = c.day`,
  },
  {
    expression: `($byNumber := $mails{$string(number): $}; $commits@$c.$lookup($byNumber, $string($c.number))@$m.${FIELDS})`,
    sql: `select ${SELECTED} from commits c join mails m on m.number = c.number`,
  },
  {
    expression: '$commits[$not(author.email in $mails.from.address)].{"sha": sha}',
    sql: 'select sha from commits where author.email not in (select "from".address from mails)',
  },
];

function hashOf(n: number): number {
  return Math.imul(n ^ (n >>> 15), 0x2c1b3c6d) >>> 0;
}

const commit = (n: number) => ({
  sha: hashOf(n).toString(16).padStart(40, 'a'),
  number: n,
  day: n % 366,
  author: { name: `Author ${n % 9000}`, email: `author${n % 9000}@example.org` },
  message: `Change ${n} of the module that retries requests, with a longer text about why`,
  additions: hashOf(n) % 2000,
});

const mail = (n: number) => ({
  id: `<${hashOf(n)}.${n}@mail.example.org>`,
  // Every number once, in another order.
  number: (n * 7919) % RECORDS,
  day: hashOf(n) % 366,
  from: { name: `Author ${n % 8000}`, address: `author${hashOf(n) % 8000}@example.org` },
  subject: `Re: Change ${n}`,
  at: new Date(1.7e12 + n * 60_000).toISOString(),
  snippet: 'Thank you, I have a question about the second file before this is merged',
});

async function write(path: string, rowOf: (n: number) => unknown): Promise<void> {
  const file = createWriteStream(path);
  for (let n = 0; n < RECORDS; n += 1000) {
    const text = Array.from({ length: 1000 }, (_, i) => `${JSON.stringify(rowOf(n + i))}\n`).join('');
    if (!file.write(text)) await once(file, 'drain');
  }
  file.end();
  await finished(file);
}

interface Files {
  commits: string;
  mails: string;
  output: string;
}

async function startDuckDb() {
  const name: string = '@duckdb/node-api';
  const duckdb = await import(name).catch(() => undefined);
  if (!duckdb) throw new Error('DuckDB is missing: npm ci --prefix bench');
  return (await duckdb.DuckDBInstance.create(':memory:')).connect() as Promise<{
    run(sql: string): Promise<unknown>;
  }>;
}

/** Reads both files, joins them and writes the rows. @returns the time, ms */
async function byDuckDb(sql: string, { commits, mails, output }: Files): Promise<number> {
  const connection = await startDuckDb();
  const begun = performance.now();
  const read = (path: string) => `read_json('${path}', format = 'newline_delimited')`;
  await connection.run(
    `copy (with commits as (from ${read(commits)}), mails as (from ${read(mails)}) ${sql}) to '${output}' (format json)`,
  );
  return performance.now() - begun;
}

interface EngineRun {
  ms: number;
  joinMs: number;
  rows: number;
  mb: number;
}

function byEngine(expression: string, { commits, mails, output }: Files): EngineRun {
  const script = join(import.meta.dirname, 'joins/run-engine.ts');
  const nodeArgs = ['--max-old-space-size=512', script, expression, commits, mails, output];
  return JSON.parse(execFileSync(process.execPath, nodeArgs, { encoding: 'utf8' })) as EngineRun;
}

/** Returns the lines of a file in the order of their text, with the members in the order of `sha`, `subject`, `at`. */
function sortedLines(path: string): string[] {
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean);
  return lines
    .map((line) => {
      const { sha, subject, at } = JSON.parse(line) as Record<string, string | undefined>;
      return JSON.stringify([sha, subject, at === undefined ? at : new Date(at).getTime()]);
    })
    .sort();
}

/** Evaluates a query as a view of two bases, in an evaluating process of the product. */
async function asView(
  expression: string,
  { commits, mails }: Files,
): Promise<{ ms: number; rows: number; mb: number }> {
  const pool = new Evaluations(fileOf('results'));
  const listOf = (path: string) => ({ key: path, family: path, read: () => createReadStream(path) });
  try {
    await pool.check('1', 'bench');
    const begun = performance.now();
    const { count } = await pool.page(
      {
        userId: 'bench',
        rows: setOfLists([listOf(commits), listOf(mails)]),
        plan: [{ expression, input: { list: 0 }, variables: { commits: { list: 0 }, mails: { list: 1 } } }],
        chain: [],
        urgency: 'saved',
      },
      { offset: 0, limit: 20 },
    );
    return { ms: performance.now() - begun, rows: count, mb: peakMemory(pool.pids) };
  } finally {
    pool.close();
  }
}

const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1] ?? 0;

/** Returns how many pairs a join without an equality compares in a millisecond. */
function pairsPerMs(): number {
  const list = Array.from({ length: 3000 }, (_, n) => ({ n, text: `t${n}` }));
  const query = compile('$count($a@$x.$b@$y[$y.n > $x.n and $y.text = "t0"])', { pairs: list.length ** 2 });
  const begun = performance.now();
  query.evaluate(null, { a: list, b: list });
  return Math.round(list.length ** 2 / (performance.now() - begun));
}

/** Prints how long views take that join a few records with many, with and without the selection by keys. */
async function printPushedKeys(): Promise<void> {
  console.log(`views that join 5 and 1,000 records with ${RECORDS} mails: pages in ms`);
  const figures = await measurePushedKeys(RECORDS);
  console.table(
    figures.flatMap(({ keys, pushed, whole }) => [
      { keys, read: 'by keys', ...pushed },
      { keys, read: 'all', ...whole },
    ]),
  );
  for (const { keys, pushed, whole } of figures)
    if (pushed.first === undefined || (whole.rows !== undefined && pushed.rows !== whole.rows))
      missed.push(`the join of ${keys} records selects ${pushed.rows} rows by keys, else ${whole.rows}`);
}

const folder = makeTemporaryFolder('datadeck-joins-');
const fileOf = (name: string) => join(folder, name);
const [commits, mails] = [fileOf('commits.ndjson'), fileOf('mails.ndjson')];
const missed: string[] = [];

/** Compares the rows and times of all joins with DuckDB's, prints them, and then the other figures. */
async function compareJoins(): Promise<void> {
  await write(commits, commit);
  await write(mails, mail);
  const table: unknown[] = [];
  for (const { expression, sql } of QUERIES) {
    const ours = { commits, mails, output: fileOf('ours.ndjson') };
    const theirs = { commits, mails, output: fileOf('theirs.ndjson') };
    const runs = Array.from({ length: ROUNDS }, () => byEngine(expression, ours));
    const duckDbMs: number[] = [];
    for (let round = 0; round < ROUNDS; round++) duckDbMs.push(await byDuckDb(sql, theirs));
    const [mine, reference] = [sortedLines(ours.output), sortedLines(theirs.output)];
    const isEqual = mine.length === reference.length && mine.every((line, i) => line === reference[i]);
    const ms = median(runs.map((run) => run.ms));
    const ratio = ms / median(duckDbMs);
    const view = await asView(expression, ours);
    const mb = Math.max(view.mb, ...runs.map((run) => run.mb));
    if (view.rows !== mine.length) missed.push(`${expression} has ${view.rows} rows as a view`);
    table.push({
      expression: expression.slice(0, 72),
      rows: mine.length,
      equal: isEqual,
      'ms, join': Math.round(median(runs.map((run) => run.joinMs))),
      'ms, all': Math.round(ms),
      'ms, DuckDB': Math.round(median(duckDbMs)),
      'ms, view': Math.round(view.ms),
      times: Math.round(ratio * 10) / 10,
      'peak MB': Math.round(mb),
    });
    if (!isEqual) missed.push(`${expression} returns other rows than DuckDB`);
    if (ratio > MOST.ratio) missed.push(`${expression} takes ${ratio.toFixed(1)} times as long as DuckDB`);
    if (mb > MOST.mb) missed.push(`${expression} needs ${Math.round(mb)} MB`);
  }
  console.log(`${RECORDS} × ${RECORDS} records, from files of NDJSON to a file of NDJSON`);
  console.table(table);
  const rate = pairsPerMs();
  console.log(`${rate} pairs a millisecond without an equality; the refusal assumes ${PAIRS_PER_MS}`);
  if (rate < PAIRS_PER_MS) missed.push(`${rate} pairs a millisecond are fewer than ${PAIRS_PER_MS}`);
  await printPushedKeys();
}

try {
  if (args.includes('--keys')) await printPushedKeys();
  else await compareJoins();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
for (const goal of missed) console.log(`missed: ${goal}`);
if (args.includes('--check') && missed.length > 0) process.exitCode = 1;
