import type { SyncSummary } from '@datadeck/contract';
import { z } from 'zod';
import type { Removal } from '../records/index.ts';

/** Invalid counts become 0 (JSON stores NaN as null), so that they never make a run unreadable. */
const count = z.number().catch(0);

/** Running totals of a run, stored with its checkpoint. */
export const countersSchema = z.object({
  added: count,
  updated: count,
  unchanged: count,
  removed: count,
  skipped: count,
  /** Includes `refused`. */
  unreadable: count,
  refused: count,
  /** Ids of unreadable and refused records, at most `MAX_SKIPPED_IDS`. */
  skippedIds: z.array(z.string()).catch([]),
  requests: count,
  units: count,
  waitedMs: count,
  /** Number of restarts as a full run, because a cursor expired or records were missing. */
  restarts: count,
});
export type Counters = z.infer<typeof countersSchema>;

/** The counters of skipped records at the start of a run. */
export const NOTHING_SKIPPED = {
  skipped: 0,
  unreadable: 0,
  refused: 0,
  skippedIds: [],
} satisfies Partial<Counters>;

/** Requests, quota units and waiting time (ms) of a provider client. */
export interface ClientUsage {
  requests: number;
  units: number;
  waitedMs: number;
}

/** Adds client usage to the counters. Ignores values that are not finite. */
export function addClientUsage(counters: Counters, usage: ClientUsage): Counters {
  const sum = (before: number, more: number) => (Number.isFinite(more) ? before + more : before);
  return {
    ...counters,
    requests: sum(counters.requests, usage.requests),
    units: sum(counters.units, usage.units),
    waitedMs: sum(counters.waitedMs, usage.waitedMs),
  };
}

/**
 * Subtracts records that were removed from the scope again. Records that the run itself added or updated are uncounted;
 * records that another scope keeps are not counted as removed.
 */
export function withRemoval(counters: Counters, removal: Removal): Counters {
  return {
    ...counters,
    added: Math.max(0, counters.added - removal.added),
    updated: Math.max(0, counters.updated - removal.updated),
    removed: counters.removed + removal.deleted - removal.added,
  };
}

/** Returns the number of records that the run has read. */
export function recordsOf(counters: Counters): number {
  return counters.added + counters.updated + counters.unchanged;
}

/**
 * Converts the counters to the receipt, whose numbers add up: added, updated and unchanged records are the stored ones.
 * @param elapsedMs duration of the run
 * @param stored number of records in the scope after the run
 */
export function receiptOf(counters: Counters, elapsedMs: number, stored: number): SyncSummary {
  const { added, updated, removed, requests, units } = counters;
  const { skipped: vanished, refused, skippedIds } = counters;
  const unreadable = counters.unreadable - refused;
  const skipped = vanished + counters.unreadable;
  const reasons = {
    ...(vanished > 0 ? { vanished } : {}),
    ...(unreadable > 0 ? { unreadable } : {}),
    ...(refused > 0 ? { refused } : {}),
  };
  return {
    entitiesSynced: stored,
    added,
    updated,
    removed,
    // Also records that an incremental run did not ask for, and stored versions of unreadable ones.
    unchanged: Math.max(0, stored - added - updated),
    skipped,
    ...(skipped > 0 ? { skippedReasons: reasons } : {}),
    ...(skippedIds.length > 0 ? { skippedIds } : {}),
    requests,
    units,
    waits: Math.round(counters.waitedMs / 100) / 10,
    timeElapsed: Math.round(elapsedMs / 10) / 100,
  };
}

/** Returns what bounds a run, for its receipt: its cap, the day since which it reads, and the total at the provider. */
export function boundsOf(run: {
  cap: number | null;
  since: string | null;
  total: number | null;
}): Pick<SyncSummary, 'cap' | 'since' | 'total'> {
  const { cap, since, total } = run;
  return {
    ...(cap === null ? {} : { cap }),
    ...(since === null ? {} : { since }),
    ...(total === null ? {} : { total }),
  };
}
