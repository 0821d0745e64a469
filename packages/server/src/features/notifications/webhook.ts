import type { SavedWebhook, Webhook, WebhookMessage, WebhookOutcome } from '@datadeck/contract';
import { and, eq, ne, sql } from 'drizzle-orm';
import { z } from 'zod';
import { notFound } from '../../platform/app-error.ts';
import type { Context } from '../../platform/context/index.ts';
import type { Database, Queryable } from '../../platform/db/pool.ts';
import { type Keyring, type Resealed, resealAll, sealedSchema } from '../../platform/encryption.ts';
import { newId, newSecret } from '../../platform/ids.ts';
import { lockAccount } from '../accounts/index.ts';
import { postSigned } from './post.ts';
import type { Message } from './queue.ts';
import { webhooks } from './tables.ts';

const openedSchema = z.object({ url: z.string(), secret: z.string() });
type OpenedWebhook = z.infer<typeof openedSchema>;
type WebhookRow = typeof webhooks.$inferSelect;

async function findWebhook(db: Queryable, userId: string): Promise<WebhookRow | undefined> {
  const [row] = await db.select().from(webhooks).where(eq(webhooks.userId, userId));
  return row;
}

/** Decrypts URL and secret; returns undefined when their key is missing, so that the user must set the webhook again. */
function open(context: Context, row: WebhookRow): OpenedWebhook | undefined {
  try {
    const text = context.keyring.open(sealedSchema.parse(row.sealed), row.userId);
    return openedSchema.parse(JSON.parse(text));
  } catch (error) {
    context.log.warn({ err: error }, 'could not decrypt a stored webhook');
    return undefined;
  }
}

/** Lists the ids of the keys that encrypt stored webhooks. */
export async function listWebhookKeys(db: Queryable): Promise<string[]> {
  const { rows } = await db.execute<{ key: string }>(
    sql`select distinct sealed->>'key' as key from webhooks`,
  );
  return rows.map(({ key }) => key);
}

/** Re-encrypts all webhooks with the first key. Those whose key is missing stay unchanged. */
export async function resealWebhooks(db: Database, keyring: Keyring): Promise<Resealed> {
  return db.transaction(async (tx) => {
    const stale = await tx
      .select()
      .from(webhooks)
      .where(ne(sql`${webhooks.sealed}->>'key'`, keyring.encryptionKeyId))
      .for('update');
    return resealAll(keyring, stale, {
      read: ({ userId, sealed }) => ({ name: `the webhook of the user ${userId}`, sealed, context: userId }),
      store: ({ userId }, sealed) => tx.update(webhooks).set({ sealed }).where(eq(webhooks.userId, userId)),
    });
  });
}

function outcomeOf({ lastAt, isDelivered, status, message }: WebhookRow): WebhookOutcome | null {
  if (lastAt === null) return null;
  return { at: lastAt.toISOString(), isDelivered: isDelivered ?? false, status, message: message ?? '' };
}

/** Returns the user's webhook and the outcome of its last delivery, without the secret. */
export async function readWebhook(context: Context, userId: string): Promise<Webhook> {
  const row = await findWebhook(context.db, userId);
  const opened = row && open(context, row);
  return { url: opened?.url ?? '', last: row && opened ? outcomeOf(row) : null };
}

/** Sets the webhook with a new secret, which only this response contains. Drops queued messages to the previous address. */
export async function saveWebhook(context: Context, userId: string, url: string): Promise<SavedWebhook> {
  const secret = newSecret();
  const sealed = context.keyring.seal(JSON.stringify({ url, secret }), userId);
  const values = { id: newId(), sealed, lastAt: null, isDelivered: null, status: null, message: null };
  await context.db.transaction(async (tx) => {
    await lockAccount(tx, userId);
    await tx
      .insert(webhooks)
      .values({ userId, ...values })
      .onConflictDoUpdate({ target: webhooks.userId, set: values });
  });
  return { url, secret, last: null };
}

/** Drops all queued messages to the user's webhook. */
export async function dropMessages(tx: Queryable, userId: string): Promise<void> {
  await tx.update(webhooks).set({ id: newId() }).where(eq(webhooks.userId, userId));
}

/** Deletes the webhook and drops queued messages to it. */
export async function deleteWebhook(tx: Queryable, userId: string): Promise<void> {
  await tx.delete(webhooks).where(eq(webhooks.userId, userId));
}

/** Sends a message to a webhook and stores the outcome, unless the webhook was changed during the call. */
async function sendAndStoreOutcome(
  context: Context,
  row: WebhookRow,
  message: Pick<Message, 'deliveryId' | 'body'>,
): Promise<WebhookOutcome | undefined> {
  const opened = open(context, row);
  if (!opened) return undefined;
  const outcome = await postSigned(context, opened, message);
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
export async function sendToWebhook(context: Context, message: Message): Promise<WebhookOutcome | undefined> {
  const row = await findWebhook(context.db, message.userId);
  return row?.id === message.webhookId ? sendAndStoreOutcome(context, row, message) : undefined;
}

/** Sends a test message once. @throws AppError not-found when no webhook is set */
export async function testWebhook(context: Context, userId: string): Promise<WebhookOutcome> {
  const message: WebhookMessage = {
    event: 'test',
    entity: null,
    syncId: null,
    message: 'This is a test of the webhook.',
    at: new Date().toISOString(),
  };
  const row = await findWebhook(context.db, userId);
  const outcome =
    row && (await sendAndStoreOutcome(context, row, { deliveryId: newId(), body: JSON.stringify(message) }));
  if (!outcome) throw notFound('The webhook');
  return outcome;
}
