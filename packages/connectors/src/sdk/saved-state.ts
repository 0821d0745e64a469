import type { z } from 'zod';
import type { Json } from './json.ts';
import { ProviderError } from './provider-error.ts';

/**
 * Parses a checkpoint or cursor of an earlier run; returns null for null.
 * @throws ProviderError `cursor-expired` for a value that this version does not understand, so that a full run starts
 */
export function parseSaved<T>(schema: z.ZodType<T>, saved: Json): T | null {
  if (saved === null) return null;
  const parsed = schema.safeParse(saved);
  if (parsed.success) return parsed.data;
  throw new ProviderError('cursor-expired', 'The saved position of the sync is from another version.', {
    cause: parsed.error,
  });
}
