/**
 * `node bench/expressions.ts [rows] [--check]`: expressions over rows of 1 KB in an evaluating process.
 * Prints the time to the first page, page 2, the memory of the process and the delay of the event loop, beside plain
 * `JSON.parse` of the same text in this process. `--check` fails beyond 6 s, 600 MB, 20 ms for page 2, or 50 ms of delay.
 */

import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Evaluations } from '../packages/server/src/platform/evaluation/index.ts';
import { peakMemory } from './memory-of.ts';

const args = process.argv.slice(2);
const ROWS = Number(args.find((arg) => !arg.startsWith('-')) ?? 100_000);
const MOST = { ms: 6000, mb: 600, secondPageMs: 20, delayMs: 50 } as const;
/** Rows of one piece of text: about 256 KB. */
const PIECE_ROWS = 256;
/** Different pieces; the rows repeat after them. */
const PIECES = 64;

const EXPRESSIONS = [
  '$count($)',
  '$sum(additions)',
  '$distinct(user.login)',
  '$[state="open"]^(>additions)[[0..9]]',
  '$[state="open" and additions > 1500].{"number": number, "title": title, "who": user.login}',
  '$ {user.login: {"count": $count($), "additions": $sum(additions)}}',
];

function rowOf(n: number): unknown {
  const row = {
    id: 1_000_000 + n,
    number: n,
    title: `Change ${n} of the module that retries requests`,
    state: n % 3 === 0 ? 'open' : 'closed',
    draft: n % 17 === 0,
    additions: (n * 7919) % 2000,
    deletions: (n * 104_729) % 900,
    created_at: new Date(1.6e12 + n * 60_000).toISOString(),
    merged_at: n % 3 === 0 ? null : new Date(1.6e12 + n * 80_000).toISOString(),
    user: { login: `user${n % 500}`, id: n % 500, type: 'User' },
    labels: [{ name: `area/${n % 20}`, color: '00ff00' }],
    base: {
      ref: 'main',
      repo: { id: 1, full_name: 'acme/repo', private: false, owner: { login: 'acme', id: 1 } },
    },
    html_url: `https://github.com/acme/repo/pull/${n}`,
    body: '',
  };
  row.body = 'word '.repeat(300).slice(0, 1023 - JSON.stringify(row).length);
  return row;
}

const pieces = Array.from({ length: PIECES }, (_, piece) =>
  Buffer.from(
    Array.from({ length: PIECE_ROWS }, (_, n) => `${JSON.stringify(rowOf(piece * PIECE_ROWS + n))}\n`).join(
      '',
    ),
  ),
);
const bytes = (ROWS / (PIECES * PIECE_ROWS)) * pieces.reduce((total, { length }) => total + length, 0);

async function* read(): AsyncGenerator<Buffer> {
  for (let n = 0; n * PIECE_ROWS < ROWS; n++) yield pieces[n % PIECES] as Buffer;
}

/** The least time of the same text in this process: text and rows, nothing else. */
async function parseAll(): Promise<number> {
  const begun = performance.now();
  for await (const piece of read())
    JSON.parse(`[${piece.toString('utf8', 0, piece.length - 1).replaceAll('\n', ',')}]`);
  return performance.now() - begun;
}

interface Line {
  expression: string;
  'ms, page 1': number;
  'ms, page 2': number;
  'peak MB': number;
  'event loop, ms': number;
  results: number;
}

async function measure(expression: string): Promise<Line> {
  const pool = new Evaluations(mkdtempSync(join(tmpdir(), 'datadeck-bench-')), { liveMs: 60_000 });
  const set = { key: 'rows@1', family: 'rows', rows: ROWS, bytes, read };
  const evaluation = {
    userId: 'bench',
    rows: set,
    chain: [expression],
    urgency: 'saved' as const,
    deadlineMs: 120_000,
  };
  try {
    await pool.check('1', 'bench');
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    let begun = performance.now();
    const { count } = await pool.page(evaluation, { offset: 0, limit: 20 });
    const first = performance.now() - begun;
    delay.disable();
    begun = performance.now();
    await pool.page(evaluation, { offset: 20, limit: 20 });
    return {
      expression,
      'ms, page 1': Math.round(first),
      'ms, page 2': Math.round((performance.now() - begun) * 10) / 10,
      'peak MB': Math.round(peakMemory(pool.pids)),
      'event loop, ms': Math.round(delay.percentile(99) / 1e6),
      results: count,
    };
  } finally {
    pool.close();
  }
}

console.log(`${ROWS} rows, ${Math.round(bytes / 1024 / 1024)} MB`);
const lines: Line[] = [];
let slow = false;
for (const expression of EXPRESSIONS) {
  const line = await measure(expression);
  lines.push(line);
  slow ||= line['ms, page 1'] > MOST.ms || line['ms, page 2'] > MOST.secondPageMs;
  slow ||= line['peak MB'] > MOST.mb || line['event loop, ms'] > MOST.delayMs;
}
console.table(lines);
console.log(`plain JSON.parse of the same text in this process: ${Math.round(await parseAll())} ms`);
if (args.includes('--check') && slow) process.exitCode = 1;
