import type { ServerEvent } from '@datadeck/contract';
import type { Context } from '../../platform/context/index.ts';
import { onPageMessage, publishToPages } from '../notifications/index.ts';
import { readSync } from './list.ts';

/** Notifies the user's open pages of a changed sync. Each process reads the sync only if it has such a page. */
export async function publishSync(context: Context, userId: string, syncId: string): Promise<void> {
  await publishToPages(context, userId, { type: 'sync-changed', id: syncId });
}

/**
 * Sends events about a user's data. Changes that arrive while their sync is being read cause one more read.
 * @returns the function that unsubscribes
 */
export function followEvents(
  context: Context,
  userId: string,
  send: (event: ServerEvent) => void,
): () => void {
  /** Syncs being read, with `isStale` set when they changed since the read began. */
  const reading = new Map<string, { isStale: boolean }>();
  const sendSync = async (id: string) => {
    const current = reading.get(id);
    if (current) {
      current.isStale = true;
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
      // The sync was deleted or the database is unreachable; the page's own requests report that.
    } finally {
      reading.delete(id);
    }
  };
  const unsubscribe = onPageMessage(context, userId, (message) => {
    if (message.type === 'sync-changed') void sendSync(message.id);
    else send(message);
  });
  const unsubscribeMissed = context.broadcast.onMissed(() => send({ type: 'missed' }));
  return () => {
    unsubscribe();
    unsubscribeMissed();
  };
}
