export { listReachableRuns, type ReadSources, requireReach, runsAfter } from './as-of.ts';
export { type CancelReason, cancelSync, endRunningSyncs, endRuns } from './cancel.ts';
export { chooseAccount, chooseUsableAccount } from './choose-account.ts';
export { deleteLastSync, deleteListedIdsOfEndedRuns, deleteSyncs, deleteUsage } from './delete-syncs.ts';
export { exportTableSizes, readDiskUse, readEntityTables } from './disk-use.ts';
export { describeEntities } from './entities.ts';
export { hasFinishedSince } from './finished-runs.ts';
export { listHistoryDays } from './history-days.ts';
export { type HistoryFilter, listHistory, listSyncs } from './list.ts';
export { listSyncScopes } from './list-scopes.ts';
export { readNews } from './news.ts';
export { insertPastSyncs, type PastSync } from './past-syncs.ts';
export { planSync } from './plan.ts';
export { followEvents } from './progress.ts';
export { announceEndedSyncs, announceWaitingSync, SYNC_QUEUE, sendMissingJobs } from './queue.ts';
export { BACKFILL_QUEUE, startBackfill, workOnBackfills } from './re-extract-job.ts';
export {
  type ChangeOfRecords,
  RECORDS_CHANGED_QUEUE,
  recordsChangedSchema,
  reportChangedAccounts,
} from './records-changed.ts';
export { listChanges, listVersions, showChange } from './run-changes.ts';
export { SCHEDULED_FAILURE_QUEUE, scheduledFailureSchema } from './scheduled-failure.ts';
export { listScopeChoices } from './scope-choices.ts';
export { saveSource } from './sources.ts';
export { selectScopes, startSync } from './start.ts';
export { startAllSyncs } from './start-all.ts';
export { listRuns } from './usage.ts';
export { verifySync } from './verify.ts';
export { SyncWorker } from './worker.ts';
