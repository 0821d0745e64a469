import type { Context } from '../../platform/context/index.ts';
import type { JobAttempt } from '../../platform/jobs/jobs.ts';
import { messageSchema, WEBHOOK_QUEUE } from './queue.ts';
import { sendToWebhook } from './webhook.ts';

const CONCURRENCY = 4;
/** Delays before the second and later attempts, s. After the last one, the message is dropped. */
const RETRY_DELAYS_S = [30, 120, 600];

/**
 * Sends one message. If the receiver rejects it, one transaction replaces this job by the job of the next attempt, so
 * that a killed worker never loses the message.
 */
async function deliver(context: Context, { data, complete }: JobAttempt): Promise<void> {
  const message = messageSchema.parse(data);
  const outcome = await sendToWebhook(context, message);
  if (!outcome || outcome.isDelivered) return;
  const startAfter = RETRY_DELAYS_S[message.attempts];
  if (startAfter === undefined) {
    const { userId, deliveryId } = message;
    context.log.warn(
      { userId, deliveryId, reason: outcome.message },
      'dropped a webhook message after its last attempt',
    );
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
