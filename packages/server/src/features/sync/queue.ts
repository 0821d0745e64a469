import type { Context } from '../../platform/context/index.ts';

/** No user's id: users' topics carry what their pages show. */
const TOPIC = 'waiting-sync';
const ENDED = 'ended-sync';

/** Wakes the workers of all processes up for a started sync; they look at `syncs`, whose lease decides who runs it. */
export async function announceWaitingSync(context: Context): Promise<void> {
  await context.broadcast.publish(TOPIC, '');
}

/** Tells the workers of all processes that somebody ended these syncs, so that they stop at once. */
export async function announceEndedSyncs(context: Context, ids: readonly string[]): Promise<void> {
  await Promise.all(ids.map((id) => context.broadcast.publish(ENDED, id)));
}

/** @returns the way to stop listening */
export function onEndedSync(context: Context, listener: (id: string) => void): () => void {
  return context.broadcast.subscribe(ENDED, listener);
}

/** @returns the way to stop listening */
export function onWaitingSync(context: Context, listener: () => void): () => void {
  return context.broadcast.subscribe(TOPIC, listener);
}
