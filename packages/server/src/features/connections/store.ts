import {
  type Credentials,
  credentialsSchema,
  type Grant,
  LONGEST_WAIT_MS,
  withinADay,
} from '@datadeck/connectors';
import { and, eq, inArray, isNotNull, ne, sql } from 'drizzle-orm';
import { AppError } from '../../platform/app-error.ts';
import type { Context } from '../../platform/context/index.ts';
import type { Database, Queryable } from '../../platform/db/pool.ts';
import { type Keyring, sealedSchema } from '../../platform/encryption.ts';
import { newId } from '../../platform/ids.ts';
import { StartError } from '../../platform/start-error.ts';
import { lockAccount } from '../accounts/index.ts';
import { connections, quotaGrants } from './tables.ts';

export type Connection = typeof connections.$inferSelect;

/** Encrypts credentials for one user's connection. */
export function sealCredentials(context: Context, userId: string, credentials: Credentials): unknown {
  return context.keyring.seal(JSON.stringify(credentials), userId);
}

/** Whether the key that sealed a connection's credentials is in the ring. */
function hasKeyOf(context: Context, { credentials }: Pick<Connection, 'credentials'>): boolean {
  const sealed = sealedSchema.safeParse(credentials);
  return !sealed.success || context.keyring.has(sealed.data.key);
}

/**
 * The connection itself is well when its key is missing: it works again once the key is back, so nothing is marked.
 * @throws AppError unavailable
 */
export function requireKey(
  context: Context,
  connection: Pick<Connection, 'credentials'>,
  title: string,
): void {
  if (hasKeyOf(context, connection)) return;
  throw new AppError(
    'unavailable',
    `The access to ${title} is stored under an encryption key that this Datadeck does not have. Its operator must add the former key to ENCRYPTION_KEY.`,
  );
}

/** The ids of the keys that sealed stored credentials and are not in the ring. */
async function missingKeys(db: Queryable, keyring: Keyring): Promise<string[]> {
  const { rows } = await db.execute<{ key: string }>(
    sql`select distinct credentials->>'key' as key from connections where credentials->>'key' is not null`,
  );
  return rows.map(({ key }) => key).filter((key) => !keyring.has(key));
}

/**
 * Asked at the start: a wrong key would otherwise show itself in one failed sync after another.
 * @throws StartError when credentials are stored under a key that is not in the ring
 */
export async function requireStoredKeys(db: Queryable, keyring: Keyring): Promise<void> {
  const missing = await missingKeys(db, keyring);
  if (missing.length === 0) return;
  throw new StartError(
    `The providers' tokens are encrypted with another key than ENCRYPTION_KEY (or, without it, DATA_DIR/encryption.key) holds: ${missing.join(', ')} is missing. Set ENCRYPTION_KEY to the key that was used before, or put that one behind the new one after a comma. If it is lost, run 'npm run admin -- forget-tokens': providers must then be connected again.`,
  );
}

/** Forgets the credentials whose key is not in the ring: they must be connected again. @returns how many */
export async function forgetUnreadable(db: Queryable, keyring: Keyring): Promise<number> {
  const missing = await missingKeys(db, keyring);
  const forgotten = await db
    .update(connections)
    .set({ status: 'reconnect-needed', credentials: null })
    .where(inArray(sql`${connections.credentials}->>'key'`, missing))
    .returning({ id: connections.id });
  return forgotten.length;
}

/** Stores all credentials under the first key, so that the others can go. @returns how many it were */
export async function resealCredentials(db: Database, keyring: Keyring): Promise<number> {
  return db.transaction(async (tx) => {
    const stale = await tx
      .select()
      .from(connections)
      .where(ne(sql`${connections.credentials}->>'key'`, keyring.first))
      .for('update');
    for (const { userId, id, credentials } of stale) {
      const text = keyring.open(sealedSchema.parse(credentials), userId);
      await tx
        .update(connections)
        .set({ credentials: keyring.seal(text, userId) })
        .where(and(eq(connections.userId, userId), eq(connections.id, id)));
    }
    return stale.length;
  });
}

/** The decrypted credentials of a connection; undefined when it has none, or when they cannot be opened. */
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
    await lockAccount(tx, userId);
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
      // A renewal of the former grant that is under way must not replace this one.
      renewalOwner: null,
      renewalUntil: null,
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
    const gone = { credentials: null, renewalOwner: null, renewalUntil: null };
    await tx
      .update(connections)
      .set({ status: 'disconnected', ...gone })
      .where(itself);
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

/** A grant: the account is a connection, and connecting again brings another grant to it. */
export type KnownGrant = Pick<Connection, 'userId' | 'id' | 'connectedAt'>;

/** The provider refused a grant: shown on the card, never retried. One that came in its place meanwhile is another. */
export async function markReconnectNeeded(
  db: Queryable,
  { userId, id, connectedAt }: KnownGrant,
): Promise<void> {
  await db
    .update(connections)
    .set({ status: 'reconnect-needed' })
    .where(
      and(
        eq(connections.userId, userId),
        eq(connections.id, id),
        eq(connections.status, 'connected'),
        eq(connections.connectedAt, connectedAt),
      ),
    );
}

/** The instant until which a provider is waited for: a day from now at most, or where it is no time. @param now ms, of the clock that waits */
export function clampWait(until: Date, now: number): Date {
  return new Date(withinADay(until.getTime(), now) ?? now + LONGEST_WAIT_MS);
}

/** The provider asked not to be called before this instant; kept to a day. @param now ms, of the clock that waits */
export async function saveNotBefore(
  db: Queryable,
  { userId, id }: { userId: string; id: string },
  notBefore: Date,
  now = Date.now(),
): Promise<void> {
  const wished = clampWait(notBefore, now).toISOString();
  const latest = new Date(now + LONGEST_WAIT_MS).toISOString();
  // What an earlier version stored is kept to a day as well.
  const kept = sql`least(greatest(${connections.notBefore}, ${wished}::timestamptz), ${latest}::timestamptz)`;
  await db
    .update(connections)
    .set({ notBefore: kept })
    .where(and(eq(connections.userId, userId), eq(connections.id, id)));
}

/** Every connection of a user to any account, of one provider or of all: for what ends with the provider, or the user. */
export async function listConnections(
  db: Queryable,
  userId: string,
  provider?: string,
): Promise<Connection[]> {
  const within = provider === undefined ? undefined : eq(connections.provider, provider);
  return db
    .select()
    .from(connections)
    .where(and(eq(connections.userId, userId), within));
}

/**
 * Gives a connection another id, so that everything stored under the former one belongs to nobody at once. It waits for
 * transactions that hold the connection (`lockConnection`). What the provider has counted of its quota goes along.
 */
export async function replaceConnectionId(
  tx: Queryable,
  { userId, id }: Pick<Connection, 'userId' | 'id'>,
): Promise<void> {
  const connectionId = newId();
  const renamed = await tx
    .update(connections)
    .set({ id: connectionId })
    .where(and(eq(connections.userId, userId), eq(connections.id, id)))
    .returning({ id: connections.id });
  if (renamed.length === 0) return;
  await tx
    .update(quotaGrants)
    .set({ connectionId })
    .where(and(eq(quotaGrants.userId, userId), eq(quotaGrants.connectionId, id)));
}

/** Keeps a connection's id until the transaction ends. @returns false when its data was deleted a moment ago */
export async function lockConnection(
  tx: Queryable,
  { userId, id }: Pick<Connection, 'userId' | 'id'>,
): Promise<boolean> {
  const held = await tx
    .select({ id: connections.id })
    .from(connections)
    .where(and(eq(connections.userId, userId), eq(connections.id, id)))
    .for('key share');
  return held.length > 0;
}

/** Deletes what is noted of the quota of a connection, or of all of a user's. */
export async function deleteQuotaGrants(tx: Queryable, userId: string, connectionId?: string): Promise<void> {
  const within = connectionId === undefined ? undefined : eq(quotaGrants.connectionId, connectionId);
  await tx.delete(quotaGrants).where(and(eq(quotaGrants.userId, userId), within));
}

export async function deleteConnections(tx: Queryable, userId: string): Promise<void> {
  await tx.delete(connections).where(eq(connections.userId, userId));
}
