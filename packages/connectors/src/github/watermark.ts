import { z } from 'zod';
import type { ConnectorRecord, Json } from '../sdk/index.ts';

export const cursorSchema = z.object({
  /** Up to when a run has seen all updates, ISO. */
  updatedUntil: z.iso.datetime(),
  /** Pull requests that the repository held then, and the highest number among them: what is missing later was deleted. */
  total: z.number().int().optional(),
  newestNumber: z.number().int().default(0),
});
export type Cursor = z.infer<typeof cursorSchema>;

/** What the repository held at a moment. */
export interface Holding {
  /** Null: unknown. */
  total: number | null;
  newestNumber: number;
}

/** The highest number of some pull requests; 0 for none. */
export function newestNumberOf(records: readonly ConnectorRecord[]): number {
  return records.reduce((newest, record) => Math.max(newest, Number(record.columns.number)), 0);
}

/**
 * The cursor of a run that began at `startedAt` by the Date header and saw updates up to `newestUpdate`. The earlier
 * one counts: neither a clock ahead of time nor one record with an odd date may hide later updates.
 */
export function cursorAt(startedAt: number, newestUpdate: number, held: Holding): Json {
  const updatedUntil = new Date(Math.min(startedAt, newestUpdate)).toISOString();
  const { total, newestNumber } = held;
  return { updatedUntil, newestNumber, ...(total === null ? {} : { total }) };
}
