import { z } from 'zod';
import type { UnreadableMessage } from './mail-fetch.ts';

/** Largest number of unreadable messages; with more of them Gmail itself is failing. */
const MAX_UNREADABLE = 20;

/** Ids of unreadable messages in checkpoints and cursors; missing in those of earlier versions. */
export const unreadableSchema = z.array(z.string()).default([]);

/** Adds a message that the next run must retry. @throws ProviderError the message's failure, if there are too many */
export function addUnreadable(ids: string[], id: string, { failure }: UnreadableMessage): void {
  if (ids.length >= MAX_UNREADABLE) throw failure;
  ids.push(id);
}
