import type { Filter } from '../compiler/filter.ts';
import { rawArray, type Step } from '../compiler/steps.ts';
import { lookUpAll, Tally } from '../runtime/fields.ts';
import type { Frame } from '../runtime/frame.ts';
import { isConstructed } from '../runtime/sequence.ts';

/** One row-wise stage while it runs: from the items of a chunk to the items that follow. */
export interface Stage {
  map(items: readonly unknown[]): readonly unknown[];
  /** Items held back until it was clear that no more come. */
  flush?(): readonly unknown[];
  /** The array that is the only result of the stage: a value of its own, not a sequence. */
  readonly raw?: readonly unknown[] | undefined;
  /** Whether no item has come yet. */
  readonly isEmpty?: boolean;
  /** Whether `raw` was written as `[...]`. */
  readonly isRawConstructed?: boolean;
}

/** Selects items by a condition. */
export function filterStage(filter: Filter, frame: Frame): Stage {
  return { map: (items) => filter(items, frame) };
}

/** Reads a field of the whole input: of every row, rows that are arrays taken apart. */
export function fieldStage(name: string, frame: Frame): Stage {
  return { map: (items) => lookUpAll(items, name, frame.run.budget) };
}

/** A step of the path, applied to each item. */
export class StepStage implements Stage {
  readonly #step: Step;
  readonly #frame: Frame;
  #count = 0;
  raw: readonly unknown[] | undefined;
  isRawConstructed = false;

  constructor(step: Step, frame: Frame) {
    this.#step = step;
    this.#frame = frame;
  }

  map(items: readonly unknown[]): readonly unknown[] {
    const tally = new Tally();
    const found = this.#step.map(items, this.#frame, tally);
    if (tally.count === 0) return found;
    this.#count += tally.count;
    const raw = this.#count === 1 ? rawArray(this.#step, tally) : undefined;
    this.raw = raw;
    this.isRawConstructed = raw !== undefined && isConstructed(raw);
    return found;
  }
}

/** Holds back the first item until a second one comes: a single one stands for itself, and as an array for its items. */
export class SingletonStage implements Stage {
  #first: unknown;
  #count = 0;
  raw: readonly unknown[] | undefined;

  get isEmpty(): boolean {
    return this.#count === 0;
  }

  map(items: readonly unknown[]): readonly unknown[] {
    if (this.#count > 1 || items.length === 0) return items;
    const isHeld = this.#count === 1;
    this.#count += items.length;
    if (isHeld) return [this.#first, ...items];
    if (items.length > 1) return items;
    this.#first = items[0];
    return [];
  }

  flush(): readonly unknown[] {
    if (this.#count !== 1) return [];
    if (!Array.isArray(this.#first)) return [this.#first];
    this.raw = this.#first;
    return this.#first;
  }
}
