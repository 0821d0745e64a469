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
  /** The `webhooks.id` that the message is for; a newer webhook does not get it. */
  webhookId: z.string(),
  /** Identical for every attempt, so that receivers recognise duplicates. */
  deliveryId: z.string(),
  body: z.string(),
  /** Number of attempts that the receiver did not accept. */
  attempts: z.number(),
});
export type Message = z.infer<typeof messageSchema>;
