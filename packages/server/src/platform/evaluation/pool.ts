import { availableParallelism } from 'node:os';
import { AppError } from '../app-error.ts';
import { Evaluator } from './evaluator.ts';
import type { EvaluationRequest, OutputFormat } from './protocol.ts';
import { spool } from './spool.ts';

/** Processes at most. Two are kept for live queries, so that saved ones never make them wait. */
const SIZE = Math.min(Math.max(availableParallelism() + 2, 4), 6);
const MOST_SAVED = SIZE - 2;
const IDLE_MS = 60_000;
const QUEUED_PER_USER = 20;

/** Rows by a key that changes whenever they do. */
export interface DataSet {
  key: string;
  /** What the key names whatever the version: of one family only the newest set is kept. */
  family: string;
  /** The rows, in the pieces of `RowBatch`. */
  read(): AsyncGenerator<Buffer>;
}

/** live: somebody is typing and waits · saved: a view. */
export type Urgency = 'live' | 'saved';

export interface Evaluation {
  /** Whose work it is: users take turns. */
  userId: string;
  rows: DataSet;
  /** Expressions, each over the result of the one before. */
  chain: string[];
  /** Variables that every expression sees. */
  bindings?: Record<string, unknown>;
  urgency: Urgency;
  /** Longest time of the evaluation itself, ms; waiting and reading rows come before. */
  deadlineMs?: number;
}

/** Longest evaluations, ms. */
const DEADLINES: Record<Urgency, number> = { live: 1000, saved: 30_000 };

export interface EvaluatedPage {
  /** The page's results as the text of a JSON array: nobody parses them on the way. */
  text: string;
  count: number;
  isArray: boolean;
  rows: number;
  elapsedMs: number;
}

interface Waiting {
  userId: string;
  rows: DataSet;
  urgency: Urgency;
  start(evaluator: Evaluator): void;
}

/**
 * Evaluates expressions in child processes, bounded in time and memory. Users take turns; a user has at most one live
 * and one saved evaluation at work; live ones go first and always find a process.
 */
export class EvaluationPool {
  readonly #evaluators = new Map<Evaluator, Waiting | undefined>();
  /** Waiting work by user; the map's order is the order of turns. */
  readonly #waiting = new Map<string, Waiting[]>();
  readonly #reaper: NodeJS.Timeout;
  #nextId = 1;
  #isClosed = false;

  constructor() {
    this.#reaper = setInterval(() => this.#reap(), IDLE_MS / 4);
    this.#reaper.unref();
  }

  /** Says that a query is likely soon: a process stands ready then. */
  prepare(): void {
    this.#prepareSpare();
  }

  /** One page of a result. @throws AppError expression-invalid, expression-failed, query-too-complex */
  async page(evaluation: Evaluation, page: { offset: number; limit: number }): Promise<EvaluatedPage> {
    const evaluator = await this.#acquire(evaluation);
    try {
      await this.#ensureRows(evaluator, evaluation.rows);
      const answer = await evaluator.page({
        type: 'page',
        id: this.#nextId++,
        ...requestOf(evaluation),
        ...page,
      });
      const { text, count, isArray, rows, elapsedMs } = answer;
      return { text, count, isArray, rows, elapsedMs };
    } finally {
      this.#release(evaluator);
    }
  }

  /**
   * The whole result as text. Chunks beyond what memory should hold wait in a file, so that a slow reader holds no
   * process. The first chunk comes when all is well.
   */
  stream(evaluation: Evaluation, format: OutputFormat): AsyncGenerator<string | Buffer> {
    return spool(this.#chunks(evaluation, format));
  }

  async *#chunks(evaluation: Evaluation, format: OutputFormat): AsyncGenerator<string> {
    const evaluator = await this.#acquire(evaluation);
    let finished = false;
    try {
      await this.#ensureRows(evaluator, evaluation.rows);
      yield* evaluator.stream({ type: 'stream', id: this.#nextId++, format, ...requestOf(evaluation) });
      finished = true;
    } catch (error) {
      finished = error instanceof AppError;
      throw error;
    } finally {
      if (!finished) evaluator.kill();
      this.#release(evaluator);
    }
  }

  async #ensureRows(evaluator: Evaluator, { key, family, read }: DataSet): Promise<void> {
    if (!evaluator.keys.has(key)) await evaluator.load({ key, family }, read());
  }

  #acquire({ userId, rows, urgency }: Evaluation): Promise<Evaluator> {
    const queue = this.#waiting.get(userId) ?? [];
    if (queue.length >= QUEUED_PER_USER)
      throw new AppError('rate-limited', 'Too many queries are waiting. Let some finish first.', {
        retryAfter: 1,
      });
    return new Promise((resolve) => {
      const waiting = { userId, rows, urgency, start: resolve };
      const firstSaved = queue.findIndex((other) => other.urgency === 'saved');
      if (urgency === 'live' && firstSaved >= 0) queue.splice(firstSaved, 0, waiting);
      else queue.push(waiting);
      this.#waiting.set(userId, queue);
      this.#dispatch();
    });
  }

  #release(evaluator: Evaluator): void {
    this.#evaluators.set(evaluator, undefined);
    evaluator.idleSince = Date.now();
    if (evaluator.dead) this.#replace(evaluator);
    this.#dispatch();
  }

  /** A process that was killed has a successor at once, which starts while nobody waits for it. */
  #replace(evaluator: Evaluator): void {
    this.#evaluators.delete(evaluator);
    if (!this.#isClosed) this.#evaluators.set(new Evaluator(), undefined);
  }

  /** Gives free processes to the users in turn, live work first; prefers a process that holds the rows already. */
  #dispatch(): void {
    for (const urgency of ['live', 'saved'] as const) {
      for (const [userId, queue] of [...this.#waiting]) {
        const next = queue.find((waiting) => waiting.urgency === urgency);
        if (next === undefined || this.#isBusy(next)) continue;
        const evaluator = this.#freeFor(next.rows);
        if (evaluator === undefined) return;
        queue.splice(queue.indexOf(next), 1);
        this.#waiting.delete(userId);
        if (queue.length > 0) this.#waiting.set(userId, queue);
        this.#evaluators.set(evaluator, next);
        next.start(evaluator);
        this.#prepareSpare();
      }
    }
  }

  /** While somebody evaluates, a process stands ready for the next one: starting takes longer than most queries. */
  #prepareSpare(): void {
    const hasSpare = [...this.#evaluators].some(([evaluator, work]) => work === undefined && !evaluator.dead);
    if (!hasSpare && this.#evaluators.size < SIZE) this.#evaluators.set(new Evaluator(), undefined);
  }

  /** Whether this work must wait for other work of its user, or of its urgency. */
  #isBusy({ userId, urgency }: Waiting): boolean {
    const running = [...this.#evaluators.values()].filter((work) => work?.urgency === urgency);
    return (
      running.some((work) => work?.userId === userId) || (urgency === 'saved' && running.length >= MOST_SAVED)
    );
  }

  #freeFor({ key, family }: DataSet): Evaluator | undefined {
    const free: Evaluator[] = [];
    for (const [evaluator, work] of this.#evaluators) {
      if (work !== undefined) continue;
      if (evaluator.dead) this.#evaluators.delete(evaluator);
      else free.push(evaluator);
    }
    const holder = free.find((evaluator) => evaluator.keys.has(key));
    if (holder) return holder;
    // It will drop the stale rows for the new ones.
    const outdated = free.find((evaluator) => [...evaluator.keys.values()].includes(family));
    if (outdated) return outdated;
    const fresh = free.find((evaluator) => evaluator.keys.size === 0);
    if (fresh) return fresh;
    if (this.#evaluators.size < SIZE) {
      const evaluator = new Evaluator();
      this.#evaluators.set(evaluator, undefined);
      return evaluator;
    }
    return free.toSorted((a, b) => a.idleSince - b.idleSince)[0];
  }

  #reap(): void {
    for (const [evaluator, work] of this.#evaluators) {
      if (work !== undefined || Date.now() - evaluator.idleSince < IDLE_MS) continue;
      evaluator.kill();
      this.#evaluators.delete(evaluator);
    }
  }

  /** Ends all processes. */
  close(): void {
    this.#isClosed = true;
    clearInterval(this.#reaper);
    for (const evaluator of this.#evaluators.keys()) evaluator.kill();
  }
}

function requestOf({ rows, chain, bindings, urgency, deadlineMs }: Evaluation): EvaluationRequest {
  return { key: rows.key, chain, bindings: bindings ?? {}, deadlineMs: deadlineMs ?? DEADLINES[urgency] };
}
