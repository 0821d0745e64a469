export { BACKFILL_QUEUE, workOnBackfills } from './backfill-job.ts';
export { type CancelReason, cancelSync, endRunningSyncs, endRuns } from './cancel.ts';
export { listChanges, listVersions, showChange } from './changes.ts';
export { DATA_CHANGE_QUEUE, dataChangeSchema } from './data-change.ts';
export { deleteLastSync, deleteSeenOfEndedRuns, deleteSyncs, deleteUsage } from './delete-syncs.ts';
export { exportTableSizes, readDiskUse } from './disk-use.ts';
export { listEntities } from './entities.ts';
export { hasFinishedSince } from './finished-runs.ts';
export { type HistoryFilter, listHistory, listSyncs } from './list.ts';
export { insertPastSyncs, type PastSync } from './past-syncs.ts';
export { planSync } from './plan.ts';
export { followEvents } from './progress.ts';
export { announceEndedSyncs, announceWaitingSync, SYNC_QUEUE, sendMissingJobs } from './queue.ts';
export { SCHEDULED_FAILURE_QUEUE, scheduledFailureSchema } from './scheduled-failure.ts';
export { checkSettings, startSync } from './start.ts';
export {
  type ClaimedDeletion,
  claimDeletion,
  completeDeletionPass,
  type DeletionTarget,
  deleteRecords,
  deleteSeen,
  deleteSeenExcept,
  deleteSeenOfAccount,
  enqueueDeletion,
  exampleRecords,
  isFirstPassDone,
  isRecordOf,
  prepareRecordTables,
  type RecordSource,
  recordTables,
  recreateRecordTable,
  releaseDeletionClaim,
  renewDeletionClaim,
  requirePrepared,
  type StoredEntity,
  tableOf,
  textArray,
  withSourceRecords,
  writeRecords,
} from './storage/index.ts';
export { verifySync } from './verify.ts';
export { SyncWorker } from './worker.ts';
