import type { Estimate } from '@datadeck/connectors';
import { syncSummarySchema } from '@datadeck/contract';
import { and, desc, eq } from 'drizzle-orm';
import type { Queryable } from '../../platform/db/pool.ts';
import type { RecordSource } from './storage/index.ts';
import { isSyncStateOf } from './sync-state.ts';
import { syncs } from './tables.ts';

/** Seconds that a record adds to its request: its share of the page's transfer, and its place in the database. */
const RECORD_SECONDS = 0.003;
/** Past runs that are looked at. */
const MOST_RUNS = 10;
/** Runs of as many requests tell the pace of larger ones; smaller runs mostly consist of what is done once. */
const TELLING_REQUESTS = 20;

type Cost = Pick<Estimate, 'requests' | 'units' | 'records'>;

interface Pace {
  /** What one request takes, measured by the plan's own questions to the provider. */
  requestSeconds: number;
  /** Seconds a request of comparable past runs of the source, which ran several at once; null: there were none. */
  runSeconds: number | null;
}

/** Seconds of a sync: by its pace, or by the quota where it needs more than a minute's units, which may be spent at once. */
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

/** Reads what a request took in the newest finished runs of a source that are comparable to a run of this many requests. */
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
    .limit(MOST_RUNS);
  const least = Math.min(TELLING_REQUESTS, Math.max(1, requests / 2));
  const measured = runs
    .map(({ summary }) => syncSummarySchema.safeParse(summary).data ?? {})
    .filter((summary) => (summary.requests ?? 0) >= least && summary.timeElapsed !== undefined);
  if (measured.length === 0) return null;
  const total = { seconds: 0, requests: 0 };
  for (const { timeElapsed = 0, waits = 0, requests: made = 0 } of measured) {
    total.seconds += Math.max(0, timeElapsed - waits);
    total.requests += made;
  }
  return total.seconds / total.requests;
}
