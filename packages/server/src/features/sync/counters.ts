import type { SyncSummary } from '@datadeck/contract';
import { z } from 'zod';
import type { Removal } from './storage/index.ts';

/** A count that is none (JSON makes null of NaN) is taken for 0: no run is lost for its counters. */
const count = z.number().catch(0);

/** Running totals of a run, kept with its checkpoint. */
export const countersSchema = z.object({
  added: count,
  updated: count,
  unchanged: count,
  removed: count,
  skipped: count,
  unreadable: count,
  requests: count,
  units: count,
  /** Milliseconds. */
  waitedMs: count,
  /** Times that the run began anew because a cursor was gone. */
  restarts: count,
});
export type Counters = z.infer<typeof countersSchema>;

/** What a client spent since the last commit. */
export interface Spent {
  requests: number;
  units: number;
  waitedMs: number;
}

/** The counters with what was spent besides; what is no number adds nothing. */
export function withSpent(counters: Counters, spent: Spent): Counters {
  const sum = (before: number, more: number) => (Number.isFinite(more) ? before + more : before);
  return {
    ...counters,
    requests: sum(counters.requests, spent.requests),
    units: sum(counters.units, spent.units),
    waitedMs: sum(counters.waitedMs, spent.waitedMs),
  };
}

/**
 * The counters after records left the scope: neither what the run had brought itself and took away again counts, nor what
 * stays for the sake of another scope.
 */
export function withRemoval(counters: Counters, removal: Removal): Counters {
  return {
    ...counters,
    added: Math.max(0, counters.added - removal.added),
    updated: Math.max(0, counters.updated - removal.updated),
    removed: counters.removed + removal.deleted - removal.added,
  };
}

/** Records that the run has brought so far. */
export function recordsOf(counters: Counters): number {
  return counters.added + counters.updated + counters.unchanged;
}

/** The counters as the receipt shows them. */
export function receiptOf(counters: Counters, elapsedMs: number): SyncSummary {
  const { added, updated, unchanged, removed, requests, units } = counters;
  const { skipped: vanished, unreadable } = counters;
  const skipped = vanished + unreadable;
  const reasons = { ...(vanished > 0 ? { vanished } : {}), ...(unreadable > 0 ? { unreadable } : {}) };
  return {
    added,
    updated,
    removed,
    unchanged,
    skipped,
    ...(skipped > 0 ? { skippedReasons: reasons } : {}),
    requests,
    units,
    waits: Math.round(counters.waitedMs / 100) / 10,
    timeElapsed: Math.round(elapsedMs / 10) / 100,
  };
}
