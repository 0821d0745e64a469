/**
 * `node bench/exports.ts [--count N] [--only FORMATS] [--check]`: exports of 1,000,000 generated mails of one user in each
 * format: rows and bytes a second, and how much the memory of the server grows. Other programs count what was written:
 * DuckDB (`npm ci --prefix bench`) and Python, for XLSX with openpyxl (Debian: python3-openpyxl). `--check` fails when the
 * memory grows by more than 150 MB or rows are missing.
 */
import { spawnSync } from 'node:child_process';
import { createReadStream, createWriteStream, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { EXPORT_FORMATS, type ExportFormat } from '../packages/contract/src/index.ts';
import { runSync } from '../packages/server/test-support/syncing.ts';
import { makeTemporaryFolder, removeDataFolder } from '../packages/server/test-support/temporary-folder.ts';
import { residentMemory } from './memory-of.ts';
import { type Trial, USER, withProduct } from './product.ts';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '1000000' },
    only: { type: 'string', default: EXPORT_FORMATS.join(',') },
    check: { type: 'boolean', default: false },
  },
});
const COUNT = Number(values.count);
const FORMATS = EXPORT_FORMATS.filter((format) => values.only.split(',').includes(format));
/** Largest growth of the server's memory, MB. */
const GOAL_MB = 150;
/** Time between two samples of the memory, ms. */
const SAMPLE_MS = 50;
/** Rows of one insert. */
const STEP = 50_000;

/** Stores mails of about 1.5 KB that differ in id, subject, date and text. */
async function fill({ client, database }: Trial): Promise<void> {
  await client.connect('google', USER);
  await runSync(client, 'gmail-messages', { labelIds: 'INBOX' });
  const pool = new pg.Client(database);
  await pool.connect();
  // The index of the search is not measured here.
  await pool.query('set session_replication_role = replica');
  const { rows } = await pool.query<{ column_name: string }>(
    `select column_name from information_schema.columns
    where table_name = 'gmail_messages' and column_name not in ('id', 'data', 'occurred_at')`,
  );
  const others = rows.map(({ column_name: name }) => name).join(', ');
  await pool.query('create temp table one as select * from gmail_messages order by id limit 1');
  await pool.query('delete from gmail_messages');
  for (let first = 0; first < COUNT; first += STEP)
    await pool.query(
      `insert into gmail_messages (id, data, occurred_at, ${others})
      select 'mail-' || lpad(n::text, 8, '0'), (data::jsonb || jsonb_build_object(
        'id', 'mail-' || lpad(n::text, 8, '0'), 'subject', 'Subject ' || md5(n::text), 'size', n,
        'date', to_char(timestamp '2016-01-01' + n * interval '1 minute', 'YYYY-MM-DD"T"HH24:MI:SS".000Z"'),
        'text', (select string_agg(md5((n * 31 + word)::text), ' ') from generate_series(1, 20) word)))::json,
        timestamptz '2016-01-01' + n * interval '1 minute', ${others}
      from one, generate_series($1::int, $2::int) n`,
      [first + 1, Math.min(first + STEP, COUNT)],
    );
  await pool.query('vacuum analyze gmail_messages');
  await pool.end();
}

/** Counts what a program prints as a number; undefined when it is not installed. */
function countBy(program: string, ...args: string[]): number | undefined {
  const { status, stdout } = spawnSync('python3', ['-c', program, ...args], { encoding: 'utf8' });
  return status === 0 ? Number(stdout) : undefined;
}

const COUNT_SHEET_ROWS = `
import openpyxl, sys
book = openpyxl.load_workbook(sys.argv[1], read_only=True)
print(sum(sum(1 for _ in sheet.iter_rows(max_col=1)) - 1 for sheet in book.worksheets))`;
const COUNT_MAILS = 'import mailbox, sys; print(len(mailbox.mbox(sys.argv[1])))';
const COUNT_CSV =
  'import csv, sys; csv.field_size_limit(1 << 30); print(sum(1 for _ in csv.reader(open(sys.argv[1], newline=""))) - 1)';

async function countByDuckDb(path: string): Promise<number | undefined> {
  const name: string = '@duckdb/node-api';
  const duckdb = await import(name).catch(() => undefined);
  if (!duckdb) return undefined;
  const connection = await (await duckdb.DuckDBInstance.create(':memory:')).connect();
  const reader = await connection.runAndReadAll(
    `select count(*)::int, count(distinct id)::int, sum(size)::double, max(date)::text from read_parquet('${path}')`,
  );
  const [count, ids, sizes] = reader.getRows()[0] as [number, number, number];
  return ids === count && sizes === (COUNT * (COUNT + 1)) / 2 ? count : -1;
}

async function countLines(path: string): Promise<number> {
  let count = 0;
  for await (const line of createInterface({ input: createReadStream(path) }))
    if (line.startsWith('{')) count++;
  return count;
}

/** Counts the rows of a file with a program that did not write it. */
async function countRows(format: ExportFormat, path: string): Promise<number | undefined> {
  if (format === 'parquet') return countByDuckDb(path);
  if (format === 'xlsx') return countBy(COUNT_SHEET_ROWS, path);
  if (format === 'mbox') return countBy(COUNT_MAILS, path);
  if (format === 'csv') return countBy(COUNT_CSV, path);
  return countLines(path);
}

/** Exports in one format, and prints a line. @returns the missed goals */
async function measure({ client, server }: Trial, format: ExportFormat, path: string): Promise<string[]> {
  const before = residentMemory(server.pid);
  let peak = before;
  const samples = setInterval(() => {
    peak = Math.max(peak, residentMemory(server.pid));
  }, SAMPLE_MS);
  const begun = performance.now();
  const response = await client.call(
    'GET',
    `/api/data/records/google/gmail-messages/export?format=${format}`,
  );
  if (!response.ok || !response.body) throw new Error(`${format}: ${response.status}`);
  await pipeline(
    Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0]),
    createWriteStream(path),
  );
  const seconds = (performance.now() - begun) / 1000;
  clearInterval(samples);
  const bytes = statSync(path).size;
  const growth = peak - before;
  const count = await countRows(format, path);
  const read = count === undefined ? 'not counted' : `${count} read back`;
  console.log(
    `${format.padEnd(8)}${seconds.toFixed(1).padStart(8)} s ${Math.round(COUNT / seconds)
      .toString()
      .padStart(8)} rows/s ` +
      `${(bytes / 1e6).toFixed(1).padStart(9)} MB, memory ${before.toFixed(0)} + ${growth.toFixed(0)} MB, ${read}`,
  );
  const missed: string[] = [];
  if (growth > GOAL_MB) missed.push(`${format}: the memory grew by ${growth.toFixed(0)} MB`);
  if (count !== undefined && count !== COUNT) missed.push(`${format}: ${count} of ${COUNT} rows`);
  return missed;
}

const folder = makeTemporaryFolder('datadeck-exports-');
try {
  const missed = await withProduct({ sandbox: [] }, async (trial) => {
    await fill(trial);
    console.log(`${COUNT} mails of one user`);
    const all: string[] = [];
    for (const format of FORMATS) {
      const path = join(folder, `mails.${format}`);
      all.push(...(await measure(trial, format, path)));
      rmSync(path, { force: true });
    }
    return all;
  });
  for (const line of missed) console.log(`MISSED ${line}`);
  if (values.check && missed.length > 0) process.exitCode = 1;
} finally {
  removeDataFolder(folder);
}
