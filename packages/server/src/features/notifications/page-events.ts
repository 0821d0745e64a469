import { type CacheTag, invalidationEventSchema } from '@datadeck/contract';
import { z } from 'zod';
import type { Context } from '../../platform/context/index.ts';

/** Messages between processes about a user's data. A changed sync is sent as its id only; processes that show it read it. */
const pageMessageSchema = z.discriminatedUnion('type', [
  invalidationEventSchema,
  z.object({ type: z.literal('sync-changed'), id: z.string() }),
]);
export type PageMessage = z.output<typeof pageMessageSchema>;

/** Sends a message to every process that serves the user's pages. */
export async function publishToPages(context: Context, userId: string, message: PageMessage): Promise<void> {
  await context.broadcast.publish(userId, JSON.stringify(message));
}

/** Notifies the user's open pages of the cache tags that changed. */
export async function publishInvalidation(
  context: Context,
  userId: string,
  tags: readonly CacheTag[],
): Promise<void> {
  await publishToPages(context, userId, { type: 'invalidate', tags: [...tags] });
}

/**
 * Subscribes to the user's messages. Skips messages of another version that cannot be parsed. @returns the function
 * that unsubscribes
 */
export function onPageMessage(
  context: Context,
  userId: string,
  listener: (message: PageMessage) => void,
): () => void {
  return context.broadcast.subscribe(userId, (payload) => {
    const { data } = pageMessageSchema.safeParse(JSON.parse(payload));
    if (data) listener(data);
  });
}
