import type { Context } from '../../platform/context.ts';

/** No user's id: users' topics carry what their pages show. */
const TOPIC = 'waiting-sync';

/** Wakes the workers of all processes up for a started sync; they look at `syncs`, whose lease decides who runs it. */
export async function announceWaitingSync(context: Context): Promise<void> {
  await context.broadcast.publish(TOPIC, '');
}

/** @returns the way to stop listening */
export function onWaitingSync(context: Context, listener: () => void): () => void {
  return context.broadcast.subscribe(TOPIC, listener);
}
