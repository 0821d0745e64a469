import { TaskThread, ThreadLimitError } from '@datadeck/connectors';
import type { Chart, ChartData } from '@datadeck/contract';
import { AppError } from '../../platform/app-error.ts';
import { queryTooComplex, type ResultFile } from '../../platform/evaluation/index.ts';
import { currentFairQueue } from '../../platform/fair-queue.ts';
import { OpenCounter } from '../../platform/open-counter.ts';
import type { ChartTask } from './draw-chart.ts';

/** The largest result, 256 MB of records, takes about three seconds. */
const LIMITS = { timeoutMs: 10_000, heapMb: 256 };
/** Charts that are drawn or wait for it: of a fair queue, which holds the tiles of some boards, and of all. */
const MAX_CHARTS = { fairQueue: 40, all: 400 } as const;
/** Charts that are kept for one result. */
const MAX_KEPT = 20;

/** Two threads, so that a large result does not delay all others. */
const threads = [0, 1].map(() => ({
  thread: new TaskThread(new URL('./chart-thread.ts', import.meta.url), LIMITS),
  tasks: 0,
}));
const open = new OpenCounter();

const tooManyCharts = () =>
  new AppError('rate-limited', 'Too many charts are being drawn. Try again in a moment.', { retryAfter: 2 });

/** Charts of results that are kept: they go when the result does. */
const drawn = new WeakMap<ResultFile, Map<string, Promise<ChartData>>>();

async function drawInThread(task: ChartTask): Promise<ChartData> {
  const queue = currentFairQueue();
  const release = open.acquire(
    { all: MAX_CHARTS.all, ...(queue !== undefined && { [`of ${queue}`]: MAX_CHARTS.fairQueue }) },
    tooManyCharts,
  );
  const [idlest] = threads.toSorted((a, b) => a.tasks - b.tasks);
  if (!idlest) throw new Error('there are no threads for charts');
  idlest.tasks++;
  try {
    return await idlest.thread.run<ChartData>(task);
  } catch (error) {
    if (!(error instanceof ThreadLimitError)) throw error;
    throw queryTooComplex(` because adding its rows up takes too much ${error.limit}`);
  } finally {
    idlest.tasks--;
    release();
  }
}

/**
 * Returns what a chart of all rows of a result draws, and keeps it as long as the result.
 * @throws AppError query-too-complex, rate-limited
 */
export async function chartOfResult(
  result: ResultFile,
  { chart, timeZone }: { chart?: Chart | undefined; timeZone: string },
): Promise<ChartData> {
  const kept = drawn.get(result) ?? new Map<string, Promise<ChartData>>();
  drawn.set(result, kept);
  const key = JSON.stringify([chart, timeZone]);
  const known = kept.get(key);
  if (known) return known;
  const [oldest] = kept.keys();
  if (kept.size >= MAX_KEPT && oldest !== undefined) kept.delete(oldest);
  const { descriptor, bytes, count } = result.retain();
  const drawing = drawInThread({ file: { descriptor, bytes }, rows: count, chart, timeZone }).finally(() =>
    result.release(),
  );
  kept.set(key, drawing);
  // A failure is not kept.
  drawing.catch(() => kept.delete(key));
  return drawing;
}
