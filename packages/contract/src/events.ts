import { z } from 'zod';
import { isCacheTag } from './cache-tags.ts';
import { syncSchema } from './sync.ts';

/** Cached lists changed on the server: `{"type":"invalidate","tags":["Views"]}`. Unknown tags are dropped. */
export const invalidationEventSchema = z.object({
  type: z.literal('invalidate'),
  tags: z.array(z.string()).transform((tags) => tags.filter(isCacheTag)),
});
export type InvalidationEvent = z.output<typeof invalidationEventSchema>;

/** An event of the event stream `GET /api/events` (server-sent events, JSON in `data`). */
export const serverEventSchema = z.discriminatedUnion('type', [
  /** The stream is open: `{"type":"hello"}`. */
  z.object({ type: z.literal('hello') }),
  /** A sync started, progressed or ended; `sync` equals its entry in the list of syncs. */
  z.object({ type: z.literal('sync'), sync: syncSchema }),
  invalidationEventSchema,
  /** The server may have missed changes, so the client must reload all displayed data: `{"type":"missed"}`. */
  z.object({ type: z.literal('missed') }),
]);
export type ServerEvent = z.output<typeof serverEventSchema>;
