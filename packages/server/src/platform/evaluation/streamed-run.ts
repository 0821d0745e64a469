import { getHeapStatistics } from 'node:v8';
import { compile, type Limits, planStream, QUERY_LIMITS, type StreamPlan } from '@datadeck/jsonata';
import { ResultList } from './result-list.ts';

/** Largest stored result, bytes of JSON. */
const MAX_RESULT_BYTES = 192 * 1024 * 1024;
/** Largest intermediate list for a next expression that needs all items at once, bytes of JSON. */
const MAX_PARSED_BYTES = 64 * 1024 * 1024;
/** Heap sizes, bytes: `collected` triggers a collection; more than `most` in use afterwards is an error. */
const HEAP = { collected: 400 * 1024 * 1024, most: 320 * 1024 * 1024 } as const;
/** Rows between two checks of the heap. */
const ROWS_BETWEEN_CHECKS = 4096;

/** Thrown before reading rows when the first expression needs all rows at once; the message says why. */
export class NeedsAllRowsError extends Error {}

/** Thrown when the state of an expression (groups, lists) does not fit into memory. */
export class TooMuchStateError extends Error {}

export interface StreamedResult {
  value: unknown;
  /** Number of input rows. */
  rows: number;
}

/** Runs a chain of expressions over rows in chunks; each expression consumes the output of the previous one. */
export class StreamedRun {
  readonly #expressions: readonly string[];
  /** Plans of the leading expressions that can be streamed. */
  readonly #plans: StreamPlan[] = [];
  readonly #bindings: Record<string, unknown>;
  readonly #limits: Partial<Limits>;
  readonly #list = new ResultList(MAX_RESULT_BYTES);
  /** By plan: whether its result is known to be a list. */
  readonly #isList: boolean[];
  readonly #end: number;
  #rows = 0;
  #unchecked = 0;

  /**
   * @param timeMs longest duration of the whole run
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

  /** Evaluates the remaining expressions of the chain. */
  #resultOf(value: unknown, from: number): StreamedResult {
    let result = value;
    for (const expression of this.#expressions.slice(from)) {
      const timeMs = Math.round(this.#end - performance.now());
      result = compile(expression, { ...this.#limits, timeMs }).evaluate(result, this.#bindings);
    }
    return { value: result, rows: this.#rows };
  }
}

/** Throws when too much memory is in use after a garbage collection. */
function checkHeap(): void {
  if (getHeapStatistics().used_heap_size < HEAP.collected) return;
  globalThis.gc?.();
  if (getHeapStatistics().used_heap_size > HEAP.most)
    throw new TooMuchStateError('It has to remember too many values: too many groups, or too long a list.');
}
