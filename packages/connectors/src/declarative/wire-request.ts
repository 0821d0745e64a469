import { z } from 'zod';
import type { JsonObject } from '../sdk/index.ts';

/** A request as expressions yield it: JSON, without host and secret. Checkpoints contain it. */
export const wireRequestSchema = z.object({
  /** Path below the base address, or an address of the same host with its query. */
  path: z.string(),
  query: z.record(z.string(), z.string()),
  headers: z.record(z.string(), z.string()),
  /** Sent as JSON by POST; null for GET. */
  body: z.custom<JsonObject | null>((value) => typeof value === 'object'),
});
export type WireRequest = z.infer<typeof wireRequestSchema>;
