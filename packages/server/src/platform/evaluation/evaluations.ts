import { hash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { AppError } from '../app-error.ts';
import { currentFairQueue } from '../fair-queue.ts';
import { bundledCode, SOURCE_CODE } from './child-code.ts';
import { copyRows, isLargeCopy } from './copied-rows.ts';
import { type DataSet, NO_ROWS, refuseTooManyRows } from './data-set.ts';
import { Deadline } from './deadline.ts';
import { Downloads } from './downloads.ts';
import { Evaluator, resultTooLong } from './evaluator.ts';
import { LINES_PER_OFFSET, type PlanStep, type ResultFacts, type Sort } from './protocol.ts';
import { ResultCache } from './result-cache.ts';
import { EXTENTS, hasFreeSpace, prepareFolder, ResultFile } from './result-file.ts';
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
  /** Fair queue by which processes are limited. Default: that of the request, else the user's own. */
  fairQueue?: string;
  rows: DataSet;
  /** Expressions, each evaluated over the result of the previous one. */
  chain: readonly string[];
  /** Steps over the lists of the rows, before the chain. */
  plan?: readonly PlanStep[] | undefined;
  /** Variables of all expressions. */
  bindings?: Record<string, unknown>;
  /** Order of a result that is an array. Absent: that of the last expression. */
  sort?: Sort | undefined;
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
/** A page of a result. */
export interface EvaluatedPage extends ResultFacts {
  /** The page's results as the text of a JSON array, which the server passes on without parsing. */
  text: string;
}

interface Limits {
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
 * Evaluates expressions in child processes with limits on time and memory. Serves fair queues round-robin, and the users of a
 * fair queue too (all demo users have one fair queue). A fair queue has at most one live and one saved evaluation running; live ones come
 * first and always have a process.
 */
export class Evaluations {
  readonly #evaluators = new Map<Evaluator, Waiting | undefined>();
  readonly #queue: WorkQueue;
  readonly #results = new ResultCache();
  readonly #downloads = new Downloads();
  readonly #folder: string;
  readonly #reaper: NodeJS.Timeout;
  #code = SOURCE_CODE;
  #spares = 0;
  #hasStarted = false;
  #isClosed = false;
  #retry: NodeJS.Timeout | undefined;

  readonly #idleMs: number;
  readonly #liveMs: number;

  /**
   * @param folder for result files
   * @param limits idle time of a process, longest live evaluation, smallest wait
   */
  constructor(folder: string, { idleMs = IDLE_MS, liveMs = DEADLINES.live, waitMs }: Limits = {}) {
    this.#folder = folder;
    prepareFolder(folder);
    this.#queue = new WorkQueue(waitMs);
    this.#idleMs = idleMs;
    this.#liveMs = liveMs;
    void bundledCode().then((code) => {
      this.#code = code;
    });
    this.#reaper = setInterval(() => this.#reap(), idleMs / 4);
    this.#reaper.unref();
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
  async page(
    evaluation: Evaluation,
    { offset, limit }: { offset: number; limit: number },
  ): Promise<EvaluatedPage> {
    const isFirst = offset + limit <= LINES_PER_OFFSET;
    let result = await this.#result(evaluation, 'first', () => true);
    try {
      if (!isFirst && !result.isWhole && !result.has(offset, limit)) {
        result.release();
        result = await this.#result(evaluation, 'all', ({ isWhole }) => isWhole);
      }
      const { count, isArray, rows, elapsedMs } = result;
      return { text: await result.page(offset, limit), count, isArray, rows, elapsedMs };
    } finally {
      result.release();
    }
  }

  /**
   * Returns a whole result of at most `BOUNDS.downloadBytes`. The caller must release it.
   * @throws AppError as `page`
   */
  async whole(evaluation: Evaluation): Promise<ResultFile> {
    const result = await this.#result(evaluation, 'all', ({ isWhole }) => isWhole);
    if (result.isComplete) return result;
    result.release();
    throw resultTooLong();
  }

  /**
   * Counts a download of the user until it is ended.
   * @returns the function that ends it
   * @throws AppError rate-limited when too many downloads are running
   */
  beginDownload(evaluation: Evaluation): () => void {
    return this.#downloads.begin(evaluation.userId, fairQueueOf(evaluation));
  }

  /** Drops the results of a user in this process. */
  forget(userId: string): void {
    this.#results.forget(userId);
  }

  /** Drops all results of this process. */
  forgetAll(): void {
    this.#results.clear();
  }

  /** Parses an expression, off the main thread. @throws AppError expression-invalid, query-too-complex */
  async check(expression: string, userId: string): Promise<void> {
    const assignment = await this.#acquire({ userId, rows: NO_ROWS, chain: [], urgency: 'live' });
    try {
      await assignment.evaluator.check(expression, assignment.deadline.remainingMs);
    } finally {
      assignment.end();
    }
  }

  /**
   * Returns a result that is good enough, and keeps it. The caller must release it.
   * @param extent what to write if there is none yet
   */
  async #result(
    evaluation: Evaluation,
    extent: keyof typeof EXTENTS,
    isEnough: (found: ResultFile) => boolean,
  ): Promise<ResultFile> {
    const key = keyOf(evaluation);
    const find = () => {
      const found = this.#results.get(key);
      if (found === undefined || isEnough(found)) return found;
      found.release();
      return undefined;
    };
    const kept = find();
    if (kept) return kept;
    const isCopy = !evaluation.sort && isLargeCopy(evaluation.rows, evaluation.chain);
    if (!isCopy) refuseTooManyRows(evaluation.rows);
    const assignment = await this.#acquire(evaluation);
    try {
      // The evaluation before this one may have been the same.
      const found = find();
      if (found) return found;
      const { generation } = this.#results;
      const result = isCopy
        ? await this.#copy(assignment, evaluation.rows)
        : await this.#evaluate(assignment, evaluation, extent);
      if (!(await hasFreeSpace(this.#folder))) this.#results.clear();
      else if (generation === this.#results.generation) this.#results.keep(key, { evaluation, result });
      return result;
    } finally {
      assignment.end();
    }
  }

  /** Takes the rows as the result. The process that is assigned only limits how much happens at a time. */
  #copy({ deadline, urgency }: Assignment, rows: DataSet): Promise<ResultFile> {
    const ms = urgency === 'saved' ? deadline.remainingMs : READ_TIMEOUT_MS.all;
    return ResultFile.write({
      folder: this.#folder,
      isWhole: true,
      produce: (write) => copyRows(rows, write, ms),
    });
  }

  async #evaluate(
    assignment: Assignment,
    { rows, plan, chain, bindings = {}, sort }: Evaluation,
    extent: keyof typeof EXTENTS,
  ): Promise<ResultFile> {
    await this.#load(assignment, rows);
    const { evaluator, deadline } = assignment;
    const request = { key: rows.key, plan, chain, bindings, sort, extent: EXTENTS[extent] };
    return ResultFile.write({
      folder: this.#folder,
      isWhole: extent === 'all',
      produce: (write) => evaluator.run({ ...request, deadlineMs: deadline.remainingMs }, write),
    });
  }

  /** Makes sure that the process has the rows. */
  async #load({ evaluator, deadline, urgency }: Assignment, set: DataSet): Promise<void> {
    if (evaluator.rows?.key === set.key) return;
    const reading = set.isSelection ? READ_TIMEOUT_MS.selected : READ_TIMEOUT_MS.all;
    const ms = urgency === 'saved' ? deadline.remainingMs : reading;
    const load = evaluator.load(set, ms);
    await (urgency === 'saved' ? load : deadline.exclude(load));
  }

  #acquire(evaluation: Evaluation): Promise<Assignment & { end(): void }> {
    const { userId, rows, urgency, signal } = evaluation;
    const deadlineMs = evaluation.deadlineMs ?? (urgency === 'live' ? this.#liveMs : DEADLINES[urgency]);
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(callerLeftError());
      const start = (evaluator: Evaluator) => {
        signal?.removeEventListener('abort', onAbort);
        // Do not kill live work over cached rows: it ends soon, and its process keeps the rows.
        const kill = () => urgency === 'saved' && evaluator.kill();
        signal?.addEventListener('abort', kill);
        const end = () => {
          signal?.removeEventListener('abort', kill);
          this.#release(evaluator);
        };
        resolve({ evaluator, urgency, deadline: new Deadline(deadlineMs), end });
      };
      const work = {
        userId,
        fairQueue: fairQueueOf(evaluation),
        rows,
        urgency,
        deadlineMs,
        start,
        refuse: reject,
      };
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

  /** Assigns free processes to the fair queues in turn, live work first; prefers a process that has cached the rows. */
  #dispatch(): void {
    let unserved = 0;
    for (const urgency of ['live', 'saved'] as const) {
      for (const next of this.#queue.next(urgency)) {
        const running = [...this.#evaluators.values()].filter((work) => work?.urgency === urgency);
        if (running.some((work) => work?.fairQueue === next.fairQueue)) continue;
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
    for (const [evaluator, work] of this.#evaluators)
      if (work === undefined && evaluator.rows === undefined) fresh++;
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
      free.find(({ rows }) => rows?.key === key) ??
      // It will replace the stale rows of the same family.
      free.find(({ rows }) => rows?.family === family) ??
      free.find(({ rows }) => rows === undefined);
    if (found !== undefined) return found;
    // Prefer waiting for a new process to evicting the rows of another one.
    const isComing =
      idle.length > free.length || (this.#evaluators.size < MAX_PROCESSES && this.#retry === undefined);
    return isComing ? undefined : free.toSorted((a, b) => a.idleSince - b.idleSince)[0];
  }

  /** Ends idle processes except spares. */
  #reap(): void {
    let spares = this.#spares;
    for (const [evaluator, work] of this.#evaluators) {
      if (work !== undefined || Date.now() - evaluator.idleSince < this.#idleMs) continue;
      if (evaluator.rows === undefined && spares-- > 0) continue;
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
    this.#results.clear();
  }
}

function fairQueueOf({ fairQueue, userId }: Evaluation): string {
  return fairQueue ?? currentFairQueue() ?? userId;
}

function callerLeftError(): AppError {
  return new AppError('rate-limited', 'The query was stopped because the client disconnected.');
}

/** Returns the key of a result: the owner, the version of the rows, expressions, variables and order. */
function keyOf({ userId, rows, plan, chain, bindings = {}, sort }: Evaluation): string {
  return hash('sha256', JSON.stringify([userId, rows.key, plan, chain, bindings, sort]), 'base64url');
}
