import type { Context } from '../../platform/context/index.ts';
import type { JobAttempt } from '../../platform/jobs/jobs.ts';
import { wantsNoticeMails } from '../accounts/index.ts';
import { oneLine } from './chat-markup.ts';
import { mailToUser } from './mail-to-user.ts';
import { htmlNotice, plainNotice } from './notice-text.ts';
import { hasNotice } from './notices.ts';
import { type DeliveryOutcome, settleAttempt } from './outbox.ts';
import { type Message, messageSchema, WEBHOOK_QUEUE } from './queue.ts';
import type { Site } from './site.ts';
import { sendToWebhook } from './webhook.ts';

const CONCURRENCY = 4;
/** Delays before the second and later attempts, s. After the last one, the message is dropped. */
const RETRY_DELAYS_S = [30, 120, 600];

/** Sends one message by its channel. @returns undefined when it is no longer wanted */
async function send(
  context: Context,
  { publicUrl }: Site,
  message: Message,
): Promise<DeliveryOutcome | undefined> {
  const { userId, deliveryId: id, notice, noticeId = '' } = message;
  const text = notice && { ...notice, url: publicUrl() + notice.path };
  if (message.channel !== 'email') return sendToWebhook(context, message, text);
  const isWanted =
    (await wantsNoticeMails(context.db, userId)) && (await hasNotice(context.db, userId, noticeId));
  if (!text || !isWanted) return undefined;
  const subject = oneLine(text.title);
  return mailToUser(context, userId, { id, subject, text: plainNotice(text), html: htmlNotice(text) });
}

/** Sends one message and settles its attempt; one that is no longer wanted is dropped. */
async function deliver(context: Context, site: Site, job: JobAttempt): Promise<void> {
  const message = messageSchema.parse(job.data);
  const outcome = await send(context, site, message);
  if (!outcome) return;
  const { userId, deliveryId, channel, attempts } = message;
  const isRetried = await settleAttempt(context, job, {
    queue: WEBHOOK_QUEUE.name,
    next: { ...message, attempts: attempts + 1 },
    attempts,
    delays: RETRY_DELAYS_S,
    outcome,
  });
  if (!outcome.isDelivered && !isRetried)
    context.log.warn(
      { userId, deliveryId, channel, reason: outcome.message },
      'dropped a notification after its last attempt',
    );
}

/** Sends notifications to webhooks and by mail in this process. */
export async function workOnWebhooks(context: Context, site: Site): Promise<void> {
  await context.jobs.work(WEBHOOK_QUEUE.name, { concurrency: CONCURRENCY }, (job) =>
    deliver(context, site, job),
  );
}
