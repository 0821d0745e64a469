export { BACKFILL_QUEUE, workOnBackfills } from './backfill-job.ts';
export { type CancelReason, cancelSync, endRunningSyncs, endRuns } from './cancel.ts';
export { deleteLastSync, deleteSyncs, deleteUsage, forgetSeenOfEnded } from './change.ts';
export { listChanges, listVersions, showChange } from './changes.ts';
export { hasFinishedSince } from './endings.ts';
export { listEntities } from './entities.ts';
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
  concludeDeletion,
  type DeletionTarget,
  deleteRecords,
  exampleRecords,
  forgetSeen,
  forgetSeenExcept,
  forgetSeenOfAccount,
  isRecordOf,
  isSwept,
  noteDeletion,
  overRecords,
  prepareRecordTables,
  prolongDeletion,
  type RecordSource,
  releaseDeletion,
  requirePrepared,
  type StoredEntity,
  tableOf,
  textArray,
  writeRecords,
} from './storage/index.ts';
export { verifySync } from './verify.ts';
export { SyncWorker } from './worker.ts';
