import type { Context } from '../../platform/context/index.ts';
import type { JobAttempt } from '../../platform/jobs/jobs.ts';
import { messageSchema, WEBHOOK_QUEUE } from './queue.ts';
import { sendToWebhook } from './webhook.ts';

const CONCURRENCY = 4;
/** Pauses before the second attempt and those that follow, s; then the message is given up. */
const PAUSES_S = [30, 120, 600];

/**
 * Sends one message. Where the receiver does not accept it, a job for the next attempt takes the place of this one in a
 * transaction: a killed worker leaves either of them.
 */
async function deliver(context: Context, { data, complete }: JobAttempt): Promise<void> {
  const message = messageSchema.parse(data);
  const outcome = await sendToWebhook(context, message);
  if (!outcome || outcome.isDelivered) return;
  const startAfter = PAUSES_S[message.attempts];
  if (startAfter === undefined) {
    const { userId, deliveryId } = message;
    context.log.warn({ userId, deliveryId, reason: outcome.message }, 'a message to a webhook was given up');
    return;
  }
  await context.db.transaction(async (tx) => {
    await complete(tx);
    const next = { ...message, attempts: message.attempts + 1 };
    await context.jobs.send(WEBHOOK_QUEUE.name, next, { db: tx, startAfter });
  });
}

/** Sends messages to webhooks in this process. */
export async function workOnWebhooks(context: Context): Promise<void> {
  await context.jobs.work(WEBHOOK_QUEUE.name, { concurrency: CONCURRENCY }, (job) => deliver(context, job));
}
