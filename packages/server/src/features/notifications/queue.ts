import { z } from 'zod';
import type { Context } from '../../platform/context/index.ts';
import type { QueueDefinition } from '../../platform/jobs.ts';

/** A job of this queue wakes a worker up for one message; `webhook_deliveries` says whether it is still to be sent. */
export const WEBHOOK_QUEUE: QueueDefinition = { name: 'webhook', expireInSeconds: 60 };

export const deliveryJobSchema = z.object({ userId: z.string(), deliveryId: z.string() });

/** Wakes a worker up for a message, now or at an instant. */
export async function enqueueDelivery(
  context: Context,
  userId: string,
  deliveryId: string,
  at?: Date,
): Promise<void> {
  await context.jobs.send(WEBHOOK_QUEUE.name, { userId, deliveryId }, at ? { startAfter: at } : {});
}
