import { z } from 'zod';
import { type QueueDefinition, SHORT_JOBS } from '../../platform/jobs/jobs.ts';

/**
 * Messages on their way to webhooks. Retries here are those of a worker that failed or died; attempts that the receiver
 * did not accept are counted in the job's data.
 */
export const WEBHOOK_QUEUE: QueueDefinition = {
  name: 'webhook',
  ...SHORT_JOBS,
};

/** A message to a webhook, as its job holds it. */
export const messageSchema = z.object({
  userId: z.string(),
  /** The setting of the webhook that the message is for: a later one does not get it. */
  webhookId: z.string(),
  /** The same for every attempt: receivers recognise a message by it. */
  deliveryId: z.string(),
  body: z.string(),
  /** Attempts that the receiver did not accept. */
  attempts: z.number(),
});
export type Message = z.infer<typeof messageSchema>;
