import { type Connector, type Credentials, ProviderError } from '@datadeck/connectors';
import { and, eq } from 'drizzle-orm';
import type { Context } from '../../platform/context.ts';
import type { Queryable } from '../../platform/db/pool.ts';
import { Renewals } from './renewals.ts';
import { markReconnectNeeded, openCredentials, requireKey, sealCredentials } from './store.ts';
import { connections } from './tables.ts';

/** A token that lives shorter than this is renewed before use. */
const MARGIN_MS = 60_000;

function isFresh(credentials: Credentials): boolean {
  return credentials.expiresAt === undefined || credentials.expiresAt - Date.now() > MARGIN_MS;
}

/**
 * Gives usable credentials of one connection. One worker at a time refreshes (row lock), the others take what it stored.
 * A dead grant marks the connection 'reconnect needed' and is not tried again.
 */
export class AccessTokens {
  readonly #context: Context;
  readonly #connector: Connector;
  readonly #renewals: Renewals;
  readonly #userId: string;
  readonly #connectionId: string;
  #current: Credentials | undefined;
  /** When the grant was given that was looked at last. */
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

  /** @param refused true when the provider just refused the last one. @throws ProviderError reauthorise, AppError unavailable */
  async get(refused: boolean): Promise<Credentials> {
    if (!refused && this.#current && isFresh(this.#current)) return this.#current;
    try {
      this.#current = await this.#find(refused ? this.#current?.accessToken : undefined);
      return this.#current;
    } catch (error) {
      if (error instanceof ProviderError && error.failure === 'reauthorise') await this.#giveUp();
      throw error;
    }
  }

  async #giveUp(): Promise<void> {
    const [userId, id, connectedAt] = [this.#userId, this.#connectionId, this.#connectedAt];
    if (connectedAt) await markReconnectNeeded(this.#context.db, { userId, id, connectedAt });
  }

  async #find(refusedToken: string | undefined): Promise<Credentials> {
    const isUsable = ({ accessToken }: Credentials) => accessToken !== refusedToken;
    let found = await this.#stored(this.#context.db);
    if (!isUsable(found) || !isFresh(found)) found = await this.#renewed(isUsable);
    // The renewal of others may have found the token that was refused here.
    return isUsable(found) ? found : this.#renewed(isUsable);
  }

  /** What is stored, whatever its age. @throws ProviderError reauthorise, AppError unavailable */
  async #stored(db: Queryable, isLocking = false): Promise<Credentials> {
    const query = db.select().from(connections).where(this.#itself);
    const [row] = await (isLocking ? query.for('update') : query);
    this.#connectedAt = row?.connectedAt;
    // Another process may have stored credentials meanwhile, under a key of its own.
    if (row) requireKey(this.#context, row, this.#connector.title);
    const stored = row ? openCredentials(this.#context, row) : undefined;
    if (row?.status === 'connected' && stored) return stored;
    throw new ProviderError('reauthorise', `${this.#connector.title} is not connected. Connect it again.`);
  }

  get #itself() {
    return and(eq(connections.userId, this.#userId), eq(connections.id, this.#connectionId));
  }

  #renewed(isUsable: (stored: Credentials) => boolean): Promise<Credentials> {
    const connection = { provider: this.#connector.key, id: this.#connectionId };
    return this.#renewals.share(connection, () => this.#renew(isUsable));
  }

  #renew(isUsable: (stored: Credentials) => boolean): Promise<Credentials> {
    return this.#context.db.transaction(async (tx) => {
      const stored = await this.#stored(tx, true);
      if (isUsable(stored) && isFresh(stored)) return stored;
      const renewed = await this.#connector.authorization.refresh(stored);
      const credentials = sealCredentials(this.#context, this.#userId, renewed);
      await tx.update(connections).set({ credentials }).where(this.#itself);
      return renewed;
    });
  }
}
