import { z } from 'zod';
import { isCacheTag } from './cache-tags.ts';
import { syncSchema } from './sync.ts';

/** Lists changed on the server: `{"type":"invalidate","tags":["Views"]}`. Unknown tags are dropped. */
export const invalidationEventSchema = z.object({
  type: z.literal('invalidate'),
  tags: z.array(z.string()).transform((tags) => tags.filter(isCacheTag)),
});
export type InvalidationEvent = z.output<typeof invalidationEventSchema>;

/** An event of `GET /api/events` (server-sent events, JSON in `data`). */
export const serverEventSchema = z.discriminatedUnion('type', [
  /** The stream is open: `{"type":"hello"}`. */
  z.object({ type: z.literal('hello') }),
  /** A sync started, progressed or ended; the whole sync as its list has it. */
  z.object({ type: z.literal('sync'), sync: syncSchema }),
  invalidationEventSchema,
  /** The server may have missed changes: everything that is shown must be read again. */
  z.object({ type: z.literal('missed') }),
]);
export type ServerEvent = z.output<typeof serverEventSchema>;
