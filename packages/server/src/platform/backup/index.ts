export { requireAllowed } from './allowed.ts';
export type { BackupHeader, BackupTable } from './blocks.ts';
export { type BackupSource, createBackup, type WrittenBackup } from './create.ts';
export { requireEmptyDatabase, requireKnownState, restoreBackup } from './restore.ts';
export { type BackupSummary, verifyBackup } from './verify.ts';
