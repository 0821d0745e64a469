import { type CacheTag, invalidationEventSchema } from '@datadeck/contract';
import { z } from 'zod';
import type { Context } from '../../platform/context/index.ts';

/** What processes tell each other about a user's data. A sync goes by its id: a process that shows it reads it. */
const pageMessageSchema = z.discriminatedUnion('type', [
  invalidationEventSchema,
  z.object({ type: z.literal('sync-changed'), id: z.string() }),
]);
export type PageMessage = z.output<typeof pageMessageSchema>;

/** Sends a message to every process that shows the user's pages. */
export async function publishToPages(context: Context, userId: string, message: PageMessage): Promise<void> {
  await context.broadcast.publish(userId, JSON.stringify(message));
}

/** Tells the user's open pages which lists changed. */
export async function publishInvalidation(
  context: Context,
  userId: string,
  tags: readonly CacheTag[],
): Promise<void> {
  await publishToPages(context, userId, { type: 'invalidate', tags: [...tags] });
}

/** Receives the user's messages; those of another version that cannot be read are skipped. @returns the way to stop */
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
