import type { Context } from '../../platform/context/index.ts';
import type { JobAttempt } from '../../platform/jobs/jobs.ts';
import { settleAttempt } from './outbox.ts';
import { messageSchema, WEBHOOK_QUEUE } from './queue.ts';
import { sendToWebhook } from './webhook.ts';

const CONCURRENCY = 4;
/** Delays before the second and later attempts, s. After the last one, the message is dropped. */
const RETRY_DELAYS_S = [30, 120, 600];

/** Sends one message, unless its webhook was deleted or changed. */
async function deliver(context: Context, job: JobAttempt): Promise<void> {
  const message = messageSchema.parse(job.data);
  const outcome = await sendToWebhook(context, message);
  if (!outcome) return;
  const { userId, deliveryId, attempts } = message;
  const isRetried = await settleAttempt(context, job, {
    queue: WEBHOOK_QUEUE.name,
    next: { ...message, attempts: attempts + 1 },
    attempts,
    delays: RETRY_DELAYS_S,
    outcome,
  });
  if (!outcome.isDelivered && !isRetried)
    context.log.warn(
      { userId, deliveryId, reason: outcome.message },
      'dropped a webhook message after its last attempt',
    );
}

/** Sends messages to webhooks in this process. */
export async function workOnWebhooks(context: Context): Promise<void> {
  await context.jobs.work(WEBHOOK_QUEUE.name, { concurrency: CONCURRENCY }, (job) => deliver(context, job));
}
