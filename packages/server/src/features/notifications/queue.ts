import { z } from 'zod';
import { type QueueDefinition, SHORT_JOBS } from '../../platform/jobs/jobs.ts';

/**
 * Queue of webhook messages. The queue retries only when a worker failed or died; rejections by the receiver are
 * counted in the job's data.
 */
export const WEBHOOK_QUEUE: QueueDefinition = {
  name: 'webhook',
  ...SHORT_JOBS,
};

/** The payload of a webhook job. */
export const messageSchema = z.object({
  userId: z.string(),
  /** email: to the address of the user's account. */
  channel: z.enum(['webhook', 'email']).default('webhook'),
  /** The `webhooks.id` that the message is for; a newer webhook does not get it. Empty for a mail. */
  webhookId: z.string(),
  /** The notification that is mailed; a deleted one is not. Absent for webhooks. */
  noticeId: z.string().optional(),
  /** Identical for every attempt, so that receivers recognise duplicates. */
  deliveryId: z.string(),
  /** What a program receives, as JSON. */
  body: z.string(),
  /** What people receive; absent in messages of earlier versions. */
  notice: z
    .object({ title: z.string(), message: z.string(), advice: z.string(), path: z.string() })
    .optional(),
  /** Number of attempts that the receiver did not accept. */
  attempts: z.number(),
});
export type Message = z.input<typeof messageSchema>;
