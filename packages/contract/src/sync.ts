import { z } from 'zod';
import { idSchema } from './endpoint.ts';
import { settingValuesSchema } from './entities.ts';

export const SYNC_STATUSES = ['started', 'finished', 'failed'] as const;
export const syncStatusSchema = z.enum(SYNC_STATUSES);
export type SyncStatus = z.infer<typeof syncStatusSchema>;

/**
 * Why a record is skipped. `vanished`: the provider listed it and no longer had it when it was read. `unreadable`: the
 * provider fails at it; what is stored of it stays, and the next sync asks for it again.
 */
export const SKIP_REASONS = ['vanished', 'unreadable'] as const;

export const syncSummarySchema = z.object({
  /** Of a failed sync: the sentence that says why. */
  errMessage: z.string().optional(),
  /** Records in the scope after the sync. */
  entitiesSynced: z.number().int().optional(),
  /** Seconds. */
  timeElapsed: z.number().optional(),
  added: z.number().int().optional(),
  updated: z.number().int().optional(),
  removed: z.number().int().optional(),
  unchanged: z.number().int().optional(),
  skipped: z.number().int().optional(),
  /** Why, with how many of the skipped each; present where any were. */
  skippedReasons: z.partialRecord(z.enum(SKIP_REASONS), z.number().int()).optional(),
  requests: z.number().int().optional(),
  /** Of the provider's quota. */
  units: z.number().int().optional(),
  /** Seconds spent waiting because the provider asked to. */
  waits: z.number().optional(),
  /** The provider's own count of the scope, where it tells one. */
  total: z.number().int().optional(),
  /** How many records of a scope the plan let the sync keep: the newest, or the first as the provider lists them. */
  cap: z.number().int().optional(),
  /** When the oldest happened (ISO) of the records that the plan let a finished sync keep, where there were more and they have a date. */
  keptBackTo: z.string().optional(),
  incremental: z.boolean().optional(),
  /** Of a failed full sync: nothing newer than this instant (ISO) is missing from what is stored. */
  completeBackTo: z.string().optional(),
});
export type SyncSummary = z.infer<typeof syncSummarySchema>;

/** Why a sync failed: its user or a deletion ended it, or an error did. */
export const SYNC_FAILURES = ['cancelled', 'error'] as const;

export const SYNC_PHASES = ['queued', 'listing', 'fetching', 'waiting', 'finishing', 'done'] as const;

export const syncProgressSchema = z.object({
  phase: z.enum(SYNC_PHASES),
  records: z.number().int(),
  total: z.number().int().nullable(),
  /** Records a second over the run so far. */
  rate: z.number(),
  /** ISO instant until which the provider asked to wait. */
  retryAt: z.string().nullable(),
});
export type SyncProgress = z.infer<typeof syncProgressSchema>;

export const syncSchema = z.object({
  _id: z.string(),
  /** Running number of the user's syncs, shown as '#n'. */
  number: z.number().int(),
  providerId: z.string(),
  entityLabel: z.string(),
  status: syncStatusSchema,
  created_at: z.string(),
  updated_at: z.string(),
  summary: syncSummarySchema,
  entitySettings: z.record(z.string(), z.string()),
  /** Only of a started sync. */
  progress: syncProgressSchema.nullable(),
  /** Only of a failed sync. */
  failure: z.enum(SYNC_FAILURES).optional(),
  /** True for the newest ended sync of its entity while its undo log is kept. */
  isLast: z.boolean(),
  /** True when a schedule started it. */
  isScheduled: z.boolean().optional(),
});
export type Sync = z.infer<typeof syncSchema>;

/** Shown and sent, of no effect: overwrite is always on, and the plan sets the limit. */
export const generalSettingsSchema = z.object({
  overwrite: z.boolean().optional(),
  limit: z.number().int().optional(),
  many: z.boolean().optional(),
});

export const startSyncSchema = z.object({
  providerId: idSchema,
  entityLabel: idSchema,
  /** Id of the last ended sync that the caller knows of; empty or absent for the first one. */
  prevSyncId: z.string().max(100).nullish(),
  generalSettings: generalSettingsSchema.nullish(),
  entitySettings: settingValuesSchema.nullish(),
});
export type StartSync = z.infer<typeof startSyncSchema>;

/** What a sync with these settings would fetch, cost and take. */
export const syncPlanSchema = z.object({
  /** Only what changed since the last sync is asked for. */
  incremental: z.boolean(),
  /** Records of the scope at the provider; null when it does not tell. */
  total: z.number().int().nullable(),
  /** Records that the sync fetches. */
  records: z.number().int(),
  requests: z.number().int(),
  /** Of the provider's quota, and how many of them a minute allows; null: any number. */
  units: z.number().int(),
  unitsPerMinute: z.number().nullable(),
  /** Seconds, about. */
  seconds: z.number(),
  /** Records that the plan keeps. */
  cap: z.number().int(),
  /** ISO instant until which the provider asked not to be called. */
  waitUntil: z.string().nullable(),
});
export type SyncPlan = z.infer<typeof syncPlanSchema>;

/** Ids at the provider beside ids in store. */
export const verificationSchema = z.object({
  checkedAt: z.string(),
  /** Records of the scope at the provider. */
  provider: z.number().int(),
  stored: z.number().int(),
  /** Records that should be stored and are not. */
  missing: z.number().int(),
  /** Stored records that the provider no longer has. */
  gone: z.number().int(),
});
export type Verification = z.infer<typeof verificationSchema>;

export const syncHistorySchema = z.object({ results: z.array(syncSchema), count: z.number().int() });
export type SyncHistory = z.infer<typeof syncHistorySchema>;
