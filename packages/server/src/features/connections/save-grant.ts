import type { Credentials, Grant } from '@datadeck/connectors';
import { and, eq, ne } from 'drizzle-orm';
import type { Context } from '../../platform/context/index.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { newId } from '../../platform/ids.ts';
import { lockAccount } from '../accounts/index.ts';
import { type Connection, openCredentials, sealCredentials } from './store.ts';
import { connections } from './tables.ts';

/** Identifies the connection of an account at a provider. */
type AccountRef = Pick<Connection, 'userId' | 'provider' | 'subject'>;

/** Finds the connection of an account and locks its row. */
async function lockConnectionOf(
  tx: Queryable,
  { userId, provider, subject }: AccountRef,
): Promise<Connection | undefined> {
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
  return known;
}

/** Marks the connections of a user's other accounts at the provider as not current. */
async function hideOtherAccounts(tx: Queryable, { userId, provider, subject }: AccountRef): Promise<void> {
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
}

/** Adds the refresh token of an earlier consent to new credentials of a consent that have none. */
function withRefreshToken(
  context: Context,
  credentials: Credentials,
  known: Connection | undefined,
): Credentials {
  const stored = known && openCredentials(context, known);
  const isSameMethod = (stored?.method ?? credentials.method) === credentials.method;
  const refreshToken = credentials.refreshToken ?? (isSameMethod ? stored?.refreshToken : undefined);
  return { ...credentials, ...(refreshToken === undefined ? {} : { refreshToken }) };
}

/** Returns when credentials expire for good; null if they do not expire or can be renewed. */
function finalExpiry({ expiresAt, refreshToken }: Credentials): Date | null {
  return expiresAt === undefined || refreshToken !== undefined ? null : new Date(expiresAt);
}

/**
 * Stores a grant. A known account keeps its connection and data; another account becomes a new connection, and the data
 * of the first one stays with the first.
 */
export async function saveGrant(
  context: Context,
  userId: string,
  provider: string,
  { identity: { subject, account }, credentials }: Grant,
): Promise<Connection> {
  const ref = { userId, provider, subject };
  return context.db.transaction(async (tx) => {
    await lockAccount(tx, userId);
    const known = await lockConnectionOf(tx, ref);
    await hideOtherAccounts(tx, ref);
    const sealed = withRefreshToken(context, credentials, known);
    const values = {
      account,
      status: 'connected' as const,
      isCurrent: true,
      credentials: sealCredentials(context, userId, sealed),
      connectedAt: new Date(),
      notBefore: null,
      expiresAt: finalExpiry(sealed),
      expiryNotifiedAt: null,
      // A renewal of the previous grant in progress must not overwrite this one.
      renewalOwner: null,
      renewalUntil: null,
    };
    const [saved] = await tx
      .insert(connections)
      .values({ ...ref, id: known?.id ?? newId(), ...values })
      .onConflictDoUpdate({ target: [connections.userId, connections.id], set: values })
      .returning();
    return saved as Connection;
  });
}
