export { deleteAccount, deleteAllData, deleteIdleDemoWorkspaces, deleteProviderData } from './delete-data.ts';
export { deleteRecords } from './delete-rows.ts';
export { enqueueDeletion } from './queue.ts';
export { DeletionWorker } from './worker.ts';
