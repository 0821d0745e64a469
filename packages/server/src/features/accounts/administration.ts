import type { Plan } from '@datadeck/contract';
import { and, eq, ne } from 'drizzle-orm';
import { AppError, notFound } from '../../platform/app-error.ts';
import type { Context } from '../../platform/context/index.ts';
import type { Database, Queryable } from '../../platform/db/database.ts';
import { type Actor, recordAction } from './audit-log.ts';
import { announceSessionsEnd } from './sessions.ts';
import { sessions, signInTokens, users } from './tables.ts';
import { setPlan, type User } from './users.ts';

/** Returns the error for what only administrators may do. */
export function administratorOnly(): AppError {
  return new AppError('administrator-only', 'Only an administrator of this server may do this.');
}

/** Who changes which account. */
export interface AccountChange {
  actor: Actor;
  accountId: string;
}

/**
 * Locks an account that an administrator changes. Writes of its user do not wait.
 * @throws AppError not-found; also for demo accounts, which no administrator changes
 */
export async function lockAdministeredAccount(tx: Queryable, accountId: string): Promise<User> {
  const [user] = await tx
    .select()
    .from(users)
    .where(and(eq(users.id, accountId), ne(users.plan, 'demo')))
    .for('no key update');
  if (!user) throw notFound('This account');
  return user;
}

/** Changes the plan of an account. @throws AppError not-found */
export async function changePlan(
  db: Database,
  { actor, accountId }: AccountChange,
  plan: Exclude<Plan, 'demo'>,
): Promise<void> {
  await db.transaction(async (tx) => {
    const { plan: former } = await lockAdministeredAccount(tx, accountId);
    if (former === plan) return;
    await setPlan(tx, accountId, plan);
    await recordAction(tx, { actor, action: 'plan-changed', accountId, detail: `${former} → ${plan}` });
  });
}

/** Marks the address of an account as verified. @throws AppError not-found */
export async function verifyAddress(db: Database, { actor, accountId }: AccountChange): Promise<void> {
  await db.transaction(async (tx) => {
    if ((await lockAdministeredAccount(tx, accountId)).emailVerified) return;
    await tx.update(users).set({ emailVerified: true }).where(eq(users.id, accountId));
    await recordAction(tx, { actor, action: 'address-verified', accountId });
  });
}

/**
 * Locks all administrators, so that two who end each other's rights wait for one another.
 * @returns whether the account is the only one
 * @throws AppError administrator-only when the actor has just lost the rights
 */
async function isLastAdministrator(tx: Queryable, { actor, accountId }: AccountChange): Promise<boolean> {
  const rows = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.isAdministrator, true), ne(users.plan, 'demo')))
    .orderBy(users.id)
    .for('no key update');
  const ids = rows.map(({ id }) => id);
  if (actor.kind === 'account' && !ids.includes(actor.id)) throw administratorOnly();
  return ids.length === 1 && ids[0] === accountId;
}

/**
 * Makes an account an administrator, or ends that.
 * @throws AppError not-found; last-administrator, except from the shell; administrator-only
 */
export async function setAdministrator(
  db: Database,
  change: AccountChange,
  isAdministrator: boolean,
): Promise<void> {
  const { actor, accountId } = change;
  await db.transaction(async (tx) => {
    const isLast = await isLastAdministrator(tx, change);
    if ((await lockAdministeredAccount(tx, accountId)).isAdministrator === isAdministrator) return;
    if (isLast && actor.kind !== 'shell')
      throw new AppError(
        'last-administrator',
        'This is the only administrator. Make another account an administrator first, or run `datadeck users --no-admin` on the server.',
      );
    await tx.update(users).set({ isAdministrator }).where(eq(users.id, accountId));
    const action = isAdministrator ? 'administrator-granted' : 'administrator-revoked';
    await recordAction(tx, { actor, action, accountId });
  });
}

/** Ends all sessions and unused sign-in links of an account. @throws AppError not-found */
export async function signOutEverywhere(
  context: Context,
  { actor, accountId }: AccountChange,
): Promise<void> {
  await context.db.transaction(async (tx) => {
    await lockAdministeredAccount(tx, accountId);
    await tx.delete(sessions).where(eq(sessions.userId, accountId));
    await tx.delete(signInTokens).where(eq(signInTokens.userId, accountId));
    await recordAction(tx, { actor, action: 'signed-out', accountId });
  });
  await announceSessionsEnd(context, accountId);
}

/**
 * Requires that an account which another one deletes is no administrator. Their owners may delete such accounts, also the last one.
 * @throws AppError administrator-account
 */
export function requireNoAdministrator({ isAdministrator }: Pick<User, 'isAdministrator'>): void {
  if (isAdministrator)
    throw new AppError(
      'administrator-account',
      'This account is an administrator. Remove these rights first, or let its owner delete it on the Account screen.',
    );
}
