import type { Budget } from './limits.ts';

/** The key of all objects and arrays: the whole condition distinguishes them. */
const STRUCTURED = Symbol('structured');

/**
 * Returns the key under which a value, or several ones, are found. Equal values have equal keys; different values may have
 * equal ones. Undefined when a value is missing, which equals nothing.
 */
export function keyOf(values: readonly unknown[]): unknown {
  if (values.length === 1) {
    const [value] = values;
    return typeof value === 'object' && value !== null ? STRUCTURED : value;
  }
  let key = '';
  for (const value of values) {
    if (value === undefined) return undefined;
    key += typeof value === 'object' && value !== null ? '\0{' : `\0${typeof value}${String(value)}`;
  }
  return key;
}

const NONE: readonly number[] = [];

/** Positions of items by their keys, in their order. */
export class KeyIndex {
  readonly #positions = new Map<unknown, number | number[]>();

  /** @param keys the key of each item; undefined for items that equal nothing */
  constructor(keys: Iterable<unknown>, length: number, budget: Budget) {
    budget.spend(length * 2);
    let position = 0;
    for (const key of keys) {
      if (key !== undefined) this.#add(key, position);
      position++;
    }
  }

  #add(key: unknown, position: number): void {
    const known = this.#positions.get(key);
    if (known === undefined) this.#positions.set(key, position);
    else if (typeof known === 'number') this.#positions.set(key, [known, position]);
    else known.push(position);
  }

  /** Returns the positions of the items with a key. */
  find(key: unknown): readonly number[] {
    if (key === undefined) return NONE;
    const known = this.#positions.get(key);
    if (known === undefined) return NONE;
    return typeof known === 'number' ? [known] : known;
  }
}
