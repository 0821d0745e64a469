import type { Notification, Notifications, WebhookMessage } from '@datadeck/contract';
import { and, desc, eq, isNull, sql } from 'drizzle-orm';
import { notFound } from '../../platform/app-error.ts';
import type { Context } from '../../platform/context/index.ts';
import type { Queryable } from '../../platform/db/pool.ts';
import { isId, newId } from '../../platform/ids.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import { publishInvalidation } from './page-events.ts';
import { type Message, WEBHOOK_QUEUE } from './queue.ts';
import { notifications, webhooks } from './tables.ts';
import { dropMessages } from './webhook.ts';

/** Notifications of a user that are kept. */
const KEPT = 100;
/** Notifications that the list shows. */
const SHOWN = 50;

/** The content of a notification. */
export interface Notice {
  userId: string;
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
 * Notifies a user within the caller's transaction, which stores the job for the message to the webhook as well.
 * `announceNotice` follows after the commit.
 */
export async function addNotice(tx: Queryable, jobs: Jobs, notice: Notice): Promise<void> {
  const { at, userId, ...content } = notice;
  await tx.insert(notifications).values({ userId, id: newId(), createdAt: at, ...content });
  await forgetOldest(tx, userId);
  const [hook] = await tx.select({ id: webhooks.id }).from(webhooks).where(eq(webhooks.userId, userId));
  if (!hook) return;
  const body: WebhookMessage = {
    event: 'sync.failed',
    entity: notice.entity,
    syncId: notice.syncId,
    message: notice.message,
    at: at.toISOString(),
  };
  const message: Message = {
    userId,
    webhookId: hook.id,
    deliveryId: newId(),
    body: JSON.stringify(body),
    attempts: 0,
  };
  await jobs.send(WEBHOOK_QUEUE.name, message, { db: tx });
}

/** Reloads the list on the user's open pages, after the commit of a change. */
export async function announceNotice(context: Context, userId: string): Promise<void> {
  await publishInvalidation(context, userId, ['Notifications']);
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
  await announceNotice(context, userId);
}

/** Deletes a user's notifications; messages on their way to the webhook do not arrive any more. */
export async function deleteNotifications(tx: Queryable, userId: string): Promise<void> {
  await tx.delete(notifications).where(eq(notifications.userId, userId));
  await dropMessages(tx, userId);
}
