import { type Credentials, credentialsSchema, type Grant } from '@datadeck/connectors';
import { and, eq, isNotNull, ne, sql } from 'drizzle-orm';
import type { Context } from '../../platform/context.ts';
import type { Queryable } from '../../platform/db/pool.ts';
import { sealedSchema } from '../../platform/encryption.ts';
import { newId } from '../../platform/ids.ts';
import { connections, quotaGrants } from './tables.ts';

export type Connection = typeof connections.$inferSelect;

/** Encrypts credentials for one user's connection. */
export function sealCredentials(context: Context, userId: string, credentials: Credentials): unknown {
  return context.keyring.seal(JSON.stringify(credentials), userId);
}

/**
 * The decrypted credentials of a connection; undefined when it has none, or when the key that sealed them is gone: then
 * connecting again is the way out.
 */
export function openCredentials(
  context: Context,
  connection: Pick<Connection, 'userId' | 'credentials'>,
): Credentials | undefined {
  if (connection.credentials === null) return undefined;
  try {
    const text = context.keyring.open(sealedSchema.parse(connection.credentials), connection.userId);
    return credentialsSchema.parse(JSON.parse(text));
  } catch (error) {
    context.log.warn({ err: error }, 'stored credentials cannot be opened');
    return undefined;
  }
}

/** The user's current connection of each provider, disconnected ones included. */
export async function listCurrentConnections(db: Queryable, userId: string): Promise<Connection[]> {
  return db
    .select()
    .from(connections)
    .where(and(eq(connections.userId, userId), eq(connections.isCurrent, true)));
}

/** The connection whose data a provider shows, or undefined before the first connect. */
export async function findCurrentConnection(
  db: Queryable,
  userId: string,
  provider: string,
): Promise<Connection | undefined> {
  const [found] = await db
    .select()
    .from(connections)
    .where(
      and(
        eq(connections.userId, userId),
        eq(connections.provider, provider),
        eq(connections.isCurrent, true),
      ),
    );
  return found;
}

export async function findConnection(
  db: Queryable,
  userId: string,
  id: string,
): Promise<Connection | undefined> {
  const [found] = await db
    .select()
    .from(connections)
    .where(and(eq(connections.userId, userId), eq(connections.id, id)));
  return found;
}

/**
 * Stores a grant. The same account as before finds its data again; another account begins a connection of its own
 * and the first one's data stays with the first.
 */
export async function saveGrant(
  context: Context,
  userId: string,
  provider: string,
  grant: Grant,
): Promise<Connection> {
  return context.db.transaction(async (tx) => {
    const { subject, account } = grant.identity;
    const [known] = await tx
      .select()
      .from(connections)
      .where(
        and(
          eq(connections.userId, userId),
          eq(connections.provider, provider),
          eq(connections.subject, subject),
        ),
      )
      .for('update');
    const refreshToken =
      grant.credentials.refreshToken ?? (known ? openCredentials(context, known)?.refreshToken : undefined);
    const kept: Credentials = {
      ...grant.credentials,
      ...(refreshToken === undefined ? {} : { refreshToken }),
    };
    await tx
      .update(connections)
      .set({ isCurrent: false })
      .where(
        and(
          eq(connections.userId, userId),
          eq(connections.provider, provider),
          ne(connections.subject, subject),
        ),
      );
    const values = {
      account,
      status: 'connected' as const,
      isCurrent: true,
      credentials: sealCredentials(context, userId, kept),
      connectedAt: new Date(),
      notBefore: null,
    };
    const [saved] = await tx
      .insert(connections)
      .values({ userId, id: known?.id ?? newId(), provider, subject, ...values })
      .onConflictDoUpdate({ target: [connections.userId, connections.id], set: values })
      .returning();
    return saved as Connection;
  });
}

/** A demo workspace's connection: shows data, can do nothing. */
export async function createSampleConnection(
  tx: Queryable,
  userId: string,
  provider: string,
  account: string,
): Promise<string> {
  const id = newId();
  await tx.insert(connections).values({
    userId,
    id,
    provider,
    subject: `sample:${provider}`,
    account,
    status: 'sample',
    isCurrent: true,
    credentials: null,
  });
  return id;
}

/**
 * Deletes the tokens, keeps the row: the data belongs to it.
 * @returns the connection as it was, when it was connected
 */
export async function markDisconnected(
  context: Context,
  userId: string,
  id: string,
): Promise<Connection | undefined> {
  const itself = and(eq(connections.userId, userId), eq(connections.id, id));
  return context.db.transaction(async (tx) => {
    const [before] = await tx
      .select()
      .from(connections)
      .where(and(itself, ne(connections.status, 'disconnected')))
      .for('update');
    await tx.update(connections).set({ status: 'disconnected', credentials: null }).where(itself);
    return before;
  });
}

/** Whether a connection to the same account at the provider, of whichever user, still holds tokens. */
export async function isInUse(
  db: Queryable,
  { provider, subject }: Pick<Connection, 'provider' | 'subject'>,
): Promise<boolean> {
  const found = await db
    .select({ id: connections.id })
    .from(connections)
    .where(
      and(
        eq(connections.provider, provider),
        eq(connections.subject, subject),
        isNotNull(connections.credentials),
      ),
    )
    .limit(1);
  return found.length > 0;
}

/** The provider refused the grant: shown on the card, never retried. */
export async function markReconnectNeeded(db: Queryable, userId: string, id: string): Promise<void> {
  await db
    .update(connections)
    .set({ status: 'reconnect-needed' })
    .where(and(eq(connections.userId, userId), eq(connections.id, id), eq(connections.status, 'connected')));
}

/** The provider asked not to be called before this instant. */
export async function saveNotBefore(
  db: Queryable,
  userId: string,
  id: string,
  notBefore: Date,
): Promise<void> {
  await db
    .update(connections)
    .set({ notBefore: sql`greatest(${connections.notBefore}, ${notBefore.toISOString()}::timestamptz)` })
    .where(and(eq(connections.userId, userId), eq(connections.id, id)));
}

/** Every connection of a user, for revoking when the account goes. */
export async function listConnections(db: Queryable, userId: string): Promise<Connection[]> {
  return db.select().from(connections).where(eq(connections.userId, userId));
}

export async function deleteConnections(tx: Queryable, userId: string): Promise<void> {
  await tx.delete(quotaGrants).where(eq(quotaGrants.userId, userId));
  await tx.delete(connections).where(eq(connections.userId, userId));
}
