import { availableParallelism } from 'node:os';
import type { Readable } from 'node:stream';
import { BOUNDS } from '@datadeck/contract';
import { AppError } from '../app-error.ts';
import { currentShare } from '../share.ts';
import { bundledCode, SOURCE_CODE } from './child-code.ts';
import { Deadline } from './deadline.ts';
import { Downloads } from './downloads.ts';
import { Evaluator, NeedsAllRows } from './evaluator.ts';
import type { EvaluationRequest, OutputFormat } from './protocol.ts';
import { type DataSet, RowCache } from './row-cache.ts';
import { isStreamed, needsAllRows } from './row-limits.ts';
import type { PrintFormat, RowPrint } from './row-prints.ts';
import { removeLeftovers, type Spooled, spool } from './spool.ts';
import { type Urgency, type Waiting, WorkQueue } from './work-queue.ts';

/** Largest number of processes. Two are reserved for live queries, so that saved ones do not delay them. */
const MAX_PROCESSES = Math.min(Math.max(availableParallelism() + 2, 4), 6);
const MAX_SAVED_RUNNING = MAX_PROCESSES - 2;
const IDLE_MS = 60_000;
/** Number of ready processes without cached rows: while the pool is idle, and while it is working. */
const SPARES = { atRest: 1, atWork: 2 } as const;
/** Delay before the next start after a process failed to start. */
const RETRY_MS = 1000;

/** One evaluation of a chain of expressions over rows. */
export interface Evaluation {
  /** Id of the user; users are served in turn. */
  userId: string;
  /** Share by which processes are limited. Default: that of the request, else the user's own. */
  share?: string;
  rows: DataSet;
  /** Expressions, each evaluated over the result of the previous one. */
  chain: string[];
  /** Variables of all expressions. */
  bindings?: Record<string, unknown>;
  urgency: Urgency;
  /** Longest duration, ms: live: evaluation only; saved: reading of rows and evaluation. */
  deadlineMs?: number;
  /** Aborts the work when the client has disconnected. */
  signal?: AbortSignal;
}

/** Longest evaluations, ms. */
const DEADLINES: Record<Urgency, number> = { live: 1000, saved: 30_000 };
/**
 * Longest time to read the rows of a live query, ms: all rows of a data version, which are then cached, or the rows that
 * the database selects for one expression.
 */
const READ_TIMEOUT_MS = { all: 10_000, selected: 5000 } as const;
/** Longest time to serialise a whole result after its evaluation, ms. */
const WRITE_TIMEOUT_MS = 60_000;
/** Longest text of all prints of a result, bytes. */
const MAX_PRINT_BYTES = 32 * 1024 * 1024;
/** Empty row set, for work on an expression only. */
const NO_ROWS = { key: 'no rows', family: 'no rows' } as const;

export interface EvaluatedPage {
  /** The page's results as the text of a JSON array, which the server passes on without parsing. */
  text: string;
  count: number;
  isArray: boolean;
  rows: number;
  elapsedMs: number;
}

interface PoolLimits {
  idleMs?: number | undefined;
  liveMs?: number | undefined;
  /** Smallest wait for a process before work is rejected, ms. */
  waitMs?: number | undefined;
}

/** A process assigned to one evaluation. */
interface Assignment {
  evaluator: Evaluator;
  deadline: Deadline;
  urgency: Urgency;
}

/**
 * Evaluates expressions in child processes with limits on time and memory. Serves shares round-robin, and the users of a
 * share too (all demo users have one share). A share has at most one live and one saved evaluation running; live ones come
 * first and always have a process.
 */
export class EvaluationPool {
  readonly #evaluators = new Map<Evaluator, Waiting | undefined>();
  readonly #queue: WorkQueue;
  readonly #rows = new RowCache();
  readonly #downloads = new Downloads();
  readonly #reaper: NodeJS.Timeout;
  #code = SOURCE_CODE;
  #spares = 0;
  #nextId = 1;
  #hasStarted = false;
  #isClosed = false;
  #retry: NodeJS.Timeout | undefined;

  readonly #idleMs: number;
  readonly #liveMs: number;

  /** @param limits idle time of a process, longest live evaluation, smallest wait */
  constructor({ idleMs = IDLE_MS, liveMs = DEADLINES.live, waitMs }: PoolLimits = {}) {
    this.#queue = new WorkQueue(waitMs);
    this.#idleMs = idleMs;
    this.#liveMs = liveMs;
    void bundledCode().then((code) => {
      this.#code = code;
    });
    this.#reaper = setInterval(() => this.#reap(), idleMs / 4);
    this.#reaper.unref();
    void removeLeftovers();
  }

  /** Process ids of the children. */
  get pids(): number[] {
    return [...this.#evaluators.keys()].flatMap(({ pid }) => pid ?? []);
  }

  /** Keeps a process ready from now on, because queries are likely. */
  prepare(): void {
    this.#spares = SPARES.atRest;
    this.#startSpares(0);
  }

  /** Returns one page of a result. @throws AppError expression-invalid, expression-failed, query-too-complex */
  async page(evaluation: Evaluation, page: { offset: number; limit: number }): Promise<EvaluatedPage> {
    const assignment = await this.#acquire(evaluation);
    const { evaluator } = assignment;
    try {
      await this.#prepare(assignment, evaluation);
      const answer = await evaluator.page({
        type: 'page',
        id: this.#nextId++,
        maxText: BOUNDS.pageText,
        ...requestOf(evaluation, assignment),
        ...page,
      });
      const { text, count, isArray, rows, elapsedMs } = answer;
      return { text, count, isArray, rows, elapsedMs };
    } finally {
      assignment.end();
    }
  }

  /** Parses an expression, off the main thread. @throws AppError expression-invalid, query-too-complex */
  async check(expression: string, userId: string): Promise<void> {
    const rows = { ...NO_ROWS, read: noRows };
    const assignment = await this.#acquire({ userId, rows, chain: [], urgency: 'live' });
    try {
      await assignment.evaluator.check(
        { type: 'check', id: this.#nextId++, expression },
        assignment.deadline.remainingMs,
      );
    } finally {
      assignment.end();
    }
  }

  /**
   * Returns the whole result as a text of at most `BOUNDS.downloadBytes`. Buffers large texts in a file, so that a slow
   * reader does not occupy a process. The caller must read or destroy the stream.
   * @throws AppError as `page`; rate-limited when too many downloads are running
   */
  async stream(evaluation: Evaluation, format: OutputFormat): Promise<Readable> {
    const end = this.#downloads.begin(evaluation.userId, shareOf(evaluation));
    try {
      const spooled = await spool(this.#chunks(evaluation, format, BOUNDS.downloadBytes));
      return spooled.open(true).once('close', end);
    } catch (error) {
      end();
      throw error;
    }
  }

  /**
   * Returns the whole result as NDJSON of at most `BOUNDS.downloadBytes`, which can be read several times. The caller must
   * open it a last time and read or destroy that stream.
   * @throws AppError as `stream`
   */
  async rows(evaluation: Evaluation): Promise<Spooled> {
    const end = this.#downloads.begin(evaluation.userId, shareOf(evaluation));
    try {
      const { open } = await spool(this.#chunks(evaluation, 'ndjson', BOUNDS.downloadBytes));
      return { open: (isLast) => (isLast ? open(true).once('close', end) : open(false)) };
    } catch (error) {
      end();
      throw error;
    }
  }

  /**
   * Yields the prints of all rows of a result, in batches. The caller must read them without a long pause, because they
   * occupy a process.
   * @throws AppError as `page`; query-too-complex when there are more rows than `maxRows`
   */
  async *prints(
    evaluation: Evaluation,
    { maxRows, ...format }: PrintFormat & { maxRows: number },
  ): AsyncGenerator<RowPrint[]> {
    let left = maxRows;
    for await (const lines of this.#chunks(evaluation, format, MAX_PRINT_BYTES)) {
      const batch = lines.trimEnd().replaceAll('\n', ',');
      const prints = JSON.parse(`[${batch}]`) as RowPrint[];
      left -= prints.length;
      if (left < 0)
        throw new AppError(
          'query-too-complex',
          `The result has more than ${maxRows.toLocaleString('en')} rows.`,
        );
      yield prints;
    }
  }

  async *#chunks(
    evaluation: Evaluation,
    format: OutputFormat | PrintFormat,
    maxBytes: number,
  ): AsyncGenerator<string> {
    const assignment = await this.#acquire(evaluation);
    const { evaluator, deadline } = assignment;
    let finished = false;
    try {
      await this.#prepare(assignment, evaluation);
      const request = { ...requestOf(evaluation, assignment), format, maxBytes };
      const writing = new Deadline(deadline.remainingMs + WRITE_TIMEOUT_MS);
      yield* evaluator.stream({ type: 'stream', id: this.#nextId++, ...request }, writing);
      finished = true;
    } catch (error) {
      finished = error instanceof AppError;
      throw error;
    } finally {
      if (!finished) evaluator.kill();
      assignment.end();
    }
  }

  /** Makes sure that the process has cached the rows, or the result of a streamed set. */
  async #prepare(assignment: Assignment, evaluation: Evaluation): Promise<void> {
    const { evaluator, deadline, urgency } = assignment;
    const { rows: set } = evaluation;
    const { key, family } = set;
    const reading = set.isSelection && !isStreamed(set) ? READ_TIMEOUT_MS.selected : READ_TIMEOUT_MS.all;
    const ms = urgency === 'saved' ? deadline.remainingMs : reading;
    if (isStreamed(set)) {
      const request = { ...requestOf(evaluation, assignment), deadlineMs: ms };
      const message = { type: 'begin', id: this.#nextId++, family, ...request } as const;
      const work = evaluator
        .streamRows(message, (left) => set.read(left), ms)
        .catch((error: unknown) => {
          throw error instanceof NeedsAllRows ? needsAllRows(set, error.message) : error;
        });
      await (urgency === 'saved' ? work : deadline.exclude(work));
    } else if (!evaluator.keys.has(key)) {
      const load = evaluator.load({ key, family }, this.#rows.rows(set, ms), ms);
      await (urgency === 'saved' ? load : deadline.exclude(load));
    }
  }

  #acquire(evaluation: Evaluation): Promise<Assignment & { end(): void }> {
    const { userId, rows, urgency, signal } = evaluation;
    const deadlineMs = evaluation.deadlineMs ?? (urgency === 'live' ? this.#liveMs : DEADLINES[urgency]);
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(callerLeftError());
      const start = (evaluator: Evaluator) => {
        signal?.removeEventListener('abort', onAbort);
        // Do not kill live work over cached rows: it ends soon, and its process keeps the rows.
        const kill = () => (urgency === 'saved' || isStreamed(rows)) && evaluator.kill();
        signal?.addEventListener('abort', kill);
        const end = () => {
          signal?.removeEventListener('abort', kill);
          this.#release(evaluator);
        };
        resolve({ evaluator, urgency, deadline: new Deadline(deadlineMs), end });
      };
      const work = { userId, share: shareOf(evaluation), rows, urgency, deadlineMs, start, refuse: reject };
      const onAbort = () => {
        if (this.#queue.remove(work)) reject(callerLeftError());
      };
      this.#queue.add(work);
      signal?.addEventListener('abort', onAbort);
      this.#dispatch();
    });
  }

  #release(evaluator: Evaluator): void {
    if (evaluator.state !== 'dead') this.#evaluators.set(evaluator, undefined);
    evaluator.idleSince = Date.now();
    this.#dispatch();
  }

  /** Handles a process that is ready or has died; starts a successor immediately. */
  #onChange(evaluator: Evaluator, wasReady: boolean): void {
    if (evaluator.state === 'ready') this.#hasStarted = true;
    else {
      this.#evaluators.delete(evaluator);
      if (!wasReady) this.#retry ??= setTimeout(() => this.#retryStart(), RETRY_MS).unref();
    }
    this.#dispatch();
  }

  #retryStart(): void {
    this.#retry = undefined;
    this.#dispatch();
  }

  /** Assigns free processes to the shares in turn, live work first; prefers a process that has cached the rows. */
  #dispatch(): void {
    let unserved = 0;
    for (const urgency of ['live', 'saved'] as const) {
      for (const next of this.#queue.next(urgency)) {
        const running = [...this.#evaluators.values()].filter((work) => work?.urgency === urgency);
        if (running.some((work) => work?.share === next.share)) continue;
        // Do not count the wait for the very first process.
        if (this.#hasStarted) this.#queue.startClock(next);
        if (urgency === 'saved' && running.length >= MAX_SAVED_RUNNING) continue;
        const evaluator = this.#findProcess(next.rows);
        if (evaluator === undefined) {
          unserved++;
          continue;
        }
        this.#evaluators.set(evaluator, next);
        this.#queue.start(next, evaluator);
      }
    }
    this.#startSpares(unserved);
  }

  /** Starts spare processes up to the limits, because a start takes longer than most queries. */
  #startSpares(unserved: number): void {
    if (this.#isClosed || this.#retry !== undefined) return;
    const works = [...this.#evaluators.values()];
    const spares = works.some((work) => work !== undefined) ? SPARES.atWork : this.#spares;
    let fresh = 0;
    for (const [{ keys }, work] of this.#evaluators) if (work === undefined && keys.size === 0) fresh++;
    for (; fresh < spares + unserved && this.#evaluators.size < MAX_PROCESSES; fresh++)
      this.#startEvaluator();
  }

  #startEvaluator(): void {
    let wasReady = false;
    const evaluator = new Evaluator(this.#code, (changed) => {
      this.#onChange(changed, wasReady);
      wasReady = true;
    });
    this.#evaluators.set(evaluator, undefined);
  }

  #findProcess({ key, family }: Waiting['rows']): Evaluator | undefined {
    const idle: Evaluator[] = [];
    for (const [evaluator, work] of this.#evaluators) if (work === undefined) idle.push(evaluator);
    const free = idle.filter(({ state }) => state === 'ready');
    const found =
      free.find(({ keys }) => keys.has(key)) ??
      // It will replace the stale rows of the same family.
      free.find(({ keys }) => [...keys.values()].includes(family)) ??
      free.find(({ keys }) => keys.size === 0);
    if (found !== undefined) return found;
    // Prefer waiting for a new process to evicting the rows of another one.
    const isComing =
      idle.length > free.length || (this.#evaluators.size < MAX_PROCESSES && this.#retry === undefined);
    return isComing ? undefined : free.toSorted((a, b) => a.idleSince - b.idleSince)[0];
  }

  /** Ends idle processes except spares, and evicts unused rows. */
  #reap(): void {
    this.#rows.forgetUnused(this.#idleMs);
    let spares = this.#spares;
    for (const [evaluator, work] of this.#evaluators) {
      if (work !== undefined || Date.now() - evaluator.idleSince < this.#idleMs) continue;
      if (evaluator.keys.size === 0 && spares-- > 0) continue;
      evaluator.kill();
    }
  }

  /** Ends all processes. */
  close(): void {
    this.#isClosed = true;
    clearInterval(this.#reaper);
    clearTimeout(this.#retry);
    this.#queue.close();
    for (const evaluator of this.#evaluators.keys()) evaluator.kill();
  }
}

function shareOf({ share, userId }: Evaluation): string {
  return share ?? currentShare() ?? userId;
}

function callerLeftError(): AppError {
  return new AppError('rate-limited', 'The query was stopped because the client disconnected.');
}

async function* noRows(): AsyncGenerator<Buffer> {}

function requestOf({ rows, chain, bindings }: Evaluation, { deadline }: Assignment): EvaluationRequest {
  return { key: rows.key, chain, bindings: bindings ?? {}, deadlineMs: deadline.remainingMs };
}
