import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Connector,
  type Credentials,
  lifecycleOf,
  ProviderError,
  untilAborted,
} from '@datadeck/connectors';
import { and, eq } from 'drizzle-orm';
import type { Context } from '../../platform/context/index.ts';
import { RenewalClaim } from './renewal-claim.ts';
import { Renewals } from './renewals.ts';
import { markReconnectNeeded, openCredentials, requireKey, sealCredentials } from './store.ts';
import { connections } from './tables.ts';

/** Tokens that expire sooner than this are renewed before use. */
const EXPIRY_MARGIN_MS = 60_000;
/** Polling interval while another worker renews the token. */
const POLL_MS = 100;
/** Timeout for a token renewal at the provider. */
const RENEWAL_TIMEOUT_MS = 45_000;

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError';
}

function isFresh(credentials: Credentials): boolean {
  return credentials.expiresAt === undefined || credentials.expiresAt - Date.now() > EXPIRY_MARGIN_MS;
}

/**
 * Returns valid credentials of one connection. One worker at a time renews them (`RenewalClaim`); the others read the
 * stored result. A revoked grant marks the connection 'reconnect needed' and is not retried.
 */
export class AccessTokens {
  readonly #context: Context;
  readonly #connector: Connector;
  readonly #renewals: Renewals;
  readonly #userId: string;
  readonly #connectionId: string;
  #current: Credentials | undefined;
  #finding: Promise<Credentials> | undefined;
  /** `connectedAt` of the grant that was read last. */
  #connectedAt: Date | undefined;

  constructor(
    context: Context,
    connector: Connector,
    connection: { userId: string; id: string },
    renewals = new Renewals(),
  ) {
    this.#context = context;
    this.#connector = connector;
    this.#renewals = renewals;
    this.#userId = connection.userId;
    this.#connectionId = connection.id;
  }

  /**
   * Returns valid credentials, renewed if necessary.
   * @param refused true when the provider rejected the last returned token
   * @throws ProviderError reauthorise, AppError unavailable
   */
  async get(refused: boolean): Promise<Credentials> {
    if (!refused && this.#current && isFresh(this.#current)) return this.#current;
    try {
      this.#current = await (refused ? this.#find(this.#current?.accessToken) : this.#findOnce());
      return this.#current;
    } catch (error) {
      if (error instanceof ProviderError && error.failure === 'reauthorise')
        await this.#markReconnectNeeded();
      throw error;
    }
  }

  async #markReconnectNeeded(): Promise<void> {
    const [userId, id, connectedAt] = [this.#userId, this.#connectionId, this.#connectedAt];
    if (connectedAt) await markReconnectNeeded(this.#context.db, { userId, id, connectedAt });
  }

  /** Shares one database lookup between concurrent requests. */
  #findOnce(): Promise<Credentials> {
    this.#finding ??= this.#find(undefined).finally(() => {
      this.#finding = undefined;
    });
    return this.#finding;
  }

  async #find(refusedToken: string | undefined): Promise<Credentials> {
    const isUsable = ({ accessToken }: Credentials) => accessToken !== refusedToken;
    let found = await this.#stored();
    if (!isUsable(found) || !isFresh(found)) found = await this.#renewed(isUsable);
    // A renewal by others may have found the rejected token still valid.
    return isUsable(found) ? found : this.#renewed(isUsable);
  }

  /** Reads the stored credentials, valid or expired. @throws ProviderError reauthorise, AppError unavailable */
  async #stored(): Promise<Credentials> {
    const [row] = await this.#context.db.select().from(connections).where(this.#isThisConnection);
    this.#connectedAt = row?.connectedAt;
    // Another process may have stored credentials under a key that this one does not have.
    if (row) requireKey(this.#context, row, this.#connector.title);
    const stored = row ? openCredentials(this.#context, row) : undefined;
    if (row?.status === 'connected' && stored) return stored;
    throw new ProviderError('reauthorise', `${this.#connector.title} is not connected. Connect it again.`);
  }

  get #isThisConnection() {
    return and(eq(connections.userId, this.#userId), eq(connections.id, this.#connectionId));
  }

  #renewed(isUsable: (stored: Credentials) => boolean): Promise<Credentials> {
    const connection = { provider: this.#connector.key, id: this.#connectionId };
    return this.#renewals.share(connection, () => this.#renew(isUsable));
  }

  /** Renews the tokens, or waits for the worker that does. No transaction is open during the provider call. */
  async #renew(isUsable: (stored: Credentials) => boolean): Promise<Credentials> {
    for (;;) {
      const stored = await this.#stored();
      if (isUsable(stored) && isFresh(stored)) return stored;
      const claimant = { userId: this.#userId, id: this.#connectionId, owner: randomUUID() };
      const claim = await RenewalClaim.acquire(this.#context.db, claimant);
      const renewed = await (claim
        ? this.#renewWithClaim(claim, isUsable)
        : sleep(POLL_MS * (1 + Math.random())));
      if (renewed) return renewed;
    }
  }

  /**
   * Renews the tokens while holding the claim. @returns undefined when the claim was lost, so that the stored tokens
   * must be read
   */
  async #renewWithClaim(
    claim: RenewalClaim,
    isUsable: (stored: Credentials) => boolean,
  ): Promise<Credentials | undefined> {
    try {
      // Another worker may have renewed them just before the claim was taken.
      const stored = await this.#stored();
      if (isUsable(stored) && isFresh(stored)) return stored;
      const answer = lifecycleOf(this.#connector, stored).refresh(stored);
      const renewed = await untilAborted(answer, AbortSignal.timeout(RENEWAL_TIMEOUT_MS)).catch((error) => {
        throw isTimeout(error) ? this.#timeoutError() : error;
      });
      const { method } = stored;
      const credentials = sealCredentials(this.#context, this.#userId, {
        ...renewed,
        ...(method && { method }),
      });
      return (await claim.store(credentials)) ? renewed : undefined;
    } finally {
      await claim.release();
    }
  }

  #timeoutError(): ProviderError {
    const { title } = this.#connector;
    return new ProviderError('unavailable', `${title} did not renew the access in time. Try again later.`);
  }
}
