import type { Filter } from '../compiler/filter.ts';
import { rawArray, type Step } from '../compiler/steps.ts';
import { lookUpAll, Tally } from '../runtime/fields.ts';
import type { Frame } from '../runtime/frame.ts';
import { isConstructed } from '../runtime/sequence.ts';

/** A row-wise stage at run time, which maps the items of a chunk to the next items. */
export interface Stage {
  map(items: readonly unknown[]): readonly unknown[];
  /** Returns items that were held back until the end was reached. */
  flush?(): readonly unknown[];
  /** The only result of the stage if it is an array value, not a sequence. */
  readonly raw?: readonly unknown[] | undefined;
  /** Whether no item has arrived yet. */
  readonly isEmpty?: boolean;
  /** Whether `raw` was written as an array constructor. */
  readonly isRawConstructed?: boolean;
}

/** Selects items by a condition. */
export function filterStage(filter: Filter, frame: Frame): Stage {
  return { map: (items) => filter(items, frame) };
}

/** Reads a field of the whole input: of every row, with rows that are arrays flattened. */
export function fieldStage(name: string, frame: Frame): Stage {
  return { map: (items) => lookUpAll(items, name, frame.run.budget) };
}

/** Applies a step of the path to each item. */
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

/** Holds back the first item until a second one arrives: a single item counts as itself; if it is an array, as its items. */
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
