import { isConnectionFailure, reasonOf } from '../db/failures.ts';
import type { Logger } from '../log.ts';

/**
 * Does the same work for many users or sources, so that one that fails does not stop the others. A failure is logged with
 * the item's name. An unreachable database ends the work, because every item would fail.
 */
export class Isolated<T> {
  readonly #log: Pick<Logger, 'error'>;
  readonly #what: string;
  readonly #nameOf: (item: T) => string;
  readonly #failures = new Map<string, unknown>();

  /** @param what names the work in the log, e.g. `the search index of a source` @param nameOf names an item */
  constructor(log: Pick<Logger, 'error'>, what: string, nameOf: (item: T) => string) {
    this.#log = log;
    this.#what = what;
    this.#nameOf = nameOf;
  }

  /** Runs the task for one item after the other. @throws connection failures of the database */
  async forEach(items: Iterable<T>, task: (item: T) => Promise<unknown>): Promise<void> {
    for (const item of items) {
      try {
        await task(item);
      } catch (error) {
        if (isConnectionFailure(error)) throw error;
        const name = this.#nameOf(item);
        this.#failures.set(name, error);
        this.#log.error({ err: error, item: name }, `${this.#what} failed; the others continue`);
      }
    }
  }

  /** Returns the items that have not failed. */
  withoutFailed(items: readonly T[]): T[] {
    return items.filter((item) => !this.#failures.has(this.#nameOf(item)));
  }

  /** @throws AggregateError with all failures, so that the job is counted as failed and tried again */
  throwIfFailed(): void {
    if (this.#failures.size === 0) return;
    const [first] = this.#failures;
    throw new AggregateError(
      this.#failures.values(),
      `${this.#what} failed ${this.#failures.size} times, first ${first?.[0]}: ${reasonOf(first?.[1])}`,
    );
  }
}
