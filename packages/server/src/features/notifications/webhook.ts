import { createHmac } from 'node:crypto';
import { isPublic } from '@datadeck/connectors';
import type { SavedWebhook, Webhook, WebhookMessage, WebhookOutcome } from '@datadeck/contract';
import { and, eq, ne, sql } from 'drizzle-orm';
import { z } from 'zod';
import { notFound } from '../../platform/app-error.ts';
import type { Context } from '../../platform/context/index.ts';
import type { Database, Queryable } from '../../platform/db/pool.ts';
import { type Keyring, sealedSchema } from '../../platform/encryption.ts';
import { newId, newSecret } from '../../platform/ids.ts';
import { PostRefused, postOutside } from '../../platform/outside-post.ts';
import { lockAccount } from '../accounts/index.ts';
import type { Message } from './queue.ts';
import { webhooks } from './tables.ts';

/** Longest call of a webhook, ms. */
const TIMEOUT_MS = 10_000;

const openedSchema = z.object({ url: z.string(), secret: z.string() });
type Opened = z.infer<typeof openedSchema>;
type WebhookRow = typeof webhooks.$inferSelect;

async function findWebhook(db: Queryable, userId: string): Promise<WebhookRow | undefined> {
  const [row] = await db.select().from(webhooks).where(eq(webhooks.userId, userId));
  return row;
}

/** Address and secret; undefined when the key that sealed them is gone: then the user must set the webhook again. */
function open(context: Context, row: WebhookRow): Opened | undefined {
  try {
    const text = context.keyring.open(sealedSchema.parse(row.sealed), row.userId);
    return openedSchema.parse(JSON.parse(text));
  } catch (error) {
    context.log.warn({ err: error }, 'a stored webhook cannot be opened');
    return undefined;
  }
}

/** Stores all webhooks under the first key; those whose key is lost stay as they are. @returns their number */
export async function resealWebhooks(db: Database, keyring: Keyring): Promise<number> {
  return db.transaction(async (tx) => {
    const stale = await tx
      .select()
      .from(webhooks)
      .where(ne(sql`${webhooks.sealed}->>'key'`, keyring.first))
      .for('update');
    const readable = stale.filter(({ sealed }) => keyring.has(sealedSchema.parse(sealed).key));
    for (const { userId, sealed } of readable) {
      const text = keyring.open(sealedSchema.parse(sealed), userId);
      await tx
        .update(webhooks)
        .set({ sealed: keyring.seal(text, userId) })
        .where(eq(webhooks.userId, userId));
    }
    return readable.length;
  });
}

function outcomeOf({ lastAt, isDelivered, status, message }: WebhookRow): WebhookOutcome | null {
  if (lastAt === null) return null;
  return { at: lastAt.toISOString(), isDelivered: isDelivered ?? false, status, message: message ?? '' };
}

/** The user's webhook and how its last delivery ended; never its secret. */
export async function readWebhook(context: Context, userId: string): Promise<Webhook> {
  const row = await findWebhook(context.db, userId);
  const opened = row && open(context, row);
  return { url: opened?.url ?? '', last: row && opened ? outcomeOf(row) : null };
}

/** Sets the webhook with a new secret, which is shown this once. Messages on their way to the former address are dropped. */
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

/** Lets no message that is on its way reach the user's webhook. */
export async function dropMessages(tx: Queryable, userId: string): Promise<void> {
  await tx.update(webhooks).set({ id: newId() }).where(eq(webhooks.userId, userId));
}

/** Removes the webhook; messages on their way to it are dropped. */
export async function deleteWebhook(tx: Queryable, userId: string): Promise<void> {
  await tx.delete(webhooks).where(eq(webhooks.userId, userId));
}

/** `sha256=` and the HMAC-SHA256 of the body, in hex. */
function signatureOf(body: string, secret: string): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}

async function call(
  context: Context,
  opened: Opened,
  { deliveryId, body }: Pick<Message, 'deliveryId' | 'body'>,
): Promise<WebhookOutcome> {
  const answered = (status: number | null, message: string): WebhookOutcome => ({
    at: new Date().toISOString(),
    isDelivered: status !== null && status >= 200 && status < 300,
    status,
    message,
  });
  try {
    const status = await postOutside(opened.url, {
      body,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Datadeck-Webhook',
        'x-datadeck-delivery': deliveryId,
        'x-datadeck-signature': signatureOf(body, opened.secret),
      },
      timeoutMs: TIMEOUT_MS,
      mayReach: context.config.webhookPrivate ? () => true : isPublic,
    });
    const isRedirect = status >= 300 && status < 400;
    return answered(
      status,
      isRedirect ? `Answered ${status}: redirects are not followed.` : `Answered ${status}.`,
    );
  } catch (error) {
    return answered(null, error instanceof PostRefused ? error.message : 'The address cannot be reached.');
  }
}

/** Sends a body to a webhook and stores the outcome, unless another address was set during the call. */
async function sendAndNote(
  context: Context,
  row: WebhookRow,
  message: Pick<Message, 'deliveryId' | 'body'>,
): Promise<WebhookOutcome | undefined> {
  const opened = open(context, row);
  if (!opened) return undefined;
  const outcome = await call(context, opened, message);
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

/** Sends a message. @returns undefined when the webhook was removed or set again since the message was stored */
export async function sendToWebhook(context: Context, message: Message): Promise<WebhookOutcome | undefined> {
  const row = await findWebhook(context.db, message.userId);
  return row?.id === message.webhookId ? sendAndNote(context, row, message) : undefined;
}

/** Sends a test now, once. @throws AppError not-found when no webhook is set */
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
    row && (await sendAndNote(context, row, { deliveryId: newId(), body: JSON.stringify(message) }));
  if (!outcome) throw notFound('The webhook');
  return outcome;
}
