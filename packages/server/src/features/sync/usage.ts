import type { EntityDefinition } from '@datadeck/connectors';
import { type AdminAccountDetail, limitRemedy, type Plan, type Usage } from '@datadeck/contract';
import { and, eq, sql } from 'drizzle-orm';
import { AppError } from '../../platform/app-error.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { findUser, type User } from '../accounts/index.ts';
import type { ConnectorRegistry } from '../connections/index.ts';
import { entityTitle } from './disk-use.ts';
import { syncUsage } from './tables.ts';

/** Returns the month of an instant as 'YYYY-MM', UTC. */
export function monthOf(instant: Date): string {
  return instant.toISOString().slice(0, 7);
}

function startOfNextMonth(instant: Date): Date {
  return new Date(Date.UTC(instant.getUTCFullYear(), instant.getUTCMonth() + 1, 1));
}

/** Returns this month's number of runs by entity. */
export async function readUsage(db: Queryable, userId: string, now: Date): Promise<Map<string, number>> {
  const rows = await db
    .select({ entity: syncUsage.entity, runs: syncUsage.runs })
    .from(syncUsage)
    .where(and(eq(syncUsage.userId, userId), eq(syncUsage.month, monthOf(now))));
  return new Map(rows.map((row) => [row.entity, row.runs]));
}

/** Returns a user's runs of this month, by entity, with those that the plan allows. */
export async function listRuns(
  db: Queryable,
  registry: ConnectorRegistry,
  { id, plan }: Pick<User, 'id' | 'plan'>,
): Promise<AdminAccountDetail['runs']> {
  const entities = registry.all().flatMap((connector) => connector.entities);
  const listed = entities.map((entity) => entity.id);
  const used = await readUsage(db, id, new Date());
  return entities.map(({ id: entity, limits }) => ({
    entity,
    title: entityTitle(registry, entity, listed),
    used: used.get(entity) ?? 0,
    allowed: limits[plan].monthlyRuns,
  }));
}

/** Builds an entity's monthly usage for the wire. */
export function toUsage(used: number, allowed: number | null, now: Date): Usage {
  return { used, allowed, resetsAt: startOfNextMonth(now).toISOString() };
}

/** Counts a run towards the month. @throws AppError usage-exhausted when the plan's runs are used up */
export async function countRun(
  tx: Queryable,
  request: { userId: string; entity: EntityDefinition; plan: Plan },
  now: Date,
): Promise<void> {
  const allowed = request.entity.limits[request.plan].monthlyRuns;
  const [row] = await tx
    .insert(syncUsage)
    .values({ userId: request.userId, entity: request.entity.id, month: monthOf(now), runs: 1 })
    .onConflictDoUpdate({
      target: [syncUsage.userId, syncUsage.entity, syncUsage.month],
      set: { runs: sql`${syncUsage.runs} + 1` },
    })
    .returning();
  if (allowed !== null && (row?.runs ?? 0) > allowed) {
    const until = startOfNextMonth(now).toISOString().slice(0, 10);
    const user = await findUser(tx, request.userId);
    const remedy = user ? ` ${limitRemedy(user)}.` : '';
    throw new AppError(
      'usage-exhausted',
      `Your plan allows ${allowed} syncs of this entity per month, and all are used. The limit resets on ${until}.${remedy}`,
    );
  }
}

/** Counts the runs of a history, each in the month in which it started. */
export async function countPastRuns(
  tx: Queryable,
  userId: string,
  runs: readonly { entity: string; createdAt: Date }[],
): Promise<void> {
  const counted = new Map<string, typeof syncUsage.$inferInsert & { runs: number }>();
  for (const { entity, createdAt } of runs) {
    const month = monthOf(createdAt);
    const key = `${entity} ${month}`;
    counted.set(key, { userId, entity, month, runs: (counted.get(key)?.runs ?? 0) + 1 });
  }
  if (counted.size > 0) await tx.insert(syncUsage).values([...counted.values()]);
}

/** Uncounts a run that failed before its first record. */
export async function uncountRun(
  tx: Queryable,
  userId: string,
  entity: string,
  startedAt: Date,
): Promise<void> {
  await tx
    .update(syncUsage)
    .set({ runs: sql`greatest(0, ${syncUsage.runs} - 1)` })
    .where(
      and(
        eq(syncUsage.userId, userId),
        eq(syncUsage.entity, entity),
        eq(syncUsage.month, monthOf(startedAt)),
      ),
    );
}
