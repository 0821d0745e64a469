import { z } from 'zod';
import type { Json } from '../sdk/index.ts';

/** Up to when a run has seen all updates, ISO. */
export const cursorSchema = z.object({ updatedUntil: z.iso.datetime() });

/**
 * The cursor of a run that began at `startedAt` by the Date header and saw updates up to `newestUpdate`. The earlier
 * one counts: neither a clock ahead of time nor one record with an odd date may hide later updates.
 */
export function cursorAt(startedAt: number, newestUpdate: number): Json {
  return { updatedUntil: new Date(Math.min(startedAt, newestUpdate)).toISOString() };
}
