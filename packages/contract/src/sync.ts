import { z } from 'zod';
import { accountNameSchema, idSchema } from './endpoint.ts';
import { settingValuesSchema } from './entities.ts';
import { scopeListSchema, sinceSchema } from './scopes.ts';
import { syncSummarySchema } from './sync-summary.ts';

/** States of a sync. */
export const SYNC_STATUSES = ['started', 'finished', 'failed'] as const;
/** One of `SYNC_STATUSES`, e.g. `finished`. */
export const syncStatusSchema = z.enum(SYNC_STATUSES);
export type SyncStatus = z.infer<typeof syncStatusSchema>;

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
  /** The scope that is being read, for a sync of a list of scopes: `{ name: 'octo/hello', place: 3, count: 12 }`. */
  scope: z.object({ name: z.string(), place: z.number().int(), count: z.number().int() }).optional(),
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
  /** The names and patterns of scopes that it reads; absent for a sync of one scope by its settings. */
  scopes: z.array(z.string()).optional(),
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
  /** Scopes to read instead of the one that the settings select; empty: those of the source. */
  scopes: scopeListSchema.nullish(),
  /** Day since which a first sync of a scope reads; absent: that of the source. */
  since: sinceSchema.nullish(),
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
  /** How many of the units are points of GitHub's GraphQL API, which has a quota of its own; absent for none. */
  points: z.number().int().optional(),
  /** Estimated duration, seconds. */
  seconds: z.number(),
  /** Largest number of records that the plan allows. */
  cap: z.number().int().nullable(),
  /** ISO instant until which the provider asked to wait; null if it did not. */
  waitUntil: z.string().nullable(),
  /** The scopes of a plan over a list of scopes. */
  scopes: z
    .object({
      count: z.number().int(),
      /** Number of scopes that were asked about; the sums are estimated from them. */
      estimated: z.number().int(),
      /** At most 100, with what each would fetch, or why it cannot be read. */
      results: z.array(
        z.object({
          name: z.string(),
          total: z.number().int().nullable(),
          records: z.number().int(),
          message: z.string().nullable(),
        }),
      ),
      cutCount: z.number().int(),
      cut: z.array(z.string()),
    })
    .optional(),
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
  /** The scopes of a sync over a list of scopes: those that differ, or could not be compared, at most 100. */
  scopes: z
    .object({
      count: z.number().int(),
      compared: z.number().int(),
      results: z.array(
        z.object({
          name: z.string(),
          missing: z.number().int(),
          gone: z.number().int(),
          message: z.string().nullable(),
        }),
      ),
    })
    .optional(),
});
export type Verification = z.infer<typeof verificationSchema>;

/** Which syncs of the history are meant; empty: all: `{ provider: 'github', entity: 'gh-pulls', status: 'finished' }`. */
export const historyFilterSchema = z.object({
  provider: z.string().max(100).optional(),
  entity: z.string().max(100).optional(),
  account: accountNameSchema,
  status: syncStatusSchema.or(z.literal('')).optional(),
});

/** ISO instant in a query, e.g. `2026-11-27T00:00:00.000Z`. */
export const instantSchema = z.iso.datetime().max(40);

/** Number of days that `syncDaysSchema` looks back, today included. */
export const HISTORY_DAYS = 90;
/** The days with syncs, oldest first, at most `HISTORY_DAYS`: `[{ day: '2026-11-27', finished: 3, failed: 1, started: 0 }]`. */
export const syncDaysSchema = z.array(
  z.object({
    day: z.string(),
    finished: z.number().int(),
    failed: z.number().int(),
    started: z.number().int(),
  }),
);
export type SyncDays = z.infer<typeof syncDaysSchema>;

/** What syncs since an instant changed, by entity and account: `[{ entityLabel: 'gh-pulls', account: 'octocat', runs: 3, added: 12, … }]`. */
export const syncNewsSchema = z.array(
  z.object({
    providerId: z.string(),
    entityLabel: z.string(),
    account: z.string(),
    /** Number of syncs, also of those that failed or are running. */
    runs: z.number().int(),
    added: z.number().int(),
    updated: z.number().int(),
    removed: z.number().int(),
  }),
);
export type SyncNews = z.infer<typeof syncNewsSchema>;

/** A page of 8 syncs and the total number: `{ results: […], count: 43 }`. */
export const syncHistorySchema = z.object({ results: z.array(syncSchema), count: z.number().int() });
export type SyncHistory = z.infer<typeof syncHistorySchema>;

/** The syncs that were started of all sources, and why others were not: `{ started: […], skipped: [{ account: 'octocat', … }] }`. */
export const startedAllSchema = z.object({
  started: z.array(syncSchema),
  skipped: z.array(
    z.object({
      providerId: z.string(),
      entityLabel: z.string(),
      account: z.string(),
      /** Why, as a sentence. */
      message: z.string(),
    }),
  ),
});
export type StartedAll = z.infer<typeof startedAllSchema>;
