import { z } from 'zod';
import { storable } from '../sdk/index.ts';

/** An id of Gmail, made storable. */
export const idSchema = z.string().transform(storable);

/** An id that may be missing. */
export const optionalIdSchema = idSchema.nullish().transform((id) => id ?? undefined);

/** The token of the next page; undefined for a missing, null or empty one. */
export const pageTokenSchema = z
  .string()
  .nullish()
  .transform((token) => token || undefined);

/** A list; a missing or null one is empty. */
export function listOf<Item extends z.ZodType>(item: Item) {
  return z
    .array(item)
    .nullish()
    .transform((list): z.output<Item>[] => list ?? []);
}
