import type { SyncSummary } from '@datadeck/contract';
import { SCOPE_LIMITS } from '@datadeck/contract';
import { z } from 'zod';
import { boundsOf, type Counters, countersSchema, receiptOf } from './counters.ts';
import type { syncs } from './tables.ts';

type SyncRow = typeof syncs.$inferSelect;

const count = z.number().catch(0);

/** What is known of the scopes that a run has read so far. */
const totalsSchema = z.object({
  counters: countersSchema.catch(() => countersSchema.parse({})),
  /** Stored records of the scopes. */
  stored: count,
  /** Records at the provider; null if it is unknown for a scope. */
  total: z.number().nullable().catch(null),
  finished: count,
  failedCount: count,
  /** The first scopes that failed. */
  failed: z.array(z.object({ name: z.string(), message: z.string() })).catch([]),
  /** Scopes beyond the plan's number, and the names of the first ones. */
  cutCount: count,
  cut: z.array(z.string()).catch([]),
  /** False once a scope was read in full. */
  isIncremental: z.boolean().catch(false),
  /** How many scopes in a row could not be read because the provider did not answer. */
  unavailable: count,
});
export type ScopeTotals = z.infer<typeof totalsSchema>;

/** Returns the totals of a run; those of none before its first scope. */
export function totalsOf({ totals }: Pick<SyncRow, 'totals'>): ScopeTotals {
  return totalsSchema.parse(totals ?? { total: 0, isIncremental: true });
}

/** Adds the counters of a scope to those of the scopes before it. */
export function addCounters(one: Counters, other: Counters): Counters {
  const sums = Object.entries(one).map(([name, value]) => {
    const more = other[name as keyof Counters];
    return [name, typeof value === 'number' && typeof more === 'number' ? value + more : value];
  });
  const skippedIds = [...one.skippedIds, ...other.skippedIds].slice(0, SCOPE_LIMITS.named);
  return { ...(Object.fromEntries(sums) as Counters), skippedIds };
}

/** The end of a scope. */
export interface ScopeEnd {
  name: string;
  counters: Counters;
  /** Stored records of the scope. */
  stored: number;
  total: number | null;
  isIncremental: boolean;
  /** Why it failed; undefined if it did not. */
  failure?: { message: string; isUnavailable: boolean };
}

/** Returns the totals with a further scope. */
export function withScope(totals: ScopeTotals, end: ScopeEnd): ScopeTotals {
  const { failure } = end;
  const isNamed = failure !== undefined && totals.failed.length < SCOPE_LIMITS.named;
  return {
    ...totals,
    counters: addCounters(totals.counters, end.counters),
    stored: totals.stored + end.stored,
    total: totals.total === null || end.total === null ? null : totals.total + end.total,
    finished: totals.finished + (failure ? 0 : 1),
    failedCount: totals.failedCount + (failure ? 1 : 0),
    failed: isNamed ? [...totals.failed, { name: end.name, message: failure.message }] : totals.failed,
    isIncremental: totals.isIncremental && end.isIncremental,
    unavailable: failure?.isUnavailable ? totals.unavailable + 1 : 0,
  };
}

/** Returns the receipt of a run over several scopes. @param elapsedMs duration of the run */
export function receiptOfScopes(
  run: Pick<SyncRow, 'cap' | 'since' | 'scopeCount'>,
  totals: ScopeTotals,
  elapsedMs: number,
): SyncSummary {
  const { counters, stored, total, failedCount, failed, cutCount, cut } = totals;
  return {
    ...receiptOf(counters, elapsedMs, stored),
    ...boundsOf({ ...run, total }),
    incremental: totals.isIncremental,
    scopes: { count: run.scopeCount ?? 0, failedCount, failed, cutCount, cut },
  };
}
