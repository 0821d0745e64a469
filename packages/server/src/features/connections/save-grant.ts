import type { Credentials, Grant } from '@datadeck/connectors';
import { and, eq, ne } from 'drizzle-orm';
import type { Context } from '../../platform/context/index.ts';
import type { Queryable } from '../../platform/db/pool.ts';
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

/** Adds the stored refresh token to new credentials that have none. */
function withRefreshToken(
  context: Context,
  credentials: Credentials,
  known: Connection | undefined,
): Credentials {
  const refreshToken =
    credentials.refreshToken ?? (known ? openCredentials(context, known)?.refreshToken : undefined);
  return { ...credentials, ...(refreshToken === undefined ? {} : { refreshToken }) };
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
    const values = {
      account,
      status: 'connected' as const,
      isCurrent: true,
      credentials: sealCredentials(context, userId, withRefreshToken(context, credentials, known)),
      connectedAt: new Date(),
      notBefore: null,
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
