import { z } from 'zod';
import { accountNameSchema, idSchema } from './endpoint.ts';
import { settingValuesSchema } from './entities.ts';

/** States of a sync. */
export const SYNC_STATUSES = ['started', 'finished', 'failed'] as const;
/** One of `SYNC_STATUSES`, e.g. `finished`. */
export const syncStatusSchema = z.enum(SYNC_STATUSES);
export type SyncStatus = z.infer<typeof syncStatusSchema>;

/**
 * Reasons to skip a record. `vanished`: listed, but deleted before it was read. `unreadable`: the provider fails to return
 * it; its stored version stays, and the next sync retries it. `refused`: the database does not store it; an earlier
 * version stays.
 */
export const SKIP_REASONS = ['vanished', 'unreadable', 'refused'] as const;
/** Maximum number of skipped records that a receipt names, and the maximum length of such an id, UTF-16 units. */
export const MAX_SKIPPED_IDS = 20;
export const MAX_SKIPPED_ID_LENGTH = 200;

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
  /** For a failed full sync: all records newer than this instant (ISO) are stored. */
  completeBackTo: z.string().optional(),
});
export type SyncSummary = z.infer<typeof syncSummarySchema>;

/** Reasons of a failed sync: cancelled by the user or by a deletion, or failed with an error. */
export const SYNC_FAILURES = ['cancelled', 'error'] as const;

/** Phases of a running sync. */
export const SYNC_PHASES = ['queued', 'listing', 'fetching', 'waiting', 'finishing', 'done'] as const;

/** Progress of a running sync: `{ phase: 'fetching', records: 200, total: 5000, rate: 95.5, retryAt: null }`. */
export const syncProgressSchema = z.object({
  phase: z.enum(SYNC_PHASES),
  records: z.number().int(),
  total: z.number().int().nullable(),
  /** Average records per second since the start. */
  rate: z.number(),
  /** ISO instant until which the sync waits for the provider; null if it does not wait. */
  retryAt: z.string().nullable(),
});
export type SyncProgress = z.infer<typeof syncProgressSchema>;

/** A sync: `{ _id: '…', number: 12, providerId: 'github', entityLabel: 'gh-pulls', status: 'finished', … }`. */
export const syncSchema = z.object({
  _id: z.string(),
  /** Sequence number among the user's syncs, displayed as '#12'. */
  number: z.number().int(),
  providerId: z.string(),
  entityLabel: z.string(),
  /** The account that it reads, e.g. `octocat`. */
  account: z.string(),
  status: syncStatusSchema,
  created_at: z.string(),
  updated_at: z.string(),
  summary: syncSummarySchema,
  entitySettings: z.record(z.string(), z.string()),
  /** Progress of a started sync; else null. */
  progress: syncProgressSchema.nullable(),
  /** Reason of a failed sync; else absent. */
  failure: z.enum(SYNC_FAILURES).optional(),
  /** True for the newest ended sync of its entity and account while its undo log exists, so that it can be deleted. */
  isLast: z.boolean(),
  /** True when a schedule started it. */
  isScheduled: z.boolean().optional(),
});
export type Sync = z.infer<typeof syncSchema>;

/** Accepted but ignored: overwrite is always on, and the plan sets the limit. `{ overwrite: true, limit: 500, many: true }`. */
export const generalSettingsSchema = z.object({
  overwrite: z.boolean().optional(),
  limit: z.number().int().nullish(),
  many: z.boolean().optional(),
});

/** Request to start a sync: `{ providerId: 'github', entityLabel: 'gh-pulls', entitySettings: { owner: '…', repo: '…' } }`. */
export const startSyncSchema = z.object({
  providerId: idSchema,
  entityLabel: idSchema,
  account: accountNameSchema,
  /** Id of the last ended sync known to the client; empty or absent for the first sync. */
  prevSyncId: z.string().max(100).nullish(),
  generalSettings: generalSettingsSchema.nullish(),
  entitySettings: settingValuesSchema.nullish(),
});
export type StartSync = z.infer<typeof startSyncSchema>;

/** Estimate of a sync: `{ incremental: false, total: 5200, records: 5000, requests: 51, units: 51, seconds: 20, … }`. */
export const syncPlanSchema = z.object({
  /** Whether the sync would request only changes since the last one. */
  incremental: z.boolean(),
  /** Number of records in the scope at the provider; null when unknown. */
  total: z.number().int().nullable(),
  /** Number of records that the sync would fetch. */
  records: z.number().int(),
  requests: z.number().int(),
  /** Quota units the sync would use, and units allowed per minute (null: unlimited). */
  units: z.number().int(),
  unitsPerMinute: z.number().nullable(),
  /** Estimated duration, seconds. */
  seconds: z.number(),
  /** Largest number of records that the plan allows. */
  cap: z.number().int().nullable(),
  /** ISO instant until which the provider asked to wait; null if it did not. */
  waitUntil: z.string().nullable(),
});
export type SyncPlan = z.infer<typeof syncPlanSchema>;

/** Comparison of stored ids with the provider: `{ checkedAt: '…', provider: 500, stored: 499, missing: 1, gone: 0 }`. */
export const verificationSchema = z.object({
  checkedAt: z.string(),
  /** Number of records in the scope at the provider. */
  provider: z.number().int(),
  stored: z.number().int(),
  /** Number of records that should be stored but are not. */
  missing: z.number().int(),
  /** Number of stored records that no longer exist at the provider. */
  gone: z.number().int(),
});
export type Verification = z.infer<typeof verificationSchema>;

/** A page of 8 syncs and the total number: `{ results: […], count: 43 }`. */
export const syncHistorySchema = z.object({ results: z.array(syncSchema), count: z.number().int() });
export type SyncHistory = z.infer<typeof syncHistorySchema>;
