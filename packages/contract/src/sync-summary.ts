import { z } from 'zod';

/**
 * Reasons to skip a record. `vanished`: listed, but deleted before it was read. `unreadable`: the provider fails to return
 * it; its stored version stays, and the next sync retries it. `refused`: the database does not store it; an earlier
 * version stays.
 */
export const SKIP_REASONS = ['vanished', 'unreadable', 'refused'] as const;
/** Maximum number of skipped records that a receipt names, and the maximum length of such an id, UTF-16 units. */
export const MAX_SKIPPED_IDS = 20;
export const MAX_SKIPPED_ID_LENGTH = 200;

/** The scopes of a sync: how many there were, the first ones that failed, and the first ones that the plan left out. */
const scopesOfSummarySchema = z.object({
  count: z.number().int(),
  failedCount: z.number().int(),
  /** At most 20, with the reason. */
  failed: z.array(z.object({ name: z.string(), message: z.string() })),
  /** Scopes beyond the plan's number, which were not read. */
  cutCount: z.number().int(),
  /** The names of at most 20 of them. */
  cut: z.array(z.string()),
});

/** Summary of a sync: `{ entitiesSynced: 500, timeElapsed: 12.3, added: 20, updated: 3, removed: 1, requests: 8, … }`. */
export const syncSummarySchema = z.object({
  /** Error message of a failed sync. */
  errMessage: z.string().optional(),
  /** Number of stored records in the scope after the sync. */
  entitiesSynced: z.number().int().optional(),
  /** Duration, seconds. */
  timeElapsed: z.number().optional(),
  added: z.number().int().optional(),
  updated: z.number().int().optional(),
  removed: z.number().int().optional(),
  /** Stored records that the run neither added nor updated: `entitiesSynced` is added + updated + unchanged. */
  unchanged: z.number().int().optional(),
  skipped: z.number().int().optional(),
  /** Number of skipped records by reason; absent if none were skipped. */
  skippedReasons: z.partialRecord(z.enum(SKIP_REASONS), z.number().int()).optional(),
  /** Ids of the first unreadable and refused records: `["INBOX/1/42"]`. */
  skippedIds: z.array(z.string()).optional(),
  requests: z.number().int().optional(),
  /** Quota units used at the provider. */
  units: z.number().int().optional(),
  /** Seconds waited because the provider or its quota required it. */
  waits: z.number().optional(),
  /** Number of records in the scope at the provider, if known. */
  total: z.number().int().optional(),
  /** Largest number of records that the plan allowed: the newest, or the first ones in the provider's order; absent for no limit. */
  cap: z.number().int().optional(),
  /** Date of the oldest kept record (ISO), when the plan's cap cut off older ones. */
  keptBackTo: z.string().optional(),
  incremental: z.boolean().optional(),
  /** Scopes that were read, for a sync of a list of scopes: `{ count: 12, failed: [{ name: 'octo/gone', message: '…' }], … }`. */
  scopes: scopesOfSummarySchema.optional(),
  /** Day since which records were wanted, e.g. `2026-01-31`; absent for all. */
  since: z.string().optional(),
  /** For a failed full sync: all records newer than this instant (ISO) are stored. */
  completeBackTo: z.string().optional(),
});
export type SyncSummary = z.infer<typeof syncSummarySchema>;
