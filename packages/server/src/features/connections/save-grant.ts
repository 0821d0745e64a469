import { type Credentials, type Grant, storable } from '@datadeck/connectors';
import { BOUND_ADDRESS } from '@datadeck/connectors/declarative';
import { BOUNDS } from '@datadeck/contract';
import { AppError } from '../../platform/app-error.ts';
import type { Context } from '../../platform/context/index.ts';
import { newId } from '../../platform/ids.ts';
import { lockAccount } from '../accounts/index.ts';
import {
  type Connection,
  hideDisconnected,
  listConnections,
  openCredentials,
  sealCredentials,
} from './store.ts';
import { connections } from './tables.ts';

/** Length kept free for the number of an account, UTF-16 units. */
const SUFFIX_LENGTH = 8;

/** Returns a text without what does not fit into the name of an account. */
function clipped(account: string): string {
  return account.slice(0, BOUNDS.accountName - SUFFIX_LENGTH).toWellFormed();
}

/**
 * Returns the name of an account that no other account of the provider has: `ada@example.org`, or `ada@example.org (2)` for
 * another subject of this name. A known account keeps its number.
 */
function nameAccount(account: string, known: Connection | undefined, others: ReadonlySet<string>): string {
  const base = clipped(storable(account).trim()) || 'account';
  const isNumbered =
    known?.account.startsWith(`${base} (`) && /^ \(\d+\)$/.test(known.account.slice(base.length));
  if (known && (known.account === base || isNumbered)) return known.account;
  for (let number = 1; ; number++) {
    const name = number === 1 ? base : `${base} (${number})`;
    if (!others.has(name)) return name;
  }
}

/** Adds the refresh token of an earlier consent to new credentials of a consent that have none, for the same addresses. */
function withRefreshToken(
  context: Context,
  credentials: Credentials,
  known: Connection | undefined,
): Credentials {
  const stored = known && openCredentials(context, known);
  const isSameMethod = (stored?.method ?? credentials.method) === credentials.method;
  const isSameAddress = stored?.fields?.[BOUND_ADDRESS] === credentials.fields?.[BOUND_ADDRESS];
  const kept = isSameMethod && isSameAddress ? stored?.refreshToken : undefined;
  const refreshToken = credentials.refreshToken ?? kept;
  return { ...credentials, ...(refreshToken === undefined ? {} : { refreshToken }) };
}

/** Returns when credentials expire for good; null if they do not expire or can be renewed. */
function finalExpiry({ expiresAt, refreshToken }: Credentials): Date | null {
  return expiresAt === undefined || refreshToken !== undefined ? null : new Date(expiresAt);
}

/** An account as it was stored, and whether it was connected before. */
export interface SavedAccount {
  connection: Connection;
  isKnown: boolean;
}

/**
 * Stores a grant. A known account keeps its connection and data; another account becomes a further connection of the provider.
 * @throws AppError validation-failed when the provider has too many accounts
 */
export async function saveGrant(
  context: Context,
  userId: string,
  provider: string,
  { identity: { subject, account }, credentials }: Grant,
): Promise<SavedAccount> {
  return context.db.transaction(async (tx) => {
    await lockAccount(tx, userId);
    const all = await listConnections(tx, userId, provider);
    const known = all.find((one) => one.subject === subject);
    if (!known && all.length >= BOUNDS.accountsPerProvider)
      throw new AppError(
        'validation-failed',
        `A provider may have ${BOUNDS.accountsPerProvider} accounts. Delete the data of a disconnected one first.`,
      );
    await hideDisconnected(tx, { userId, provider });
    const sealed = withRefreshToken(context, credentials, known);
    const others = new Set(all.filter((one) => one !== known).map((one) => one.account));
    const values = {
      account: nameAccount(account, known, others),
      status: 'connected' as const,
      isShown: true,
      credentials: sealCredentials(context, userId, sealed),
      connectedAt: new Date(),
      notBefore: null,
      expiresAt: finalExpiry(sealed),
      expiryNotifiedAt: null,
      // A renewal of the previous grant in progress must not overwrite this one.
      renewalOwner: null,
      renewalUntil: null,
    };
    const [connection] = await tx
      .insert(connections)
      .values({ userId, provider, subject, id: known?.id ?? newId(), ...values })
      .onConflictDoUpdate({ target: [connections.userId, connections.id], set: values })
      .returning();
    return {
      connection: connection as Connection,
      isKnown: known !== undefined && known.status !== 'disconnected',
    };
  });
}
