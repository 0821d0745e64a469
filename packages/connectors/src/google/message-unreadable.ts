import { z } from 'zod';
import type { Unreadable } from './message-fetch.ts';

/** So many are one message's fault each; with more of them Gmail itself fails. */
const MAX_UNREADABLE = 20;

/** Ids of messages that could not be read, as checkpoints and cursors keep them; earlier ones know of none. */
export const unreadableSchema = z.array(z.string()).default([]);

/** Notes a message that the next run has to ask for again. @throws ProviderError its failure, when it is one of too many */
export function noteUnreadable(noted: string[], id: string, { failure }: Unreadable): void {
  if (noted.length >= MAX_UNREADABLE) throw failure;
  noted.push(id);
}
