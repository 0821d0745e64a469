import type { SyncSummary } from '@datadeck/contract';
import { z } from 'zod';

/** Running totals of a run, kept with its checkpoint. */
export const countersSchema = z.object({
  added: z.number().default(0),
  updated: z.number().default(0),
  unchanged: z.number().default(0),
  removed: z.number().default(0),
  skipped: z.number().default(0),
  requests: z.number().default(0),
  units: z.number().default(0),
  /** Milliseconds. */
  waitedMs: z.number().default(0),
  /** Times that the run began anew because a cursor was gone. */
  restarts: z.number().default(0),
});
export type Counters = z.infer<typeof countersSchema>;

/** Records that the run has brought so far. */
export function recordsOf(counters: Counters): number {
  return counters.added + counters.updated + counters.unchanged;
}

/** The counters as the receipt shows them. */
export function receiptOf(counters: Counters, elapsedMs: number): SyncSummary {
  const { added, updated, unchanged, removed, skipped, requests, units } = counters;
  return {
    added,
    updated,
    removed,
    unchanged,
    skipped,
    requests,
    units,
    waits: Math.round(counters.waitedMs / 100) / 10,
    timeElapsed: Math.round(elapsedMs / 10) / 100,
  };
}
