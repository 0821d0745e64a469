import { type Credentials, Semaphore } from '@datadeck/connectors';

/** Maximum number of concurrent renewals per provider. */
const MAX_CONCURRENT_RENEWALS = 2;
const NEVER_ABORTED = new AbortController().signal;

/**
 * Token renewals of this process: one per connection, and few at once per provider. A slow provider delays neither
 * pages nor the runs of other providers.
 */
export class Renewals {
  readonly #inProgress = new Map<string, Promise<Credentials>>();
  readonly #semaphores = new Map<string, Semaphore>();

  /** Renews the tokens of a connection, or joins a renewal in progress. */
  share(
    connection: { provider: string; id: string },
    renew: () => Promise<Credentials>,
  ): Promise<Credentials> {
    const { provider, id } = connection;
    const current = this.#inProgress.get(id);
    if (current) return current;
    const renewal = this.#renewWithLimit(provider, renew).finally(() => this.#inProgress.delete(id));
    this.#inProgress.set(id, renewal);
    return renewal;
  }

  async #renewWithLimit(provider: string, renew: () => Promise<Credentials>): Promise<Credentials> {
    const semaphore =
      this.#semaphores.get(provider) ?? new Semaphore({ concurrency: MAX_CONCURRENT_RENEWALS });
    this.#semaphores.set(provider, semaphore);
    await semaphore.acquire(NEVER_ABORTED);
    try {
      return await renew();
    } finally {
      semaphore.release();
    }
  }
}
