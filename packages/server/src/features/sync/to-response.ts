import { limitOf, SYNC_PHASES, type Sync, type SyncSummary, syncSummarySchema } from '@datadeck/contract';
import { z } from 'zod';
import { countersSchema, recordsOf } from './counters.ts';
import { addCounters, totalsOf } from './scope-totals.ts';
import type { syncs } from './tables.ts';

export type SyncRow = typeof syncs.$inferSelect;

const settingsSchema = z.record(z.string(), z.string());
const phaseSchema = z.enum(SYNC_PHASES).catch('fetching');

/** Parses the stored settings of a sync. @throws ZodError */
export function settingsOf(row: Pick<SyncRow, 'settings'>): Record<string, string> {
  return settingsSchema.parse(row.settings);
}

/** Returns the progress of a running sync, null for an ended one. `rate` is in records per second, without waits. */
function progressOf(row: SyncRow, now: number): Sync['progress'] {
  if (row.status !== 'started') return null;
  const totals = totalsOf(row);
  const counters = addCounters(totals.counters, countersSchema.parse(row.counters));
  const records = recordsOf(counters);
  const { scopeCount, givenScopes } = row;
  // The total of scopes that are still to be read is unknown.
  const total = givenScopes === null ? row.total : null;
  const seconds = Math.max(0.1, (now - row.createdAt.getTime() - counters.waitedMs) / 1000);
  const waiting = row.waitingUntil && row.waitingUntil.getTime() > now ? row.waitingUntil : null;
  return {
    phase: waiting ? 'waiting' : phaseSchema.parse(row.phase),
    records,
    total: total === null ? null : Math.max(records, Math.min(total, limitOf(row.cap))),
    rate: Math.round((records / seconds) * 10) / 10,
    retryAt: waiting?.toISOString() ?? null,
    ...(scopeCount === null ? {} : { scope: { name: row.scope, place: row.place + 1, count: scopeCount } }),
  };
}

/** Parses the stored receipt; empty while the sync runs. Counts that were NaN are stored as null and omitted here. */
function summaryOf({ summary }: Pick<SyncRow, 'summary'>): SyncSummary {
  const members = Object.entries(summary ?? {}).filter(([, value]) => value !== null);
  return syncSummarySchema.parse(Object.fromEntries(members));
}

/**
 * Converts a sync to its wire format. `isLast` also requires that it can be undone.
 * @param known.lastIds ids of the newest ended sync of each entity and account @param known.account the name of its account
 */
export function toSync(
  row: SyncRow,
  { lastIds, account }: { lastIds: ReadonlySet<string>; account: string },
  now = Date.now(),
): Sync {
  return {
    _id: row.id,
    number: row.number,
    providerId: row.provider,
    entityLabel: row.entity,
    account,
    status: row.status,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
    summary: summaryOf(row),
    entitySettings: settingsOf(row),
    ...(row.givenScopes === null ? {} : { scopes: row.givenScopes }),
    progress: progressOf(row, now),
    ...(row.failure === null ? {} : { failure: row.failure }),
    isLast: row.undoable && lastIds.has(row.id),
    ...(row.isScheduled ? { isScheduled: true } : {}),
  };
}
