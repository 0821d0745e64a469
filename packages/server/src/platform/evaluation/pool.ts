import { AppError } from '../app-error.ts';
import { Evaluator } from './evaluator.ts';
import type { Bindings, OutputFormat } from './protocol.ts';

const SIZE = 2;
const IDLE_MS = 60_000;
const QUEUED_PER_USER = 20;

/** Rows by a key that changes whenever they do. */
export interface DataSet {
  key: string;
  read(): AsyncGenerator<string>;
}

export interface Evaluation {
  /** Whose work it is: users take turns. */
  userId: string;
  rows: DataSet;
  /** Expressions, each over the result of the one before. */
  chain: string[];
  /** Values of variables, by their names without the `$`. */
  bindings?: Bindings | undefined;
  deadlineMs: number;
}

export interface EvaluatedPage {
  results: unknown[];
  count: number;
  isArray: boolean;
  rows: number;
  elapsedMs: number;
}

interface Waiting {
  userId: string;
  key: string;
  start(evaluator: Evaluator): void;
}

/** Evaluates expressions in child processes: bounded in time and memory, users in turn, nobody slowed down by another's query. */
export class EvaluationPool {
  readonly #evaluators = new Set<Evaluator>();
  /** Waiting work by user; the map's order is the order of turns. */
  readonly #waiting = new Map<string, Waiting[]>();
  readonly #reaper: NodeJS.Timeout;
  #nextId = 1;

  constructor() {
    this.#reaper = setInterval(() => this.#reap(), IDLE_MS / 4);
    this.#reaper.unref();
  }

  /** One page of a result. @throws AppError expression-invalid, expression-failed, query-too-complex */
  async page(evaluation: Evaluation, page: { offset: number; limit: number }): Promise<EvaluatedPage> {
    return this.#withEvaluator(evaluation, async (evaluator) => {
      const { chain, bindings, deadlineMs, rows } = evaluation;
      const answer = await evaluator.page({
        type: 'page',
        id: this.#nextId++,
        key: rows.key,
        chain,
        bindings,
        deadlineMs,
        ...page,
      });
      const { count, isArray, elapsedMs } = answer;
      return { results: JSON.parse(answer.text) as unknown[], count, isArray, rows: answer.rows, elapsedMs };
    });
  }

  /** The whole result as text. The process is held until the last chunk was taken. */
  async *stream(evaluation: Evaluation, format: OutputFormat): AsyncGenerator<string> {
    const evaluator = await this.#acquire(evaluation.userId, evaluation.rows.key);
    let finished = false;
    try {
      await this.#ensureRows(evaluator, evaluation.rows);
      const { chain, bindings, deadlineMs, rows } = evaluation;
      yield* evaluator.stream({
        type: 'stream',
        id: this.#nextId++,
        key: rows.key,
        chain,
        bindings,
        deadlineMs,
        format,
      });
      finished = true;
    } catch (error) {
      finished = error instanceof AppError;
      throw error;
    } finally {
      if (!finished) evaluator.kill();
      this.#release(evaluator);
    }
  }

  async #withEvaluator<T>(evaluation: Evaluation, work: (evaluator: Evaluator) => Promise<T>): Promise<T> {
    const evaluator = await this.#acquire(evaluation.userId, evaluation.rows.key);
    try {
      await this.#ensureRows(evaluator, evaluation.rows);
      return await work(evaluator);
    } finally {
      this.#release(evaluator);
    }
  }

  async #ensureRows(evaluator: Evaluator, rows: DataSet): Promise<void> {
    if (!evaluator.keys.has(rows.key)) await evaluator.load(rows.key, rows.read());
  }

  #acquire(userId: string, key: string): Promise<Evaluator> {
    const queue = this.#waiting.get(userId) ?? [];
    if (queue.length >= QUEUED_PER_USER)
      throw new AppError('rate-limited', 'Too many queries are waiting. Let some finish first.', {
        retryAfter: 1,
      });
    return new Promise((resolve) => {
      queue.push({ userId, key, start: resolve });
      this.#waiting.set(userId, queue);
      this.#dispatch();
    });
  }

  #release(evaluator: Evaluator): void {
    evaluator.busy = false;
    evaluator.idleSince = Date.now();
    if (evaluator.dead) this.#evaluators.delete(evaluator);
    this.#dispatch();
  }

  /** Gives free processes to the users in turn; prefers a process that holds the rows already. */
  #dispatch(): void {
    for (const [userId, queue] of this.#waiting) {
      const next = queue[0];
      if (!next) continue;
      const evaluator = this.#freeFor(next.key);
      if (!evaluator) return;
      queue.shift();
      this.#waiting.delete(userId);
      if (queue.length > 0) this.#waiting.set(userId, queue);
      evaluator.busy = true;
      next.start(evaluator);
    }
  }

  #freeFor(key: string): Evaluator | undefined {
    for (const evaluator of this.#evaluators)
      if (evaluator.dead && !evaluator.busy) this.#evaluators.delete(evaluator);
    const free = [...this.#evaluators].filter((evaluator) => !evaluator.busy);
    const holder = free.find((evaluator) => evaluator.keys.has(key));
    if (holder) return holder;
    if (free.length === 0 && this.#evaluators.size < SIZE) {
      const evaluator = new Evaluator();
      this.#evaluators.add(evaluator);
      return evaluator;
    }
    return free[0];
  }

  #reap(): void {
    for (const evaluator of this.#evaluators) {
      if (evaluator.busy || Date.now() - evaluator.idleSince < IDLE_MS) continue;
      evaluator.kill();
      this.#evaluators.delete(evaluator);
    }
  }

  /** Ends all processes. */
  close(): void {
    clearInterval(this.#reaper);
    for (const evaluator of this.#evaluators) evaluator.kill();
  }
}
