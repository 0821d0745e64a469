import type { Notification, Notifications, WebhookMessage } from '@datadeck/contract';
import { and, desc, eq, isNull, sql } from 'drizzle-orm';
import { notFound } from '../../platform/app-error.ts';
import type { Context } from '../../platform/context/index.ts';
import type { Queryable } from '../../platform/db/pool.ts';
import { isId, newId } from '../../platform/ids.ts';
import { publishInvalidation } from './page-events.ts';
import { enqueueDelivery } from './queue.ts';
import { notifications, webhookDeliveries, webhooks } from './tables.ts';

/** Notifications of a user that are kept. */
const KEPT = 100;
/** Notifications that the list shows. */
const SHOWN = 50;

/** What a user is told. */
export interface Notice {
  title: string;
  /** What happened. */
  message: string;
  /** What the user can do about it. */
  advice: string;
  provider: string;
  entity: string;
  syncId: string | null;
  at: Date;
}

function toNotification(row: typeof notifications.$inferSelect): Notification {
  return {
    _id: row.id,
    created_at: row.createdAt.toISOString(),
    title: row.title,
    message: row.message,
    advice: row.advice,
    providerId: row.provider,
    entityLabel: row.entity,
    syncId: row.syncId,
    isRead: row.readAt !== null,
  };
}

/** The newest notifications, and how many of all are unread. */
export async function listNotifications(db: Queryable, userId: string): Promise<Notifications> {
  const rows = await db
    .select()
    .from(notifications)
    .where(eq(notifications.userId, userId))
    .orderBy(desc(notifications.createdAt), desc(notifications.id))
    .limit(SHOWN);
  const [counted] = await db
    .select({ unread: sql<number>`count(*)::int` })
    .from(notifications)
    .where(and(eq(notifications.userId, userId), isNull(notifications.readAt)));
  return { results: rows.map(toNotification), unread: counted?.unread ?? 0 };
}

async function forgetOldest(tx: Queryable, userId: string): Promise<void> {
  await tx.execute(sql`
    delete from notifications where user_id = ${userId} and id in
      (select id from notifications where user_id = ${userId} order by created_at desc, id desc offset ${KEPT})`);
}

/**
 * Notifies a user within the caller's transaction, of which the message to the webhook is a part.
 * @returns the message's id, for `announceNotice` after the commit; undefined without a webhook
 */
export async function addNotice(tx: Queryable, userId: string, notice: Notice): Promise<string | undefined> {
  const { at, ...told } = notice;
  await tx.insert(notifications).values({ userId, id: newId(), createdAt: at, ...told });
  await forgetOldest(tx, userId);
  const [hook] = await tx
    .select({ userId: webhooks.userId })
    .from(webhooks)
    .where(eq(webhooks.userId, userId));
  if (!hook) return undefined;
  const message: WebhookMessage = {
    event: 'sync.failed',
    entity: notice.entity,
    syncId: notice.syncId,
    message: notice.message,
    at: at.toISOString(),
  };
  const id = newId();
  await tx.insert(webhookDeliveries).values({ userId, id, body: JSON.stringify(message), dueAt: new Date() });
  return id;
}

/** Tells the user's open pages that the list changed. */
async function publish(context: Context, userId: string): Promise<void> {
  await publishInvalidation(context, userId, ['Notifications']);
}

/** After the commit: shows the notice on open pages, and wakes the delivery of its message. */
export async function announceNotice(
  context: Context,
  userId: string,
  deliveryId: string | undefined,
): Promise<void> {
  await publish(context, userId);
  if (deliveryId !== undefined) await enqueueDelivery(context, userId, deliveryId);
}

/** Marks one notification as read, or all. @throws AppError not-found for an unknown or foreign id */
export async function markRead(context: Context, userId: string, id?: string): Promise<void> {
  if (id !== undefined && !isId(id)) throw notFound('This notification');
  const mine = and(eq(notifications.userId, userId), id === undefined ? undefined : eq(notifications.id, id));
  const marked = await context.db
    .update(notifications)
    .set({ readAt: sql`coalesce(${notifications.readAt}, now())` })
    .where(mine)
    .returning({ id: notifications.id });
  if (id !== undefined && marked.length === 0) throw notFound('This notification');
  await publish(context, userId);
}

/** Deletes a user's notifications and what is on its way to the webhook. */
export async function deleteNotifications(tx: Queryable, userId: string): Promise<void> {
  await tx.delete(notifications).where(eq(notifications.userId, userId));
  await tx.delete(webhookDeliveries).where(eq(webhookDeliveries.userId, userId));
}
