import {
  ALERT_LIMITS,
  type Alert,
  type AlertChannel,
  type AlertDelivery,
  alertChangesSchema,
  type MarkedDelivery,
  PAGE_SIZES,
} from '@datadeck/contract';
import { and, asc, count, desc, eq, lt, sql } from 'drizzle-orm';
import { notFound } from '../../platform/app-error.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { alertDeliveries, alerts } from './tables.ts';

export type DeliveryRow = typeof alertDeliveries.$inferSelect;

/** Converts a delivery to its wire format. */
export function toDelivery(row: DeliveryRow): AlertDelivery {
  return {
    _id: row.id,
    alertId: row.alertId,
    createdAt: row.createdAt.toISOString(),
    channel: row.channel,
    isTest: row.isTest,
    title: row.title,
    changes: alertChangesSchema.parse(JSON.parse(row.changes)),
    status: row.status,
    attempts: row.attempts,
    outcome: row.outcome,
    settledAt: row.settledAt?.toISOString() ?? null,
  };
}

/**
 * Returns the last delivery of each alert, by its id. Of the channels of one message, one that failed comes before one that
 * waits, and both before those that were delivered.
 */
export async function readLastDeliveries(
  db: Queryable,
  userId: string,
): Promise<Map<string, NonNullable<Alert['lastDelivery']>>> {
  const { alertId, createdAt, channel, isTest, status, outcome } = alertDeliveries;
  const rows = await db
    .selectDistinctOn([alertId], { alertId, createdAt, channel, isTest, status, outcome })
    .from(alertDeliveries)
    .where(eq(alertDeliveries.userId, userId))
    .orderBy(alertId, desc(createdAt), sql`array_position(array['failed', 'waiting'], ${status})`, channel);
  return new Map(
    rows.map(({ alertId: id, ...last }) => [id, { ...last, createdAt: last.createdAt.toISOString() }]),
  );
}

/** Returns a page of 20 deliveries, newest first, of all alerts or of one. */
export async function listDeliveries(
  db: Queryable,
  userId: string,
  { alert, page }: { alert?: string | undefined; page: number },
): Promise<{ results: AlertDelivery[]; count: number }> {
  const chosen = and(
    eq(alertDeliveries.userId, userId),
    alert === undefined ? undefined : eq(alertDeliveries.alertId, alert),
  );
  const rows = await db
    .select()
    .from(alertDeliveries)
    .where(chosen)
    .orderBy(desc(alertDeliveries.createdAt), asc(alertDeliveries.channel), asc(alertDeliveries.id))
    .limit(PAGE_SIZES.results)
    .offset((page - 1) * PAGE_SIZES.results);
  const [counted] = await db.select({ n: count() }).from(alertDeliveries).where(chosen);
  return { results: rows.map(toDelivery), count: counted?.n ?? 0 };
}

/** Stores deliveries and deletes the user's oldest beyond the limit, those that still wait to be sent last. */
export async function insertDeliveries(
  tx: Queryable,
  userId: string,
  rows: readonly (typeof alertDeliveries.$inferInsert)[],
): Promise<DeliveryRow[]> {
  const stored = await tx
    .insert(alertDeliveries)
    .values([...rows])
    .returning();
  await tx.execute(sql`
    delete from alert_deliveries where user_id = ${userId} and id in (
      select id from alert_deliveries where user_id = ${userId}
      order by status = 'waiting' desc, created_at desc, id desc offset ${ALERT_LIMITS.deliveries})`);
  return stored;
}

/** Reads a delivery of the user with what marks its new rows. @throws AppError not-found */
export async function readDelivery(db: Queryable, userId: string, id: string): Promise<MarkedDelivery> {
  const [found] = await db
    .select({ delivery: alertDeliveries, keyField: alerts.keyField })
    .from(alertDeliveries)
    .innerJoin(alerts, and(eq(alerts.userId, alertDeliveries.userId), eq(alerts.id, alertDeliveries.alertId)))
    .where(and(eq(alertDeliveries.userId, userId), eq(alertDeliveries.id, id), eq(alerts.userId, userId)));
  if (!found) throw notFound('This delivery');
  const { delivery, keyField } = found;
  return { ...toDelivery(delivery), keyField, newKeys: delivery.newKeys };
}

/** Finds a delivery that is still to be sent. */
export async function findWaiting(
  db: Queryable,
  userId: string,
  deliveryId: string,
): Promise<DeliveryRow | undefined> {
  const [row] = await db
    .select()
    .from(alertDeliveries)
    .where(
      and(
        eq(alertDeliveries.userId, userId),
        eq(alertDeliveries.id, deliveryId),
        eq(alertDeliveries.status, 'waiting'),
      ),
    );
  return row;
}

/** Stores the result of an attempt. */
export async function updateDelivery(
  tx: Queryable,
  { userId, id }: Pick<DeliveryRow, 'userId' | 'id'>,
  change: Pick<DeliveryRow, 'status' | 'attempts' | 'outcome' | 'settledAt'>,
): Promise<void> {
  await tx
    .update(alertDeliveries)
    .set(change)
    .where(and(eq(alertDeliveries.userId, userId), eq(alertDeliveries.id, id)));
}

/** Deletes deliveries of all users after 30 days. */
export async function deleteOldDeliveries(db: Queryable): Promise<void> {
  const age = sql`now() - make_interval(days => ${ALERT_LIMITS.deliveryDays})`;
  await db.delete(alertDeliveries).where(lt(alertDeliveries.createdAt, age));
}

/** The channels of an alert, in the order of their display. */
export function channelsOf(alert: {
  bell: boolean;
  email: boolean;
  webhookUrl: string;
  ntfyUrl: string;
}): AlertChannel[] {
  return [
    ...(alert.bell ? (['bell'] as const) : []),
    ...(alert.email ? (['email'] as const) : []),
    ...(alert.webhookUrl === '' ? [] : (['webhook'] as const)),
    ...(alert.ntfyUrl === '' ? [] : (['ntfy'] as const)),
  ];
}
