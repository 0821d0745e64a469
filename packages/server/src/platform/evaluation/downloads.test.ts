import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { BOUNDS } from '@datadeck/contract';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { RowBatch } from '../../../test-support/row-batch.ts';
import { makeTemporaryFolder, removeDataFolder } from '../../../test-support/temporary-folder.ts';
import { AppError } from '../app-error.ts';
import { type Evaluation, EvaluationPool } from './pool.ts';
import type { OutputFormat } from './protocol.ts';

const FORMATS: OutputFormat[] = ['json', 'ndjson', 'csv', 'exact-csv'];
const PAGE = { offset: 0, limit: 20 };
const LONG_MS = 60_000;
/** A slow download of 100 MB, more than is kept in memory. */
const LARGE = '($o := {"k": $pad("", 999990, "x")}; [1..100].$o)';

let folder = '';
let pool: EvaluationPool;
let before: string | undefined;
beforeAll(() => {
  folder = makeTemporaryFolder('datadeck-downloads-');
  before = process.env.TMPDIR;
  process.env.TMPDIR = folder;
});
afterAll(() => {
  if (before === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = before;
  removeDataFolder(folder);
});
const streams: Readable[] = [];
afterEach(() => {
  for (const stream of streams.splice(0)) stream.destroy();
  pool?.close();
});

function evaluationOf(expression: string, more: Partial<Evaluation> = {}): Evaluation {
  const rows = {
    key: 'one',
    family: 'one',
    async *read() {
      const batch = new RowBatch();
      for (const row of [{ n: 1, text: 'a "b"\n😀' }, { n: 2 }]) batch.add(JSON.stringify(row));
      yield batch.take();
    },
  };
  return { userId: 'ada', rows, chain: [expression], urgency: 'saved', ...more };
}

async function download(expression: string, format: OutputFormat, more: Partial<Evaluation> = {}) {
  const stream = await pool.stream(evaluationOf(expression, more), format);
  streams.push(stream);
  return stream;
}

/** Returns the text of a download and the length of its longest chunk. */
async function read(stream: Readable): Promise<{ text: string; longest: number }> {
  let longest = 0;
  const pieces: Buffer[] = [];
  for await (const piece of stream as AsyncIterable<Buffer>) {
    longest = Math.max(longest, piece.length);
    pieces.push(Buffer.from(piece));
  }
  return { text: Buffer.concat(pieces).toString(), longest };
}

const outcome = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'a value',
    (error: unknown) => (error instanceof AppError ? error.code : error),
  );

describe.each(FORMATS)('a download as %s', (format) => {
  // @covers 5.download-ends-beyond
  it.each([
    '($o := {$pad("x", 4900000, "x"): 1}; [1..300].$o)',
    '($o := [$pad("x", 4900000, "x")]; [1..300].$o)',
    `$[0]${'.{"a": $, "b": $}'.repeat(24)}`,
    '($o := {$pad("x", 900000, "x"): 1}; $map([1..300], function($n){ {$string($n): $o} }))',
  ])(
    'ends beyond its maximum size: %s',
    async (expression) => {
      pool = new EvaluationPool();
      expect(await outcome(download(expression, format))).toBe('query-too-complex');
      expect(readdirSync(folder)).toEqual([]);
    },
    LONG_MS,
  );

  // @covers 5.download-ends-beyond
  it('is written in bounded pieces, however large one value is', async () => {
    pool = new EvaluationPool();
    const stream = await download('{"deep": {"k": $pad("", 3000000, "é\\"\\n")}, "n": [1, -5]}', format);
    const { text, longest } = await read(stream);
    expect(longest).toBeLessThan(2 * 1024 * 1024);
    const deep = { k: 'é"\n'.repeat(1_000_000) };
    if (format.endsWith('csv')) {
      expect(text).toBe(`deep,n\r\n"${JSON.stringify(deep).replaceAll('"', '""')}","[1,-5]"\r\n`);
    } else expect(JSON.parse(text)).toEqual({ deep, n: [1, -5] });
  });
});

describe('a download', () => {
  // @covers 5.download-ends-beyond
  it(
    'leaves no file when the client disconnects',
    async () => {
      pool = new EvaluationPool();
      const stream = await download(LARGE, 'ndjson');
      expect(readdirSync(folder)).toEqual([]);
      stream.destroy();
      await vi.waitFor(() => expect(stream.closed).toBe(true), LONG_MS);
      const again = await read(await download(LARGE, 'ndjson'));
      expect(again.text.length).toBe(100 * '{"k":""}\n'.length + 100 * 999_990);
    },
    LONG_MS,
  );

  // @covers exports.views
  it(
    'that is read twice leaves no file and takes one place until the last stream is closed',
    async () => {
      pool = new EvaluationPool();
      for (const expression of ['[{"n": 1}]', LARGE]) {
        const rows = await pool.rows(evaluationOf(expression));
        const last = rows.open(true);
        streams.push(last);
        const first = await read(rows.open(false));
        expect(await pool.stream(evaluationOf('1'), 'json').then(read)).toMatchObject({ text: '1\n' });
        const kept = await download('1', 'json');
        expect(await outcome(pool.rows(evaluationOf('1')))).toBe('rate-limited');
        await read(kept);
        expect((await read(last)).text).toBe(first.text);
        await vi.waitFor(() => expect(last.closed).toBe(true), LONG_MS);
      }
      expect(readdirSync(folder)).toEqual([]);
    },
    LONG_MS,
  );

  // @covers 5.download-ends-beyond
  it(
    'ends when the caller disconnects, also while it waits for a process',
    async () => {
      pool = new EvaluationPool();
      await pool.page(evaluationOf('1'), PAGE);
      const endless = '($f := function(){ $f() }; $f())';
      const [running, waiting] = [new AbortController(), new AbortController()];
      const first = outcome(download(endless, 'csv', { signal: running.signal, userId: 'x', share: 's' }));
      const second = outcome(download(endless, 'csv', { signal: waiting.signal, userId: 'y', share: 's' }));

      await new Promise((resolve) => setTimeout(resolve, 300));

      waiting.abort();
      expect(await second).toBe('rate-limited');
      running.abort();
      expect(await first).toBe('query-too-complex');
    },
    LONG_MS,
  );

  // @covers 5.page-weighed-before
  it('is refused to a user who has two downloads open', async () => {
    pool = new EvaluationPool();
    for (let count = 0; count < BOUNDS.downloadsPerUser; count++) await download('$', 'json');
    expect(await outcome(download('$', 'json'))).toBe('rate-limited');
    expect(await outcome(download('$', 'json', { userId: 'ben' }))).toBe('a value');
    streams[0]?.destroy();
    await vi.waitFor(async () => expect(await outcome(download('$', 'json'))).toBe('a value'), LONG_MS);
  });
});

describe('EvaluationPool', () => {
  // @covers 5.download-ends-beyond
  it('removes download files of a killed process', async () => {
    writeFileSync(join(folder, 'datadeck-download-left'), 'x');
    writeFileSync(join(folder, 'another'), 'x');
    pool = new EvaluationPool();
    await vi.waitFor(() => expect(readdirSync(folder)).toEqual(['another']), LONG_MS);
  });

  // @covers 5.page-weighed-before
  it(
    'checks the size of a page before it builds the text',
    async () => {
      pool = new EvaluationPool();
      const page = (expression: string) => outcome(pool.page(evaluationOf(expression), PAGE));
      expect(await page('($o := {$pad("x", 4900000, "x"): 1}; [1..300].$o)')).toBe('query-too-complex');
      expect(await page(`$[0]${'.{"a": $, "b": $}'.repeat(19)}`)).toBe('query-too-complex');
      expect(await page('[1..30].{"k": $pad("x", 700000, "x")}')).toBe('a value');
    },
    LONG_MS,
  );
});
