import { type Credentials, Semaphore } from '@datadeck/connectors';

/** Renewals at once at one provider. */
const AT_ONCE = 2;
const NEVER = new AbortController().signal;

/**
 * The renewals of tokens that this process carries out: one of a connection, and few at once at one provider. A provider
 * that does not answer holds up neither pages nor the runs of other providers.
 */
export class Renewals {
  readonly #underWay = new Map<string, Promise<Credentials>>();
  readonly #semaphores = new Map<string, Semaphore>();

  /** Renews the tokens of a connection, or shares in the renewal that is under way. */
  share(
    connection: { provider: string; id: string },
    renew: () => Promise<Credentials>,
  ): Promise<Credentials> {
    const { provider, id } = connection;
    const known = this.#underWay.get(id);
    if (known) return known;
    const renewal = this.#inTurn(provider, renew).finally(() => this.#underWay.delete(id));
    this.#underWay.set(id, renewal);
    return renewal;
  }

  async #inTurn(provider: string, renew: () => Promise<Credentials>): Promise<Credentials> {
    const semaphore = this.#semaphores.get(provider) ?? new Semaphore({ concurrency: AT_ONCE });
    this.#semaphores.set(provider, semaphore);
    await semaphore.acquire(NEVER);
    try {
      return await renew();
    } finally {
      semaphore.release();
    }
  }
}
