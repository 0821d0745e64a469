import { z } from 'zod';
import { storable } from '../sdk/index.ts';

/** An id as Gmail gives it, without what no address and no database takes. */
export const idSchema = z.string().transform(storable);

/** An id that may be missing. */
export const optionalIdSchema = idSchema.nullish().transform((id) => id ?? undefined);

/** The token of a next page; none is told by leaving it out, by null or by nothing in it. */
export const pageTokenSchema = z
  .string()
  .nullish()
  .transform((token) => token || undefined);

/** A list that may be missing: then it is empty. */
export function listOf<Item extends z.ZodType>(item: Item) {
  return z
    .array(item)
    .nullish()
    .transform((list): z.output<Item>[] => list ?? []);
}
