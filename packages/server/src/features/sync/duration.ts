import type { Estimate } from '@datadeck/connectors';
import { syncSummarySchema } from '@datadeck/contract';
import { and, desc, eq } from 'drizzle-orm';
import type { Queryable } from '../../platform/db/database.ts';
import type { RecordSource } from '../records/index.ts';
import { isSyncStateOf } from './sync-state.ts';
import { syncs } from './tables.ts';

/** Seconds that each record adds to a request, for its transfer and its storage. */
const RECORD_SECONDS = 0.003;
/** Number of newest runs that are considered. */
const MAX_PAST_RUNS = 10;
/** Runs with at least this many requests predict larger runs; in smaller ones, one-time work dominates. */
const MIN_REPRESENTATIVE_REQUESTS = 20;

type Cost = Pick<Estimate, 'requests' | 'units' | 'records'>;

interface Pace {
  /** Seconds per request, measured while the plan was made. */
  requestSeconds: number;
  /**
   * Seconds per request in comparable past runs of the source, which send several requests at once; null if there are
   * none.
   */
  runSeconds: number | null;
}

/**
 * Estimates the duration of a sync in seconds, by its pace, or by the quota if it needs more units than one minute
 * allows.
 */
export function secondsFor(
  cost: Cost,
  quota: { unitsPerMinute: number; concurrency: number },
  { requestSeconds, runSeconds }: Pace,
): number {
  const byQuota = cost.units > quota.unitsPerMinute ? (60 * cost.units) / quota.unitsPerMinute : 0;
  const byPace =
    runSeconds === null
      ? (cost.requests * requestSeconds) / quota.concurrency + cost.records * RECORD_SECONDS
      : cost.requests * runSeconds;
  return Math.max(byQuota, byPace);
}

/**
 * Returns the seconds per request in the newest finished runs of the source with a comparable number of requests; null
 * if there are none.
 */
export async function pastPace(
  db: Queryable,
  source: RecordSource,
  requests: number,
): Promise<number | null> {
  const runs = await db
    .select({ summary: syncs.summary })
    .from(syncs)
    .where(and(isSyncStateOf(syncs, source), eq(syncs.status, 'finished')))
    .orderBy(desc(syncs.updatedAt))
    .limit(MAX_PAST_RUNS);
  const least = Math.min(MIN_REPRESENTATIVE_REQUESTS, Math.max(1, requests / 2));
  const measured = runs
    .map(({ summary }) => syncSummarySchema.safeParse(summary).data ?? {})
    .filter((summary) => (summary.requests ?? 0) >= least && summary.timeElapsed !== undefined);
  if (measured.length === 0) return null;
  const total = { seconds: 0, requests: 0 };
  for (const { timeElapsed = 0, waits = 0, requests: requestCount = 0 } of measured) {
    total.seconds += Math.max(0, timeElapsed - waits);
    total.requests += requestCount;
  }
  return total.seconds / total.requests;
}
