import type {
  CheckedWebhook,
  SavedWebhook,
  Webhook,
  WebhookMessage,
  WebhookOutcome,
} from '@datadeck/contract';
import { and, eq, getTableName } from 'drizzle-orm';
import { z } from 'zod';
import { notFound } from '../../platform/app-error.ts';
import type { Context } from '../../platform/context/index.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { newId, newSecret } from '../../platform/ids.ts';
import { openValue, type SealedColumn, sealValue } from '../../platform/secrets/sealed-columns.ts';
import { lockAccount, wantsNoticeMails } from '../accounts/index.ts';
import { mailAddressOf } from './mail-to-user.ts';
import { type NoticeText, noticeBody, shorten } from './notice-text.ts';
import { postSigned, postToNtfy } from './post.ts';
import type { Message } from './queue.ts';
import type { Site } from './site.ts';
import { webhooks } from './tables.ts';

const openedSchema = z.object({ url: z.string(), secret: z.string() });
type OpenedWebhook = z.infer<typeof openedSchema>;
type WebhookRow = typeof webhooks.$inferSelect;

async function findWebhook(db: Queryable, userId: string): Promise<WebhookRow | undefined> {
  const [row] = await db.select().from(webhooks).where(eq(webhooks.userId, userId));
  return row;
}

/** URLs (they may contain a key) and signing secrets of webhooks, encrypted. */
export const WEBHOOK_SECRETS: SealedColumn<OpenedWebhook> = {
  table: getTableName(webhooks),
  column: 'sealed',
  schema: openedSchema,
  contextOf: (userId) => userId,
  nameOf: (userId) => `the webhook of the user ${userId}`,
};

/** Decrypts URL and secret; returns undefined when their key is missing, so that the user must set the webhook again. */
function open(context: Context, row: WebhookRow): OpenedWebhook | undefined {
  return openValue(context, WEBHOOK_SECRETS, row);
}

function outcomeOf({ lastAt, isDelivered, status, message }: WebhookRow): WebhookOutcome | null {
  if (lastAt === null) return null;
  return { at: lastAt.toISOString(), isDelivered: isDelivered ?? false, status, message: message ?? '' };
}

/** Returns the user's webhook and the outcome of its last delivery, without the secret, and whether mails are sent. */
export async function readWebhook(context: Context, userId: string): Promise<Webhook> {
  const row = await findWebhook(context.db, userId);
  const opened = row && open(context, row);
  return {
    url: opened?.url ?? '',
    format: row?.format ?? 'json',
    last: row && opened ? outcomeOf(row) : null,
    email: await wantsNoticeMails(context.db, userId),
    emailAddress: await mailAddressOf(context, userId),
  };
}

/** Sets the webhook with a new secret, which only this response contains. Drops queued messages to the previous address. */
export async function saveWebhook(
  context: Context,
  userId: string,
  { url, format }: CheckedWebhook,
): Promise<SavedWebhook> {
  const secret = newSecret();
  const sealed = sealValue(context, WEBHOOK_SECRETS, { userId, value: { url, secret } });
  const values = {
    id: newId(),
    format,
    sealed,
    lastAt: null,
    isDelivered: null,
    status: null,
    message: null,
  };
  await context.db.transaction(async (tx) => {
    await lockAccount(tx, userId);
    await tx
      .insert(webhooks)
      .values({ userId, ...values })
      .onConflictDoUpdate({ target: webhooks.userId, set: values });
  });
  return { ...(await readWebhook(context, userId)), secret };
}

/** Drops all queued messages to the user's webhook. */
export async function dropMessages(tx: Queryable, userId: string): Promise<void> {
  await tx.update(webhooks).set({ id: newId() }).where(eq(webhooks.userId, userId));
}

/** Deletes the webhook and drops queued messages to it. */
export async function deleteWebhook(tx: Queryable, userId: string): Promise<void> {
  await tx.delete(webhooks).where(eq(webhooks.userId, userId));
}

/** A message in the formats of the webhook. */
type Sent = Pick<Message, 'deliveryId' | 'body'> & { notice: NoticeText | undefined };

/** Posts a message in the format of the webhook. Messages of earlier versions have only JSON. */
function post(
  context: Context,
  { url, secret, format }: OpenedWebhook & Pick<WebhookRow, 'format'>,
  { deliveryId, body, notice }: Sent,
): Promise<WebhookOutcome> {
  if (notice && format === 'ntfy') {
    const message = [notice.message, notice.advice].filter(Boolean).map(shorten).join('\n');
    return postToNtfy(context, { url }, { title: shorten(notice.title), message, click: notice.url });
  }
  const isForProgram = notice === undefined || format === 'json' || format === 'ntfy';
  const written = isForProgram ? body : JSON.stringify(noticeBody(format, notice));
  return postSigned(context, { url, secret }, { deliveryId, body: written });
}

/** Sends a message to a webhook and stores the outcome, unless the webhook was changed during the call. */
async function sendAndStoreOutcome(
  context: Context,
  row: WebhookRow,
  message: Sent,
): Promise<WebhookOutcome | undefined> {
  const opened = open(context, row);
  if (!opened) return undefined;
  const outcome = await post(context, { ...opened, format: row.format }, message);
  await context.db
    .update(webhooks)
    .set({
      lastAt: new Date(outcome.at),
      isDelivered: outcome.isDelivered,
      status: outcome.status,
      message: outcome.message,
    })
    .where(and(eq(webhooks.userId, row.userId), eq(webhooks.id, row.id)));
  return outcome;
}

/** Sends a queued message. @returns undefined when the webhook was deleted or changed since the message was stored */
export async function sendToWebhook(
  context: Context,
  { deliveryId, body, ...message }: Message,
  notice: NoticeText | undefined,
): Promise<WebhookOutcome | undefined> {
  const row = await findWebhook(context.db, message.userId);
  return row?.id === message.webhookId
    ? sendAndStoreOutcome(context, row, { deliveryId, body, notice })
    : undefined;
}

/** Sends a test message once. @throws AppError not-found when no webhook is set */
export async function testWebhook(
  context: Context,
  { publicUrl }: Site,
  userId: string,
): Promise<WebhookOutcome> {
  const message: WebhookMessage = {
    event: 'test',
    entity: null,
    syncId: null,
    message: 'This is a test of the webhook.',
    at: new Date().toISOString(),
  };
  const notice = {
    title: 'Test',
    message: message.message,
    advice: '',
    url: `${publicUrl()}/dashboard/home`,
  };
  const row = await findWebhook(context.db, userId);
  const outcome =
    row &&
    (await sendAndStoreOutcome(context, row, { deliveryId: newId(), body: JSON.stringify(message), notice }));
  if (!outcome) throw notFound('The webhook');
  return outcome;
}
