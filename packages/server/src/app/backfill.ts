import { STALE_TAGS } from '@datadeck/contract';
import { publishInvalidation } from '../features/notifications/index.ts';
import { backfill } from '../features/sync/index.ts';
import type { Product } from './product.ts';

/** Browsers are told of the progress so often at most, ms: each of them then counts what is left. */
const TOLD_EVERY_MS = 5000;

/** The backfill of this process: one at a time, started at the start, by housekeeping, and after an undo. */
export class Backfill {
  #running: Promise<void> | undefined;
  #isStopped = false;
  readonly #toldAt = new Map<string, number>();

  /**
   * Prepares records that an older version stored, or that an older extraction read, until none is left. Calls while it runs
   * wait for the same run.
   */
  run(product: Product): Promise<void> {
    if (this.#isStopped) return Promise.resolve();
    this.#running ??= this.#prepareAll(product).finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #prepareAll({ background, registry }: Product): Promise<void> {
    const entities = registry.all().flatMap((connector) => connector.entities);
    await backfill(background.db, entities, {
      isStopped: () => this.#isStopped,
      onProgress: async ({ userId }) => {
        if (Date.now() - (this.#toldAt.get(userId) ?? 0) < TOLD_EVERY_MS) return;
        this.#toldAt.set(userId, Date.now());
        await publishInvalidation(background, userId, STALE_TAGS.records);
      },
      onFailure: (source, error) => {
        if (!this.#isStopped)
          background.log.error(
            { err: error, ...source },
            'records could not be prepared; housekeeping tries again',
          );
      },
    });
    this.#toldAt.clear();
  }

  /** Starts a run and logs its failure. */
  wake(product: Product): void {
    this.run(product).catch((error: unknown) => {
      if (!this.#isStopped)
        product.context.log.warn({ err: error }, 'records could not be prepared; housekeeping tries again');
    });
  }

  /** Ends the run after its current step. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running?.catch(() => undefined);
  }
}
