import { z } from 'zod';
import type { Json } from '../../sdk/index.ts';
import type { ListedRecord } from '../records/github-record.ts';
import type { RepositoryList } from './repository-list.ts';

export const cursorSchema = z.object({
  /** High-water mark: time (ISO) up to which a run has read all updates. */
  updatedUntil: z.iso.datetime(),
  /** Number of items and highest order (`RepositoryList.orderOf`) at that time; a lower total later means that some were deleted. */
  total: z.number().int().optional(),
  newestNumber: z.number().int().default(0),
  /** ETag of the page with the latest updates at that time. */
  etag: z.string().optional(),
});
export type Cursor = z.infer<typeof cursorSchema>;

/** Number of items of a list and their highest order at one time. */
export interface ListState {
  /** Null: unknown. */
  total: number | null;
  newestNumber: number;
  /** ETag of the page with the latest updates. */
  etag: string | null;
}

/** Returns the highest order; 0 for an empty list. */
export function newestNumberOf(list: RepositoryList, records: readonly ListedRecord[]): number {
  return records.reduce((newest, record) => Math.max(newest, list.orderOf(record)), 0);
}

/**
 * Creates the cursor of a run that started at `startedAt` (Date header) and read updates up to `newestUpdate`. Uses the
 * earlier one, so that neither a fast clock nor a record with a wrong date hides later updates.
 */
export function cursorAt(startedAt: number, newestUpdate: number, state: ListState): Json {
  const updatedUntil = new Date(Math.min(startedAt, newestUpdate)).toISOString();
  const { total, newestNumber, etag } = state;
  return {
    updatedUntil,
    newestNumber,
    ...(total === null ? {} : { total }),
    ...(etag === null ? {} : { etag }),
  };
}
