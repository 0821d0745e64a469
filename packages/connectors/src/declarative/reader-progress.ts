import { z } from 'zod';
import type { ConnectorRecord } from '../sdk/index.ts';
import { wireRequestSchema } from './wire-request.ts';

/** Most records of a page; a larger answer is stored in several. */
export const MAX_PAGE_SIZE = 500;

/** The largest value of the growing column that runs have seen: ms since 1970, or a number. */
export const cursorSchema = z.object({
  after: z.number(),
  form: z.string(),
  /** The same of each parent; absent without parents, and for too many. */
  parents: z.record(z.string(), z.number()).optional(),
});

/** What a run has seen, as its checkpoints keep it. */
const progressSchema = z.object({
  /** Time of the provider at the first answer, ms since 1970; null before it. */
  startedAt: z.number().nullable(),
  /** Largest value of the growing column; null without one. */
  largest: z.number().nullable(),
  /** Largest time on the first page by which the provider sorts, ms since 1970. */
  newestAtStart: z.number().nullable(),
  /** Records yielded; of an incremental run, those that are not older than the cursor. */
  count: z.number(),
  /** What the document read (`formOf`). */
  form: z.string(),
});
export type Progress = z.infer<typeof progressSchema>;
export const EMPTY_PROGRESS = { startedAt: null, largest: null, newestAtStart: null, count: 0 };

/** Position in a list that is stored as it arrives: the request of the next page, and how many of its records are stored. */
export const listPositionSchema = progressSchema.extend({
  request: wireRequestSchema.nullable(),
  skip: z.number(),
  /** Largest number of all records that the provider named in a full run; null without one. */
  total: z.number().nullable(),
  /** What is not known of the list; null if nothing. */
  gap: z.enum(['list', 'rest']).nullable().default(null),
});
export type ListPosition = z.infer<typeof listPositionSchema>;
/** Position in records that are sorted first: the last one that is stored. */
export const sortedPositionSchema = progressSchema.extend({ time: z.number(), id: z.string() });

/** Returns the largest of some values and of one before; null without any. */
export function largestOf(values: readonly number[], before: number | null): number | null {
  return values.reduce<number | null>((most, value) => Math.max(most ?? value, value), before);
}

/** Divides records into parts of at most `MAX_PAGE_SIZE`; without any, returns one empty part. */
export function partsOf(records: ConnectorRecord[]): ConnectorRecord[][] {
  const count = Math.max(1, Math.ceil(records.length / MAX_PAGE_SIZE));
  return Array.from({ length: count }, (_, index) =>
    records.slice(index * MAX_PAGE_SIZE, (index + 1) * MAX_PAGE_SIZE),
  );
}
