import { z } from 'zod';
import type { Context } from '../../platform/context.ts';
import type { QueueDefinition } from '../../platform/jobs.ts';

/** A job of this queue wakes a worker up for one sync; the lease in `syncs` decides who runs it. */
export const SYNC_QUEUE: QueueDefinition = { name: 'sync', expireInSeconds: 82_800 };

export const syncJobSchema = z.object({ userId: z.string(), syncId: z.string() });

/** Wakes a worker up for a sync, now or at an instant. */
export async function enqueueSync(
  context: Context,
  userId: string,
  syncId: string,
  at?: Date,
): Promise<void> {
  await context.jobs.send(SYNC_QUEUE.name, { userId, syncId }, at);
}
