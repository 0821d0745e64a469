import { createHash } from 'node:crypto';
import type { Gap } from './gap.ts';

/** Most parents of which a cursor has the largest value of the growing column. */
const MAX_PARENTS = 1000;

/** Largest values of the growing column, ms since 1970 or a number, by what names a parent. */
export type ParentCursor = Readonly<Record<string, number>>;

/** Names a parent in cursors, which would become long with the ids of some services. */
const nameOf = (parent: string) => createHash('sha256').update(parent).digest('base64url').slice(0, 11);

/** Returns the value after which the records of a parent are read; undefined for a new parent, all of which is read. */
export const afterOf = (cursor: ParentCursor, parent: string): number | undefined => cursor[nameOf(parent)];

/**
 * Collects from a run after which value the next one reads each parent: the largest that it saw, or the one before for a parent of which
 * it did not read all. Parents that it did not read are forgotten, unless it did not read all of the parents.
 */
export class NextParentCursor {
  readonly #before: ParentCursor;
  readonly #ofAll: number;
  readonly #seen = new Map<string, number>();
  /** Parents of which a run did not read all. */
  readonly #kept = new Set<string>();
  #keepsAll = false;

  /**
   * @param before those of the run before
   * @param after the largest value that it has seen of all; null if none. It counts for each parent where `before` is missing
   */
  constructor(before: ParentCursor | undefined, after: number | null) {
    this.#before = before ?? {};
    this.#ofAll = before === undefined && after !== null ? after : Number.NEGATIVE_INFINITY;
  }

  /** Adds a page of a parent; without one, a page of the parents themselves, of which only the gap counts. */
  add(parent: string | undefined, growths: readonly number[], gap: Gap | undefined): void {
    if (parent === undefined) {
      this.#keepsAll ||= gap !== undefined;
      return;
    }
    const name = nameOf(parent);
    if (gap) this.#kept.add(name);
    const before = this.#seen.get(name) ?? this.#before[name] ?? this.#ofAll;
    const largest = growths.reduce((most, value) => Math.max(most, value), before);
    if (Number.isFinite(largest)) this.#seen.set(name, largest);
  }

  /** Returns the values for the next run, none of them later than `latest`; undefined for too many parents. */
  next(latest: number): ParentCursor | undefined {
    const values = this.#keepsAll ? { ...this.#before } : {};
    for (const [name, value] of this.#seen) {
      const own = this.#kept.has(name) ? (this.#before[name] ?? this.#ofAll) : Math.min(value, latest);
      if (Number.isFinite(own)) values[name] = own;
    }
    return Object.keys(values).length > MAX_PARENTS ? undefined : values;
  }
}
