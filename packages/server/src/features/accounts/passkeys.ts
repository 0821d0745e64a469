import { PASSKEY_LIMITS, type Passkey } from '@datadeck/contract';
import { and, count, eq, sql } from 'drizzle-orm';
import { AppError } from '../../platform/app-error.ts';
import type { Context } from '../../platform/context/index.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { newId } from '../../platform/ids.ts';
import {
  endOtherSignIns,
  lockMethods,
  type MethodOwner,
  onlyMethod,
  requireSession,
} from './method-changes.ts';
import { publishEnd } from './sessions.ts';
import { passkeys } from './tables.ts';
import { listIdentities } from './users.ts';

export type StoredPasskey = typeof passkeys.$inferSelect;

/** A passkey as its authenticator made it. */
export type NewPasskey = Pick<
  StoredPasskey,
  'name' | 'credentialId' | 'publicKey' | 'counter' | 'transports' | 'isBackedUp'
>;

function gone(): AppError {
  return new AppError('not-found', 'This passkey does not exist any more.');
}

function toPasskey({ id, name, createdAt, lastUsedAt, isBackedUp }: StoredPasskey): Passkey {
  return {
    _id: id,
    name,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    isBackedUp,
  };
}

function isOwn(userId: string, id: string) {
  return and(eq(passkeys.userId, userId), eq(passkeys.id, id));
}

/** Returns whether any account has a passkey. */
export async function isPasskeyStored(db: Queryable): Promise<boolean> {
  const { rows } = await db.execute<{ found: boolean }>(
    sql`select exists (select from ${passkeys}) as found`,
  );
  return rows[0]?.found === true;
}

/** Returns the stored passkeys of an account, oldest first. */
export function storedPasskeys(db: Queryable, userId: string): Promise<StoredPasskey[]> {
  return db
    .select()
    .from(passkeys)
    .where(eq(passkeys.userId, userId))
    .orderBy(passkeys.createdAt, passkeys.id);
}

/** Lists the passkeys of an account, oldest first. */
export async function listPasskeys(db: Queryable, userId: string): Promise<Passkey[]> {
  return (await storedPasskeys(db, userId)).map(toPasskey);
}

/** Counts the passkeys of an account. */
export async function countPasskeys(db: Queryable, userId: string): Promise<number> {
  const [row] = await db.select({ found: count() }).from(passkeys).where(eq(passkeys.userId, userId));
  return row?.found ?? 0;
}

/**
 * Requires that an account with some passkeys may have another one. Only under `lockMethods` does this hold.
 * @throws AppError limit-reached
 */
export function requirePasskeyRoom(count: number): void {
  const { perUser } = PASSKEY_LIMITS;
  if (count >= perUser)
    throw new AppError('limit-reached', `An account has at most ${perUser} passkeys. Remove one first.`);
}

/** Finds a passkey of an account by the id that its authenticator chose. */
export async function findPasskey(
  db: Queryable,
  userId: string,
  credentialId: string,
): Promise<StoredPasskey | undefined> {
  const [found] = await db
    .select()
    .from(passkeys)
    .where(and(eq(passkeys.userId, userId), eq(passkeys.credentialId, credentialId)));
  return found;
}

/**
 * Adds a passkey to the account of a session.
 * @throws AppError unauthenticated when the session has ended; plan-forbids; limit-reached; passkey-refused when the account
 *   has it already
 */
export async function insertPasskey(
  { db }: Pick<Context, 'db'>,
  owner: MethodOwner,
  passkey: NewPasskey,
): Promise<Passkey> {
  const { userId } = owner;
  return db.transaction(async (tx) => {
    await lockMethods(tx, userId);
    await requireSession(tx, owner);
    requirePasskeyRoom(await countPasskeys(tx, userId));
    const [added] = await tx
      .insert(passkeys)
      .values({ userId, id: newId(), ...passkey })
      .onConflictDoNothing()
      .returning();
    if (!added) throw new AppError('passkey-refused', 'Your account has this passkey already.');
    return toPasskey(added);
  });
}

/** Renames a passkey. @throws AppError not-found */
export async function renamePasskey(
  db: Queryable,
  userId: string,
  { id, name }: { id: string; name: string },
): Promise<void> {
  const renamed = await db.update(passkeys).set({ name }).where(isOwn(userId, id)).returning();
  if (renamed.length === 0) throw gone();
}

/**
 * Removes a passkey and ends all sessions but the current one, as the passkey may have opened them.
 * @throws AppError not-found; last-sign-in-method when the account has no other
 */
export async function removePasskey(
  context: Context,
  owner: { userId: string; token: string },
  id: string,
): Promise<void> {
  const { userId } = owner;
  const ended = await context.db.transaction(async (tx) => {
    await lockMethods(tx, userId);
    const removed = await tx.delete(passkeys).where(isOwn(userId, id)).returning();
    if (removed.length === 0) throw gone();
    const isLast = (await countPasskeys(tx, userId)) === 0 && (await listIdentities(tx, userId)).length === 0;
    if (isLast) throw onlyMethod();
    return endOtherSignIns(tx, owner);
  });
  await publishEnd(context, ended);
}
