import type { ServerEvent } from '@datadeck/contract';
import type { Context } from '../../platform/context/index.ts';
import { readSync } from './list.ts';

/** What processes tell each other: an event as it is, or the id of a sync that whoever shows it must read. */
type Message = ServerEvent | { type: 'sync-changed'; id: string };

/** Tells the user's open pages that a sync changed. Costs nothing more where nobody looks. */
export async function publishSync(context: Context, userId: string, syncId: string): Promise<void> {
  const message: Message = { type: 'sync-changed', id: syncId };
  await context.broadcast.publish(userId, JSON.stringify(message));
}

/** Tells the user's open pages which lists changed, by cache tag. */
export async function publishInvalidation(context: Context, userId: string, tags: string[]): Promise<void> {
  const event: Message = { type: 'invalidate', tags };
  await context.broadcast.publish(userId, JSON.stringify(event));
}

/**
 * Follows what happens to a user's data. Changes of a sync that come while it is being read are read once more, together.
 * @returns the way to stop
 */
export function followEvents(
  context: Context,
  userId: string,
  send: (event: ServerEvent) => void,
): () => void {
  /** Syncs that are being read, and whether they changed meanwhile. */
  const reading = new Map<string, { isStale: boolean }>();
  const show = async (id: string) => {
    const under = reading.get(id);
    if (under) {
      under.isStale = true;
      return;
    }
    const state = { isStale: true };
    reading.set(id, state);
    try {
      while (state.isStale) {
        state.isStale = false;
        send({ type: 'sync', sync: await readSync(context, userId, id) });
      }
    } catch {
      // Deleted meanwhile, or the database is away: the page's own requests tell.
    } finally {
      reading.delete(id);
    }
  };
  const unsubscribe = context.broadcast.subscribe(userId, (payload) => {
    const message = JSON.parse(payload) as Message;
    if (message.type === 'sync-changed') void show(message.id);
    else send(message);
  });
  const forget = context.broadcast.onMissed(() => send({ type: 'missed' }));
  return () => {
    unsubscribe();
    forget();
  };
}
