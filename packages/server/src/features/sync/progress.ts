import type { ServerEvent } from '@datadeck/contract';
import type { Context } from '../../platform/context/index.ts';
import { onPageMessage, publishToPages } from '../notifications/index.ts';
import { readSync } from './list.ts';

/** Tells the user's open pages that a sync changed. The sync is read only where a page shows it. */
export async function publishSync(context: Context, userId: string, syncId: string): Promise<void> {
  await publishToPages(context, userId, { type: 'sync-changed', id: syncId });
}

/**
 * Sends the events of a user's data. Changes that arrive while their sync is being read cause one more read.
 * @returns the way to stop
 */
export function followEvents(
  context: Context,
  userId: string,
  send: (event: ServerEvent) => void,
): () => void {
  /** Syncs that are being read, and whether they changed since. */
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
      // Deleted, or the database is away: the page's own requests report it.
    } finally {
      reading.delete(id);
    }
  };
  const unsubscribe = onPageMessage(context, userId, (message) => {
    if (message.type === 'sync-changed') void show(message.id);
    else send(message);
  });
  const forget = context.broadcast.onMissed(() => send({ type: 'missed' }));
  return () => {
    unsubscribe();
    forget();
  };
}
