import { statSync } from 'node:fs';
import type { BackupKeys } from './age.ts';
import { readBackupFile } from './backup-file.ts';
import type { BackupHeader, BackupTable } from './manifest.ts';

/** What a checked backup contains. */
export interface BackupSummary {
  header: BackupHeader;
  /** Whether the file is encrypted. Anybody can have written one that is not. */
  isEncrypted: boolean;
  tables: readonly (BackupTable & { rows: number })[];
  /** Size of the file, bytes. */
  size: number;
}

/** Reads a whole backup and checks every part of it. @throws StartError for a damaged file or a wrong key */
export async function verifyBackup(file: string, keys: BackupKeys): Promise<BackupSummary> {
  const tables: BackupSummary['tables'][number][] = [];
  let start: Pick<BackupSummary, 'header' | 'isEncrypted'> | undefined;
  for await (const event of readBackupFile(file, keys)) {
    if (event.type === 'header') start = { header: event.header, isEncrypted: event.isEncrypted };
    if (event.type === 'tableEnd') tables.push({ ...event.table, rows: event.rows });
  }
  if (start === undefined) throw new Error('a backup without a header was accepted');
  return { ...start, tables, size: statSync(file).size };
}
