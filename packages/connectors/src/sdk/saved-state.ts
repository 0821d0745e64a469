import type { z } from 'zod';
import type { Json } from './json.ts';
import { ProviderError } from './provider-error.ts';

/**
 * Reads a checkpoint or cursor that a run before left; null stays null.
 * @throws ProviderError `cursor-expired` for one that this version does not understand: begin anew
 */
export function readSaved<T>(schema: z.ZodType<T>, saved: Json): T | null {
  if (saved === null) return null;
  const parsed = schema.safeParse(saved);
  if (parsed.success) return parsed.data;
  throw new ProviderError('cursor-expired', 'The sync stood at a place that this version does not know.', {
    cause: parsed.error,
  });
}
