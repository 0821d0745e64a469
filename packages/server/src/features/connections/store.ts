import { type Credentials, clampToOneDay, credentialsSchema, MAX_WAIT_MS } from '@datadeck/connectors';
import { and, eq, getTableName, inArray, isNotNull, sql } from 'drizzle-orm';
import { AppError } from '../../platform/app-error.ts';
import type { Context } from '../../platform/context/index.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { type Keyring, sealedSchema } from '../../platform/encryption.ts';
import { newId } from '../../platform/ids.ts';
import {
  listSealingKeys,
  openValue,
  type SealedColumn,
  sealValue,
} from '../../platform/secrets/sealed-columns.ts';
import { StartError } from '../../platform/start-error.ts';
import { connections, quotaGrants } from './tables.ts';

export type Connection = typeof connections.$inferSelect;

/** Tokens and passwords of connections, encrypted. */
export const CREDENTIALS: SealedColumn<Credentials> = {
  table: getTableName(connections),
  column: 'credentials',
  schema: credentialsSchema,
  contextOf: (userId) => userId,
  nameOf: (userId, id) => `the tokens of the connection ${userId}/${id}`,
};

/** Encrypts credentials for one user's connection. */
export function sealCredentials(context: Context, userId: string, credentials: Credentials): unknown {
  return sealValue(context, CREDENTIALS, { userId, value: credentials });
}

/** Returns whether the keyring has the key of a connection's credentials. */
function hasKeyOf(context: Context, { credentials }: Pick<Connection, 'credentials'>): boolean {
  const sealed = sealedSchema.safeParse(credentials);
  return !sealed.success || context.keyring.has(sealed.data.key);
}

/**
 * Throws if a connection's encryption key is missing. Does not change its status: it works again once the key is
 * restored.
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

/** Lists the ids of keys that encrypt stored credentials but are not in the keyring. */
async function missingKeys(db: Queryable, keyring: Keyring): Promise<string[]> {
  return (await listSealingKeys(db, [CREDENTIALS])).filter((key) => !keyring.has(key));
}

/**
 * Checks the encryption keys at startup, so that a wrong key is reported once instead of by every sync.
 * @throws StartError when credentials are stored under a key that is not in the keyring
 */
export async function requireStoredKeys(db: Queryable, keyring: Keyring): Promise<void> {
  const missing = await missingKeys(db, keyring);
  if (missing.length === 0) return;
  throw new StartError(
    `The providers' tokens are encrypted with a key that is missing in ENCRYPTION_KEY (or, without it, in DATA_DIR/encryption.key): ${missing.join(', ')}. Set ENCRYPTION_KEY to the previous key, or append that key to the new one after a comma. If it is lost, run 'datadeck forget-tokens': providers must then be connected again.`,
  );
}

/**
 * Deletes credentials whose key is not in the keyring; their providers must be connected again. @returns the number
 * deleted
 */
export async function deleteUnreadableCredentials(db: Queryable, keyring: Keyring): Promise<number> {
  const missing = await missingKeys(db, keyring);
  const deleted = await db
    .update(connections)
    .set({ status: 'reconnect-needed', credentials: null })
    .where(inArray(sql`${connections.credentials}->>'key'`, missing))
    .returning({ id: connections.id });
  return deleted.length;
}

/** Decrypts the credentials of a connection; returns undefined when it has none or they cannot be decrypted. */
export function openCredentials(
  context: Context,
  connection: Pick<Connection, 'userId' | 'credentials'>,
): Credentials | undefined {
  const { userId, credentials: sealed } = connection;
  return sealed === null ? undefined : openValue(context, CREDENTIALS, { userId, sealed });
}

/** Which accounts of a user to list. */
interface AccountFilter {
  /** Absent: of all providers. */
  provider?: string | undefined;
  /** The name of one account; absent or empty for all. */
  account?: string | undefined;
}

/**
 * Returns the accounts whose records are shown, in the order in which they were first connected. Disconnected accounts are
 * among them while no other account of their provider is connected.
 */
export async function listShownConnections(
  db: Queryable,
  userId: string,
  { provider, account = '' }: AccountFilter = {},
): Promise<Connection[]> {
  return db
    .select()
    .from(connections)
    .where(
      and(
        eq(connections.userId, userId),
        eq(connections.isShown, true),
        provider === undefined ? undefined : eq(connections.provider, provider),
        account === '' ? undefined : eq(connections.account, account),
      ),
    )
    .orderBy(connections.firstConnectedAt, connections.id);
}

/**
 * Finds an account of a provider by its name, shown or not. @throws AppError validation-failed with the field `account`
 */
export async function requireAccount(
  db: Queryable,
  userId: string,
  { key, title }: { key: string; title: string },
  account: string,
): Promise<Connection> {
  const [found] = await db
    .select()
    .from(connections)
    .where(
      and(eq(connections.userId, userId), eq(connections.provider, key), eq(connections.account, account)),
    );
  if (found) return found;
  const message = `${title} has no account with this name. Reload the page, then choose one of the list.`;
  throw new AppError('validation-failed', message, { fields: { account: message } });
}

/** Names an account; an empty title removes its name. */
export async function saveAccountTitle(
  db: Queryable,
  { userId, id }: Pick<Connection, 'userId' | 'id'>,
  title: string,
): Promise<void> {
  await db
    .update(connections)
    .set({ title })
    .where(and(eq(connections.userId, userId), eq(connections.id, id)));
}

/** Returns a connection by id. */
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

/** Creates the connection of a demo workspace, which shows data but cannot call its provider. */
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
    isShown: true,
    credentials: null,
  });
  return id;
}

/**
 * Deletes the tokens of accounts but keeps the rows, because the data refers to them. The records of the accounts stay shown
 * unless another account of the provider stays connected.
 * @returns the accounts that were connected, as they were before the change
 */
export async function markDisconnected(
  tx: Queryable,
  userId: string,
  which: Required<Pick<Connection, 'provider'>> & { ids: readonly string[] },
): Promise<Connection[]> {
  const ofProvider = and(eq(connections.userId, userId), eq(connections.provider, which.provider));
  const all = await tx.select().from(connections).where(ofProvider).orderBy(connections.id).for('update');
  const connected = all.filter(({ status }) => status !== 'disconnected');
  const ended = connected.filter(({ id }) => which.ids.includes(id));
  if (ended.length === 0) return [];
  const noTokens = { credentials: null, expiresAt: null, renewalOwner: null, renewalUntil: null };
  await tx
    .update(connections)
    .set({ status: 'disconnected', isShown: ended.length === connected.length, ...noTokens })
    .where(
      and(
        ofProvider,
        inArray(
          connections.id,
          ended.map(({ id }) => id),
        ),
      ),
    );
  return ended;
}

/** Hides the records of the disconnected accounts of a provider, because another account is connected now. */
export async function hideDisconnected(
  tx: Queryable,
  { userId, provider }: Pick<Connection, 'userId' | 'provider'>,
): Promise<void> {
  await tx
    .update(connections)
    .set({ isShown: false })
    .where(
      and(
        eq(connections.userId, userId),
        eq(connections.provider, provider),
        eq(connections.status, 'disconnected'),
      ),
    );
}

/** Deletes a disconnected account whose data was deleted, with its quota grants. A connected one stays. */
export async function deleteDisconnected(
  tx: Queryable,
  { userId, id }: Pick<Connection, 'userId' | 'id'>,
): Promise<void> {
  const deleted = await tx
    .delete(connections)
    .where(
      and(eq(connections.userId, userId), eq(connections.id, id), eq(connections.status, 'disconnected')),
    )
    .returning({ id: connections.id });
  if (deleted.length > 0) await deleteQuotaGrants(tx, userId, id);
}

/** Returns whether any user still has tokens for the same account at the provider. */
export async function hasTokensForAccount(
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

/** Identifies one grant of a connection; connecting the account again creates another grant. */
export type GrantRef = Pick<Connection, 'userId' | 'id' | 'connectedAt'>;

/** Marks that the provider rejected a grant, so that it is not retried. Does nothing if a newer grant has replaced it. */
export async function markReconnectNeeded(
  db: Queryable,
  { userId, id, connectedAt }: GrantRef,
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

/** Limits a wait for a provider to one day; an invalid date becomes one day. @param now ms, of the clock that waits */
export function clampWait(until: Date, now: number): Date {
  return new Date(clampToOneDay(until.getTime(), now) ?? now + MAX_WAIT_MS);
}

/** Stores until when the provider asked not to be called, limited to one day. @param now ms, of the clock that waits */
export async function saveNotBefore(
  db: Queryable,
  { userId, id }: { userId: string; id: string },
  notBefore: Date,
  now = Date.now(),
): Promise<void> {
  const clamped = clampWait(notBefore, now).toISOString();
  const latest = new Date(now + MAX_WAIT_MS).toISOString();
  // Also limits values that an earlier version stored.
  const kept = sql`least(greatest(${connections.notBefore}, ${clamped}::timestamptz), ${latest}::timestamptz)`;
  await db
    .update(connections)
    .set({ notBefore: kept })
    .where(and(eq(connections.userId, userId), eq(connections.id, id)));
}

/** Lists all accounts of a user, shown or not, of one provider or of all, in the order in which they were first connected. */
export async function listConnections(
  db: Queryable,
  userId: string,
  provider?: string,
): Promise<Connection[]> {
  const byProvider = provider === undefined ? undefined : eq(connections.provider, provider);
  return db
    .select()
    .from(connections)
    .where(and(eq(connections.userId, userId), byProvider))
    .orderBy(connections.firstConnectedAt, connections.id);
}

/** Returns the keys of the providers that users have connected, by user. */
export async function listConnectedProviders(
  db: Queryable,
  userIds: readonly string[],
): Promise<Map<string, string[]>> {
  const rows = await db
    .select({ userId: connections.userId, provider: connections.provider })
    .from(connections)
    .where(and(inArray(connections.userId, [...userIds]), isNotNull(connections.credentials)))
    .groupBy(connections.userId, connections.provider)
    .orderBy(connections.userId, connections.provider);
  const byUser = Map.groupBy(rows, ({ userId }) => userId);
  return new Map([...byUser].map(([userId, all]) => [userId, all.map(({ provider }) => provider)]));
}

/**
 * Assigns a new id to a connection, so that all rows stored under the old one become invisible at once. Waits for
 * transactions that hold `lockConnection`. Quota grants move to the new id.
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

/**
 * Locks a connection's row until the transaction ends, so that its id cannot change. @returns false when its data was
 * just deleted
 */
export async function lockConnection(
  tx: Queryable,
  { userId, id }: Pick<Connection, 'userId' | 'id'>,
): Promise<boolean> {
  const locked = await tx
    .select({ id: connections.id })
    .from(connections)
    .where(and(eq(connections.userId, userId), eq(connections.id, id)))
    .for('key share');
  return locked.length > 0;
}

/** Deletes the quota grants of a connection, or of all of a user's connections. */
export async function deleteQuotaGrants(tx: Queryable, userId: string, connectionId?: string): Promise<void> {
  const byConnection = connectionId === undefined ? undefined : eq(quotaGrants.connectionId, connectionId);
  await tx.delete(quotaGrants).where(and(eq(quotaGrants.userId, userId), byConnection));
}

/** Deletes all connections of a user. */
export async function deleteConnections(tx: Queryable, userId: string): Promise<void> {
  await tx.delete(connections).where(eq(connections.userId, userId));
}
