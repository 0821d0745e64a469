import { getHeapStatistics } from 'node:v8';
import { compile, type Limits, planStream, QUERY_LIMITS, type StreamPlan } from '@datadeck/jsonata';
import { ResultList } from './result-list.ts';

/** Text of a result that is kept, bytes. */
const MAX_RESULT_BYTES = 192 * 1024 * 1024;
/** Text of a list that an expression needs at once which follows in a chain, bytes. */
const MAX_PARSED_BYTES = 64 * 1024 * 1024;
/** Heap in use, bytes: from where on it is collected, and what must not be in use then. */
const HEAP = { collected: 400 * 1024 * 1024, most: 320 * 1024 * 1024 } as const;
/** Rows between two looks at the heap. */
const ROWS_BETWEEN_CHECKS = 4096;

/** Thrown before any row is read when the first expression needs all rows at once; the message is the reason. */
export class NeedsAllRowsError extends Error {}

/** Thrown when the values that an expression has to remember do not fit. */
export class TooMuchStateError extends Error {}

export interface StreamedResult {
  value: unknown;
  /** How many rows came in. */
  rows: number;
}

/** A chain of expressions over rows that come in chunks: each takes the items that the one before lets go. */
export class StreamedRun {
  readonly #expressions: readonly string[];
  /** For the first expressions, as many as can be streamed. */
  readonly #plans: StreamPlan[] = [];
  readonly #bindings: Record<string, unknown>;
  readonly #limits: Partial<Limits>;
  readonly #list = new ResultList(MAX_RESULT_BYTES);
  /** By plan: whether its result is certain to be a list. */
  readonly #isList: boolean[];
  readonly #end: number;
  #rows = 0;
  #unchecked = 0;

  /**
   * @param timeMs longest time of the whole run
   * @throws NeedsAllRowsError, JsonataError
   */
  constructor(chain: readonly string[], bindings: Record<string, unknown>, timeMs: number) {
    this.#end = performance.now() + timeMs;
    this.#bindings = bindings;
    this.#limits = { ...QUERY_LIMITS, steps: Number.MAX_SAFE_INTEGER, timeMs: Math.round(timeMs) };
    const expressions = chain.filter((expression) => expression.trim() !== '');
    if (expressions.length === 0) expressions.push('$');
    for (const [index, expression] of expressions.entries()) {
      const { plan, reason } = planStream(expression, { bindings, limits: this.#limits });
      if (plan === undefined && index === 0) throw new NeedsAllRowsError(reason);
      if (plan === undefined) break;
      this.#plans.push(plan);
    }
    this.#expressions = expressions;
    this.#isList = this.#plans.map(() => false);
  }

  /** @throws JsonataError, ResultTooLargeError, TooMuchStateError when a limit is reached */
  push(rows: unknown[]): void {
    this.#rows += rows.length;
    this.#unchecked += rows.length;
    if (this.#unchecked >= ROWS_BETWEEN_CHECKS) {
      this.#unchecked = 0;
      checkHeap();
    }
    this.#pass(rows, 0);
  }

  #pass(rows: unknown[], from: number): void {
    let items = rows;
    for (let at = from; at < this.#plans.length; at++) {
      const plan = this.#plans[at] as StreamPlan;
      plan.push(items);
      items = plan.drain();
      if (items.length === 0) return;
      this.#isList[at] = true;
    }
    this.#list.append(items);
  }

  /** @throws JsonataError, ResultTooLargeError */
  finish(): StreamedResult {
    for (const [at, plan] of this.#plans.entries()) {
      const value = plan.finish();
      if (!this.#isList[at]) return this.#resultOf(value, at + 1);
      this.#pass(value as unknown[], at + 1);
    }
    const list = this.#list.close();
    if (this.#plans.length === this.#expressions.length) return { value: list, rows: this.#rows };
    if (list.bytes > MAX_PARSED_BYTES) {
      const message =
        'An expression over another one needs all of its results at once, and they are too many.';
      throw new TooMuchStateError(message);
    }
    return this.#resultOf([...list], this.#plans.length);
  }

  /** Evaluates the expressions of the chain that are left. */
  #resultOf(value: unknown, from: number): StreamedResult {
    let result = value;
    for (const expression of this.#expressions.slice(from)) {
      const timeMs = Math.round(this.#end - performance.now());
      result = compile(expression, { ...this.#limits, timeMs }).evaluate(result, this.#bindings);
    }
    return { value: result, rows: this.#rows };
  }
}

/** Refuses to go on when what is in use is not only garbage. */
function checkHeap(): void {
  if (getHeapStatistics().used_heap_size < HEAP.collected) return;
  globalThis.gc?.();
  if (getHeapStatistics().used_heap_size > HEAP.most)
    throw new TooMuchStateError('It has to remember too many values: too many groups, or too long a list.');
}
