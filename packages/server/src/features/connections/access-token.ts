import { type Connector, type Credentials, ProviderError } from '@datadeck/connectors';
import { and, eq } from 'drizzle-orm';
import type { Context } from '../../platform/context.ts';
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
  readonly #userId: string;
  readonly #connectionId: string;
  #current: Credentials | undefined;
  #renewing: Promise<Credentials> | undefined;

  constructor(context: Context, connector: Connector, connection: { userId: string; id: string }) {
    this.#context = context;
    this.#connector = connector;
    this.#userId = connection.userId;
    this.#connectionId = connection.id;
  }

  /** @param refused true when the provider just refused the last one. @throws ProviderError reauthorise, AppError unavailable */
  async get(refused: boolean): Promise<Credentials> {
    if (!refused && this.#current && isFresh(this.#current)) return this.#current;
    this.#renewing ??= this.#renew(refused ? this.#current?.accessToken : undefined).finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  async #renew(refusedToken: string | undefined): Promise<Credentials> {
    try {
      const current = await this.#context.db.transaction(async (tx) => {
        const [row] = await tx
          .select()
          .from(connections)
          .where(and(eq(connections.userId, this.#userId), eq(connections.id, this.#connectionId)))
          .for('update');
        // Another process may have stored credentials meanwhile, under a key of its own.
        if (row) requireKey(this.#context, row, this.#connector.title);
        const stored = row ? openCredentials(this.#context, row) : undefined;
        if (row?.status !== 'connected' || !stored) {
          throw new ProviderError(
            'reauthorise',
            `${this.#connector.title} is not connected. Connect it again.`,
          );
        }
        if (stored.accessToken !== refusedToken && isFresh(stored)) return stored;
        const renewed = await this.#connector.authorization.refresh(stored);
        await tx
          .update(connections)
          .set({ credentials: sealCredentials(this.#context, this.#userId, renewed) })
          .where(and(eq(connections.userId, this.#userId), eq(connections.id, this.#connectionId)));
        return renewed;
      });
      this.#current = current;
      return current;
    } catch (error) {
      if (error instanceof ProviderError && error.failure === 'reauthorise') {
        await markReconnectNeeded(this.#context.db, this.#userId, this.#connectionId);
      }
      throw error;
    }
  }
}
