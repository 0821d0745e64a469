export { cancelSync, deleteLastSync, deleteSyncs, deleteUsage, endRunningSyncs } from './change.ts';
export { listEntities } from './entities.ts';
export { type HistoryFilter, listHistory, listSyncs } from './list.ts';
export { insertPastSyncs, type PastSync } from './past-syncs.ts';
export { publishInvalidation } from './progress.ts';
export { SYNC_QUEUE } from './queue.ts';
export { startSync } from './start.ts';
export { SyncWorker } from './worker.ts';
