import { readdirSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { BOUNDS } from '@datadeck/contract';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { RowBatch } from '../../../test-support/row-batch.ts';
import { TestEvaluations } from '../../../test-support/test-evaluations.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Context } from '../../platform/context/index.ts';
import type { Evaluation } from '../../platform/evaluation/index.ts';
import { resultFile } from './download.ts';

type Format = Parameters<typeof resultFile>[2]['format'];
const FORMATS: Format[] = ['json', 'ndjson', 'csv', 'exact-csv'];
const PAGE = { offset: 0, limit: 20 };
const LONG_MS = 60_000;
/** A slow download of 100 MB, more than is kept in memory. */
const LARGE = '($o := {"k": $pad("", 999990, "x")}; [1..100].$o)';

let pool: TestEvaluations;
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

async function download(expression: string, format: Format, more: Partial<Evaluation> = {}) {
  const context = { evaluation: pool } as unknown as Context;
  const stream = await resultFile(context, evaluationOf(expression, more), { format });
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

/** Results beyond the maximum size of a file. */
const TOO_LARGE = [
  '($o := {$pad("x", 4900000, "x"): 1}; [1..300].$o)',
  '($o := [$pad("x", 4900000, "x")]; [1..300].$o)',
  `$[0]${'.{"a": $, "b": $}'.repeat(24)}`,
  '($o := {$pad("x", 900000, "x"): 1}; $map([1..300], function($n){ {$string($n): $o} }))',
];

describe.each(FORMATS)('a download as %s', (format) => {
  // What each format writes differs, how results are measured does not.
  it.each(format === 'csv' ? TOO_LARGE : TOO_LARGE.slice(0, 1))(
    'ends beyond its maximum size: %s',
    async (expression) => {
      pool = new TestEvaluations();
      expect(await outcome(download(expression, format))).toBe('query-too-complex');
      expect(readdirSync(pool.folder)).toEqual([]);
    },
    LONG_MS,
  );

  it('is written in bounded pieces, however large one value is', async () => {
    pool = new TestEvaluations();
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
  it(
    'leaves no file when the client disconnects',
    async () => {
      pool = new TestEvaluations();
      const stream = await download(LARGE, 'ndjson');
      expect(readdirSync(pool.folder)).toEqual([]);
      stream.destroy();
      await vi.waitFor(() => expect(stream.closed).toBe(true), LONG_MS);
      const again = await read(await download(LARGE, 'ndjson'));
      expect(again.text.length).toBe(100 * '{"k":""}\n'.length + 100 * 999_990);
    },
    LONG_MS,
  );

  it('as a table leaves no file and takes one place until it is closed', async () => {
    pool = new TestEvaluations();
    for (const format of ['csv', 'xlsx'] as const) {
      const file = await download('[{"n": 1}]', format);
      const kept = await download('1', 'json');
      expect(await outcome(download('2', 'json'))).toBe('rate-limited');
      await read(kept);
      expect((await read(file)).text).not.toBe('');
      await vi.waitFor(() => expect(file.closed).toBe(true), LONG_MS);
    }
    expect(readdirSync(pool.folder)).toEqual([]);
  });

  it.each(['json', 'csv'] as const)(
    'of 100 MB as %s uses bounded memory for a slow reader',
    async (format) => {
      pool = new TestEvaluations();
      const used = () => process.memoryUsage().heapUsed + process.memoryUsage().external;
      const before = used();
      let [most, length] = [0, 0];
      for await (const chunk of (await download(LARGE, format)) as AsyncIterable<Buffer>) {
        length += chunk.length;
        most = Math.max(most, used() - before);
        if (length % 10 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
      }
      expect(length).toBeGreaterThan(100 * 999_990);
      expect(most).toBeLessThan(80 * 1024 * 1024);
    },
    LONG_MS,
  );

  it('has the same rows in all formats of text', async () => {
    pool = new TestEvaluations();
    const values = [
      { a: 1, b: 'x,"y"' },
      { a: 2, c: [1] },
      { a: 3, b: '=1+1' },
    ];
    const textOf = async (expression: string, format: Format) =>
      (await read(await download(expression, format))).text;
    const list = JSON.stringify(values);
    expect(await textOf(list, 'json')).toBe(
      `[\n${values.map((one) => JSON.stringify(one)).join(',\n')}\n]\n`,
    );
    expect(await textOf(list, 'ndjson')).toBe(values.map((one) => `${JSON.stringify(one)}\n`).join(''));
    expect(await textOf(list, 'csv')).toBe(`a,b,c\r\n1,"x,""y""",\r\n2,,[1]\r\n3,'=1+1,\r\n`);
    expect(await textOf('[]', 'json')).toBe('[]\n');
    expect(await textOf('nothing', 'json')).toBe('null\n');
    expect(await textOf('{"a": 1}', 'json')).toBe('{\n  "a": 1\n}\n');
    expect(await textOf('[1..50000]', 'json')).toBe(
      `[\n${Array.from({ length: 50_000 }, (_, n) => n + 1).join(',\n')}\n]\n`,
    );
  });

  it(
    'ends when the caller disconnects, also while it waits for a process',
    async () => {
      pool = new TestEvaluations();
      await pool.page(evaluationOf('1'), PAGE);
      const endless = '($f := function(){ $f() }; $f())';
      const [running, waiting] = [new AbortController(), new AbortController()];
      const first = outcome(
        download(endless, 'csv', { signal: running.signal, userId: 'x', fairQueue: 's' }),
      );
      const second = outcome(
        download(endless, 'csv', { signal: waiting.signal, userId: 'y', fairQueue: 's' }),
      );

      await new Promise((resolve) => setTimeout(resolve, 300));

      waiting.abort();
      expect(await second).toBe('rate-limited');
      running.abort();
      expect(await first).toBe('query-too-complex');
    },
    LONG_MS,
  );

  it('is refused to a user who has two downloads open', async () => {
    pool = new TestEvaluations();
    for (let count = 0; count < BOUNDS.downloadsPerUser; count++) await download('$', 'json');
    expect(await outcome(download('$', 'json'))).toBe('rate-limited');
    expect(await outcome(download('$', 'json', { userId: 'ben' }))).toBe('a value');
    streams[0]?.destroy();
    await vi.waitFor(async () => expect(await outcome(download('$', 'json'))).toBe('a value'), LONG_MS);
  });
});

describe('a page', () => {
  it(
    'has its size checked before its text is built',
    async () => {
      pool = new TestEvaluations();
      const page = (expression: string) => outcome(pool.page(evaluationOf(expression), PAGE));
      expect(await page('($o := {$pad("x", 4900000, "x"): 1}; [1..300].$o)')).toBe('query-too-complex');
      expect(await page(`$[0]${'.{"a": $, "b": $}'.repeat(19)}`)).toBe('query-too-complex');
      expect(await page('[1..30].{"k": $pad("x", 700000, "x")}')).toBe('a value');
    },
    LONG_MS,
  );
});
