import { PAGE_SIZES, PLANS, type Plan } from '@datadeck/contract';
import { and, count, desc, eq, gt, inArray, ne, or, sql } from 'drizzle-orm';
import type { Queryable } from '../../platform/db/database.ts';
import { isId } from '../../platform/ids.ts';
import { identities, passkeys, sessions, users } from './tables.ts';
import type { User } from './users.ts';

/** Returns a page of 20 accounts, newest first, without demo accounts. @param search part of a name or address, or an id */
export async function searchUsers(
  db: Queryable,
  { search, page }: { search: string; page: number },
): Promise<{ found: User[]; count: number }> {
  const holds = (column: typeof users.name | typeof users.email) =>
    sql`strpos(lower(${column}), lower(${search})) > 0`;
  const isFound = and(
    ne(users.plan, 'demo'),
    search === ''
      ? undefined
      : or(isId(search) ? eq(users.id, search) : undefined, holds(users.name), holds(users.email)),
  );
  const found = await db
    .select()
    .from(users)
    .where(isFound)
    .orderBy(desc(users.createdAt), desc(users.id))
    .limit(PAGE_SIZES.results)
    .offset((page - 1) * PAGE_SIZES.results);
  const [counted] = await db.select({ n: count() }).from(users).where(isFound);
  return { found, count: counted?.n ?? 0 };
}

/** Returns the keys of the identity providers of accounts, oldest sign-in method first, each once. */
export async function listMethodProviders(
  db: Queryable,
  userIds: readonly string[],
): Promise<Map<string, string[]>> {
  const rows = await db
    .select({ userId: identities.userId, provider: identities.provider })
    .from(identities)
    .where(inArray(identities.userId, [...userIds]))
    .orderBy(identities.createdAt, identities.id);
  const byUser = Map.groupBy(rows, ({ userId }) => userId);
  return new Map(
    [...byUser].map(([userId, all]) => [userId, [...new Set(all.map(({ provider }) => provider))]]),
  );
}

/** Returns which of the accounts have a passkey. */
export async function listPasskeyOwners(db: Queryable, userIds: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .select({ userId: passkeys.userId })
    .from(passkeys)
    .where(inArray(passkeys.userId, [...userIds]))
    .groupBy(passkeys.userId);
  return new Set(rows.map(({ userId }) => userId));
}

/** Returns the number of open sessions of an account. */
export async function countSessions(db: Queryable, userId: string): Promise<number> {
  const [counted] = await db
    .select({ n: count() })
    .from(sessions)
    .where(and(eq(sessions.userId, userId), gt(sessions.expiresAt, sql`now()`)));
  return counted?.n ?? 0;
}

/** Returns the number of accounts of each plan. */
export async function countByPlan(db: Queryable): Promise<Record<Plan, number>> {
  const rows = await db.select({ plan: users.plan, n: count() }).from(users).groupBy(users.plan);
  const counts = new Map(rows.map(({ plan, n }) => [plan, n]));
  return Object.fromEntries(PLANS.map((plan) => [plan, counts.get(plan) ?? 0])) as Record<Plan, number>;
}
