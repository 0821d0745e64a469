import {
  isTimeZone,
  LINK_PROVIDER,
  mayChange,
  type Plan,
  type Profile,
  type ProfileChange,
} from '@datadeck/contract';
import { and, eq, lt, ne, sql } from 'drizzle-orm';
import { z } from 'zod';
import { AppError } from '../../platform/app-error.ts';
import type { Context } from '../../platform/context/index.ts';
import type { Database, Queryable } from '../../platform/db/database.ts';
import { newId } from '../../platform/ids.ts';
import { claimFirstAccount } from './first-account.ts';
import { identities, passkeys, sessions, users } from './tables.ts';

export type User = typeof users.$inferSelect;

/** The identity that the provider returned for a sign-in. */
export interface SignedInIdentity {
  issuer: string;
  subject: string;
  /** Empty when the provider sent none. */
  email: string;
  /** Empty when the provider sent none. */
  name: string;
  /** True for an account of the sandbox, which never becomes the administrator as the first one. */
  isSandbox?: boolean;
}

/** Idle time after which a demo workspace is deleted. */
export const DEMO_IDLE_HOURS = 24;

type Identity = typeof identities.$inferSelect;

/** Serialises sign-in, linking and removal of an identity until the transaction ends. Take it before rows of users. */
export async function lockIdentity(
  tx: Queryable,
  { issuer, subject }: Pick<SignedInIdentity, 'issuer' | 'subject'>,
): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`${issuer} ${subject}`}, 0))`);
}

/** Finds the stored row of an identity; undefined when no account has it. */
export async function findIdentity(
  db: Queryable,
  { issuer, subject }: SignedInIdentity,
): Promise<Identity | undefined> {
  const [known] = await db
    .select()
    .from(identities)
    .where(and(eq(identities.issuer, issuer), eq(identities.subject, subject)));
  return known;
}

/** Lists the identities of an account, oldest first. */
export function listIdentities(db: Queryable, userId: string): Promise<Identity[]> {
  return db
    .select()
    .from(identities)
    .where(eq(identities.userId, userId))
    .orderBy(identities.createdAt, identities.id);
}

/**
 * Records a sign-in with a known identity. Updates the row of `users` first, as deletions lock it first.
 * @returns undefined when the account was just deleted
 */
async function updateUser(
  tx: Queryable,
  known: Identity,
  { identity, provider }: { identity: SignedInIdentity; provider: string },
): Promise<User | undefined> {
  const [oldest] = await listIdentities(tx, known.userId);
  const { name, email } = identity;
  // A printed link knows less than its account: the owner may have changed name and address.
  const isSource = oldest?.id === known.id && provider !== LINK_PROVIDER;
  const changes = isSource ? { ...(name && { name }), ...(email && { email, emailVerified: true }) } : {};
  const [user] = await tx
    .update(users)
    .set({ ...changes, seenAt: new Date() })
    .where(eq(users.id, known.userId))
    .returning();
  if (!user) return undefined;
  await tx
    .update(identities)
    .set({ provider, ...(email && { email }) })
    .where(eq(identities.id, known.id));
  return user;
}

async function createUser(
  tx: Queryable,
  { issuer, subject, name, email, isSandbox = false }: SignedInIdentity,
  provider: string,
): Promise<User> {
  const [user] = await tx
    .insert(users)
    .values({
      id: newId(),
      plan: 'standard',
      signInProvider: provider,
      name: name || email || subject,
      email,
    })
    .returning();
  const userId = (user as User).id;
  await tx.insert(identities).values({ issuer, subject, userId, provider, email });
  // The account of a printed link counts once somebody has opened it.
  if (!isSandbox && provider !== LINK_PROVIDER) await claimFirstAccount(tx, userId);
  return user as User;
}

/**
 * Finds the account of an identity, or creates it with the plan `standard`. If the identity is the account's oldest, a
 * new e-mail address or name replaces the stored one; an empty one does not.
 */
export async function findOrCreateUser(
  { db }: Pick<Context, 'db'>,
  identity: SignedInIdentity,
  provider: string,
): Promise<User> {
  return db.transaction(async (tx) => {
    await lockIdentity(tx, identity);
    const known = await findIdentity(tx, identity);
    const user = known && (await updateUser(tx, known, { identity, provider }));
    return user ?? createUser(tx, identity, provider);
  });
}

/** Returns a user by id; undefined when the account does not exist. */
export async function findUser(db: Queryable, id: string): Promise<User | undefined> {
  const [user] = await db.select().from(users).where(eq(users.id, id));
  return user;
}

/**
 * Locks an account's row (FOR KEY SHARE) until the transaction ends, so that its deletion cannot miss rows stored by
 * it. Must be the first lock of the transaction.
 * @throws AppError unauthenticated when the account was deleted
 */
export async function lockAccount(tx: Queryable, userId: string): Promise<void> {
  const locked = await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('key share');
  if (locked.length === 0) throw new AppError('unauthenticated', 'This account does not exist any more.');
}

/**
 * Locks an account's row (FOR UPDATE) until the transaction ends. Waits for transactions that hold `lockAccount` and
 * blocks new ones.
 */
export async function lockAccountForDeletion(tx: Queryable, userId: string): Promise<void> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('update');
}

/** Creates a demo user, in the transaction that fills the workspace. */
export async function createDemoUser(tx: Queryable): Promise<User> {
  const [user] = await tx
    .insert(users)
    .values({ id: newId(), name: 'Demo User', email: 'demo@datadeck.example', plan: 'demo' })
    .returning();
  return user as User;
}

/** Lists the ids of demo users who were idle for `DEMO_IDLE_HOURS`. */
export async function findIdleDemoUsers(context: Context): Promise<string[]> {
  const idleSince = new Date(Date.now() - DEMO_IDLE_HOURS * 3_600_000);
  const rows = await context.db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.plan, 'demo'), lt(users.seenAt, idleSince)));
  return rows.map((row) => row.id);
}

/** Deletes the account row with its identities, passkeys and sessions. The features' data must be deleted before. */
export async function deleteUser(tx: Queryable, userId: string): Promise<void> {
  await tx.delete(sessions).where(eq(sessions.userId, userId));
  await tx.delete(passkeys).where(eq(passkeys.userId, userId));
  await tx.delete(users).where(eq(users.id, userId));
}

/**
 * Finds accounts for the administrator: the one with this id, or all with this e-mail address. Demo users share one
 * address and are excluded.
 */
export async function findUsersByIdOrEmail(db: Queryable, idOrEmail: string): Promise<User[]> {
  const isId = z.uuid().safeParse(idOrEmail).success;
  const isMatch = isId ? eq(users.id, idOrEmail) : sql`lower(${users.email}) = lower(${idOrEmail})`;
  return db
    .select()
    .from(users)
    .where(and(isMatch, ne(users.plan, 'demo')));
}

/** Sets the plan of an account. Administrators use `changePlan`, which adds it to the audit log. */
export async function setPlan(db: Queryable, userId: string, plan: Plan): Promise<void> {
  await db.update(users).set({ plan }).where(eq(users.id, userId));
}

/** @throws AppError validation-failed for a time zone that does not exist */
export function requireTimeZone(timeZone: string): string {
  if (isTimeZone(timeZone)) return timeZone;
  throw new AppError('validation-failed', 'The time zone is not valid.', {
    fields: { timeZone: 'Must be a time zone, such as Europe/Berlin' },
  });
}

/** Requires that no other account has an address, as its own or of a sign-in method. @throws AppError address-taken */
async function requireFreeAddress(tx: Queryable, userId: string, email: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(lower(${email}), 8))`);
  const isTaken = sql<boolean>`
    exists (select from ${users} where lower(${users.email}) = lower(${email}) and ${users.id} <> ${userId})
    or exists (select from ${identities}
      where lower(${identities.email}) = lower(${email}) and ${identities.userId} <> ${userId})`;
  const { rows } = await tx.execute<{ taken: boolean }>(sql`select ${isTaken} as taken`);
  if (rows[0]?.taken !== true) return;
  const reason = 'Another account of this server has this address';
  throw new AppError('address-taken', `${reason}. Enter another one.`, { fields: { email: reason } });
}

/**
 * Changes the profile of an account. A changed address is unverified.
 * @throws AppError validation-failed for a time zone that does not exist; plan-forbids; address-taken; profile-of-provider
 *   when an identity provider sends name and address
 */
export async function updateProfile(
  db: Database,
  { id, plan, signInProvider, email: former }: User,
  { timeZone, name, email }: ProfileChange,
): Promise<void> {
  if (name !== undefined || email !== undefined) {
    if (!mayChange(plan)) throw new AppError('plan-forbids', 'Your plan cannot change name and address.');
    if (signInProvider !== LINK_PROVIDER)
      throw new AppError(
        'profile-of-provider',
        'Name and address of this account are those of its oldest sign-in method. Change them there.',
      );
  }
  const changes = {
    ...(timeZone !== undefined && { timeZone: requireTimeZone(timeZone) }),
    ...(name !== undefined && { name }),
    ...(email !== undefined && email !== former && { email, emailVerified: false }),
  };
  if (Object.keys(changes).length === 0) return;
  await db.transaction(async (tx) => {
    if (changes.email !== undefined) await requireFreeAddress(tx, id, changes.email);
    await tx.update(users).set(changes).where(eq(users.id, id));
  });
}

/** Returns the time zone of an account; UTC before one is chosen. */
export async function readTimeZone(db: Queryable, userId: string): Promise<string> {
  const [user] = await db.select({ timeZone: users.timeZone }).from(users).where(eq(users.id, userId));
  return user?.timeZone ?? 'UTC';
}

/** Returns whether a user wants failures and expiring tokens by mail. */
export async function wantsNoticeMails(db: Queryable, userId: string): Promise<boolean> {
  const [user] = await db.select({ noticeMails: users.noticeMails }).from(users).where(eq(users.id, userId));
  return user?.noticeMails ?? false;
}

/** Switches mails of failures and expiring tokens on or off. */
export async function setNoticeMails(db: Queryable, userId: string, noticeMails: boolean): Promise<void> {
  await db.update(users).set({ noticeMails }).where(eq(users.id, userId));
}

/** Lists all accounts, newest first, for the administrator. */
export async function listUsers(db: Queryable): Promise<User[]> {
  return db.select().from(users).orderBy(sql`${users.createdAt} desc`);
}

/** Returns whether a user is an administrator; a demo user never is. */
export function mayAdminister({ isAdministrator, plan }: Pick<User, 'isAdministrator' | 'plan'>): boolean {
  return isAdministrator && plan !== 'demo';
}

/** Converts a user to the wire format. */
export function toProfile(user: User): Profile {
  return {
    _id: user.id,
    name: user.name,
    email: user.email,
    ...(user.emailVerified ? {} : { isUnverified: true }),
    status: user.plan,
    ...(mayAdminister(user) && { isAdministrator: true }),
    signInProvider: user.signInProvider,
    timeZone: user.timeZone,
  };
}
