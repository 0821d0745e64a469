import type { ServerEvent } from '@datadeck/contract';
import type { Context } from '../../platform/context.ts';
import { readSync } from './list.ts';

/** Tells the user's open pages about one sync. */
export async function publishSync(context: Context, userId: string, syncId: string): Promise<void> {
  const sync = await readSync(context, userId, syncId).catch(() => undefined);
  if (!sync) return;
  const event: ServerEvent = { type: 'sync', sync };
  const sent = await context.broadcast.publish(userId, JSON.stringify(event));
  if (!sent) await publishInvalidation(context, userId, ['Synchronizations']);
}

/** Tells the user's open pages which lists changed, by cache tag. */
export async function publishInvalidation(context: Context, userId: string, tags: string[]): Promise<void> {
  const event: ServerEvent = { type: 'invalidate', tags };
  await context.broadcast.publish(userId, JSON.stringify(event));
}
