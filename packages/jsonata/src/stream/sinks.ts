import type { compileOrder } from '../compiler/sort.ts';
import { pick } from '../compiler/sort.ts';
import { DistinctValues } from '../functions/distinct.ts';
import { JsonataError } from '../runtime/errors.ts';
import type { Code, Frame } from '../runtime/frame.ts';
import { LIMIT_CODES, LIMITS } from '../runtime/limits.ts';

/** Receives the items of the row-wise stages. */
export interface Sink {
  add(items: readonly unknown[]): void;
}

/** Stores all items until they are drained. */
export class ListSink implements Sink {
  items: unknown[] = [];

  add(items: readonly unknown[]): void {
    for (let i = 0; i < items.length; i++) this.items.push(items[i]);
  }
}

/** Stores the first items or, with a negative count, the last ones. */
export class SliceSink implements Sink {
  readonly #count: number;
  #items: unknown[] = [];

  constructor(count: number) {
    this.#count = count;
  }

  add(items: readonly unknown[]): void {
    if (this.#count >= 0) {
      for (let i = 0; i < items.length && this.#items.length < this.#count; i++) this.#items.push(items[i]);
    } else this.#items = [...this.#items, ...items.slice(this.#count)].slice(this.#count);
  }

  get items(): unknown[] {
    return this.#items;
  }
}

/** Maximum number of items beyond the slice that wait to be sorted with it. */
const MAX_UNSORTED = 256;

interface Column {
  readonly key: Code;
  /** An item with a key of the type that all other keys must have. */
  witness?: { item: unknown; type: string } | undefined;
}

/**
 * Stores the first (or last) items of an order, in order of arrival. Keys of different types are an error in any row:
 * `conflict` contains two such items.
 */
export class OrderSink implements Sink {
  readonly #count: number;
  readonly #order: ReturnType<typeof compileOrder>;
  readonly #columns: Column[];
  readonly #frame: Frame;
  #items: unknown[] = [];
  /** An item whose keys were not read yet, because a single item is never compared. */
  #unread = 0;
  #conflict: unknown[] | undefined;

  constructor(
    count: number,
    order: { sorter: ReturnType<typeof compileOrder>; keys: readonly Code[] },
    frame: Frame,
  ) {
    this.#count = count;
    this.#order = order.sorter;
    this.#columns = order.keys.map((key) => ({ key }));
    this.#frame = frame;
  }

  add(items: readonly unknown[]): void {
    const all = this.#items;
    const first = all.length - this.#unread;
    for (let i = 0; i < items.length; i++) all.push(items[i]);
    this.#unread = all.length < 2 ? all.length : 0;
    if (all.length >= 2) for (let i = first; i < all.length; i++) this.#check(all[i]);
    if (this.#conflict !== undefined) this.#items = this.#conflict.slice();
    else if (all.length >= Math.abs(this.#count) + MAX_UNSORTED) this.#prune();
  }

  /** Compares key types with earlier items: sets the conflict for the first key, throws L1006 for a later one. */
  #check(item: unknown): void {
    for (let index = 0; index < this.#columns.length; index++) {
      const column = this.#columns[index] as Column;
      const key = index === 0 ? column.key(item, this.#frame) : this.#laterKey(column, item);
      if (key === undefined) continue;
      const type = typeof key === 'number' && Number.isNaN(key) ? 'NaN' : typeof key;
      const { witness } = column;
      if (witness === undefined) column.witness = { item, type };
      else if (type !== witness.type || (type !== 'string' && type !== 'number')) {
        if (index > 0) throw needsAllRowsError();
        this.#conflict ??= [witness.item, item];
      }
    }
  }

  /**
   * Reads a later key. Only ties would evaluate it, so it is unknown whether an error counts: all but those of limits throw
   * L1006.
   */
  #laterKey({ key }: Column, item: unknown): unknown {
    try {
      return key(item, this.#frame);
    } catch (error) {
      throw error instanceof JsonataError && LIMITS.has(error.code) ? error : needsAllRowsError();
    }
  }

  #sorted(): Uint32Array {
    const items = this.#items;
    return this.#order(items.length, (i) => items[i], { frame: this.#frame, frameOf: () => this.#frame });
  }

  #prune(): void {
    const sorted = this.#sorted();
    const kept = this.#count >= 0 ? sorted.subarray(0, this.#count) : sorted.subarray(this.#count);
    this.#items = pick(this.#items, kept.slice().sort());
  }

  /** The items to sort and slice. */
  get items(): unknown[] {
    return this.#items;
  }
}

function needsAllRowsError(): JsonataError {
  const value = 'a later key of its order cannot be compared in every row';
  return new JsonataError(LIMIT_CODES.needsAllRows, { value });
}

/** Combines list items into the value of an aggregate function while the items have the right type. */
export interface Fold extends Sink {
  /** The first item of a wrong type. */
  readonly misfit?: { readonly item: unknown } | undefined;
  /** Returns the value of the `count` items added; the caller handles fewer than two. */
  value(count: number): unknown;
}

class NumberFold implements Fold {
  readonly #combine: (total: number, item: number) => number;
  readonly #finish: (total: number, count: number) => number;
  #total: number | undefined;
  misfit: { item: unknown } | undefined;

  constructor(
    start: number | undefined,
    combine: (total: number, item: number) => number,
    finish: (total: number, count: number) => number = (total) => total,
  ) {
    this.#total = start;
    this.#combine = combine;
    this.#finish = finish;
  }

  add(items: readonly unknown[]): void {
    let total = this.#total;
    for (let i = 0; i < items.length; i++) {
      const item = items[i];
      if (typeof item !== 'number') {
        this.misfit ??= { item };
        return;
      }
      total = total === undefined ? item : this.#combine(total, item);
    }
    this.#total = total;
  }

  value(count: number): unknown {
    return this.#finish(this.#total ?? 0, count);
  }
}

const plus = (total: number, item: number): number => total + item;

/** The folds of the associative built-in functions. */
export const FOLDS: Readonly<Record<string, (frame: Frame) => Fold>> = {
  count: () => ({ add: () => undefined, value: (count) => count }),
  sum: () => new NumberFold(0, plus),
  average: () => new NumberFold(0, plus, (total, count) => total / count),
  max: () => new NumberFold(undefined, Math.max),
  min: () => new NumberFold(undefined, Math.min),
  distinct: ({ run }) => {
    const seen = new DistinctValues(run.budget);
    const values: unknown[] = [];
    return {
      add: (items) => {
        for (const item of seen.add(items)) values.push(item);
      },
      value: () => values,
    };
  },
};
