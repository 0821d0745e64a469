import type { NoticeRow, Notification, Notifications, WebhookMessage } from '@datadeck/contract';
import { and, desc, eq, isNull, sql } from 'drizzle-orm';
import { notFound } from '../../platform/app-error.ts';
import type { Context } from '../../platform/context/index.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { isId, newId } from '../../platform/ids.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import { wantsNoticeMails } from '../accounts/index.ts';
import { publishInvalidation } from './page-events.ts';
import { type Message, WEBHOOK_QUEUE } from './queue.ts';
import { notifications, webhooks } from './tables.ts';
import { dropMessages } from './webhook.ts';

/** Number of notifications kept per user. */
const MAX_KEPT = 100;
/** Number of notifications in the list. */
const MAX_LISTED = 50;

/** The content of a notification. */
export interface Notice {
  /** The event that the user's webhook receives; null for none. Default: `sync.failed`. */
  event?: WebhookMessage['event'] | null;
  userId: string;
  title: string;
  /** What happened. */
  message: string;
  /** What the user can do about it. */
  advice: string;
  provider: string;
  /** Empty if the notice is about the whole provider. */
  entity: string;
  syncId: string | null;
  /** The view of an alert. */
  viewId?: string;
  deliveryId?: string | undefined;
  rows?: NoticeRow[] | undefined;
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
    viewId: row.viewId,
    deliveryId: row.deliveryId,
    rows: row.rows,
    isRead: row.readAt !== null,
  };
}

/** Returns the newest notifications and the number of all unread ones. */
export async function listNotifications(db: Queryable, userId: string): Promise<Notifications> {
  const rows = await db
    .select()
    .from(notifications)
    .where(eq(notifications.userId, userId))
    .orderBy(desc(notifications.createdAt), desc(notifications.id))
    .limit(MAX_LISTED);
  const [counted] = await db
    .select({ unread: sql<number>`count(*)::int` })
    .from(notifications)
    .where(and(eq(notifications.userId, userId), isNull(notifications.readAt)));
  return { results: rows.map(toNotification), unread: counted?.unread ?? 0 };
}

/** Returns the path of the page where a notification leads. */
function pathOf({ provider, entity, viewId }: Notice): string {
  if (viewId !== undefined)
    return `/dashboard/data/views?${new URLSearchParams({ provider, entity, view: viewId })}`;
  if (entity === '') return '/dashboard/integrations/providers';
  return `/dashboard/integrations/synchronizations?${new URLSearchParams({ details: entity })}`;
}

/** Returns whether a notification of the user is still stored. */
export async function hasNotice(db: Queryable, userId: string, id: string): Promise<boolean> {
  const isThis = and(eq(notifications.userId, userId), eq(notifications.id, id));
  return (await db.select({ id: notifications.id }).from(notifications).where(isThis)).length > 0;
}

async function deleteOldest(tx: Queryable, userId: string): Promise<void> {
  await tx.execute(sql`
    delete from notifications where user_id = ${userId} and id in
      (select id from notifications where user_id = ${userId} order by created_at desc, id desc offset ${MAX_KEPT})`);
}

/**
 * Stores a notification in the caller's transaction, with the jobs that send it to the webhook and by mail. Call `announceNotice`
 * after the commit.
 */
export async function addNotice(tx: Queryable, jobs: Jobs, notice: Notice): Promise<void> {
  const { at, userId, event = 'sync.failed', ...content } = notice;
  const id = newId();
  await tx.insert(notifications).values({ userId, id, createdAt: at, ...content });
  await deleteOldest(tx, userId);
  if (event === null) return;
  const [hook] = await tx.select({ id: webhooks.id }).from(webhooks).where(eq(webhooks.userId, userId));
  const channels = [
    ...(hook ? [{ channel: 'webhook' as const, webhookId: hook.id }] : []),
    ...((await wantsNoticeMails(tx, userId))
      ? [{ channel: 'email' as const, webhookId: '', noticeId: id }]
      : []),
  ];
  const { title, message, advice } = notice;
  const body: WebhookMessage = {
    event,
    entity: notice.entity === '' ? null : notice.entity,
    syncId: notice.syncId,
    message,
    at: at.toISOString(),
  };
  for (const channel of channels) {
    const sent: Message = {
      ...channel,
      userId,
      deliveryId: newId(),
      body: JSON.stringify(body),
      notice: { title, message, advice, path: pathOf(notice) },
      attempts: 0,
    };
    await jobs.send(WEBHOOK_QUEUE.name, sent, { db: tx });
  }
}

/** Makes the user's open pages reload the list, after the commit of a change. */
export async function announceNotice(context: Context, userId: string): Promise<void> {
  await publishInvalidation(context, userId, ['Notifications']);
}

/** Marks one notification, or all, as read. @throws AppError not-found for an unknown id or another user's notification */
export async function markRead(context: Context, userId: string, id?: string): Promise<void> {
  if (id !== undefined && !isId(id)) throw notFound('This notification');
  const isOwn = and(
    eq(notifications.userId, userId),
    id === undefined ? undefined : eq(notifications.id, id),
  );
  const marked = await context.db
    .update(notifications)
    .set({ readAt: sql`coalesce(${notifications.readAt}, now())` })
    .where(isOwn)
    .returning({ id: notifications.id });
  if (id !== undefined && marked.length === 0) throw notFound('This notification');
  await announceNotice(context, userId);
}

/** Deletes a user's notifications and drops queued webhook messages. */
export async function deleteNotifications(tx: Queryable, userId: string): Promise<void> {
  await tx.delete(notifications).where(eq(notifications.userId, userId));
  await dropMessages(tx, userId);
}
