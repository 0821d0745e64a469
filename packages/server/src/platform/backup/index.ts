export { type BackupKeys, openEncrypter } from './age.ts';
export { requireAllowed } from './allowed.ts';
export { type BackupSource, createBackup, type WrittenBackup } from './create.ts';
export type { BackupHeader, BackupTable } from './manifest.ts';
export { requireEmptyDatabase, requireKnownState, restoreBackup } from './restore.ts';
export { type BackupSummary, verifyBackup } from './verify.ts';
