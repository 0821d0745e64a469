import { statSync } from 'node:fs';
import type { SecretKey } from '../encryption.ts';
import { readBackupFile } from './backup-file.ts';
import type { BackupHeader, BackupTable, TableEnd } from './blocks.ts';

/** What a checked backup contains. */
export interface BackupSummary {
  header: BackupHeader;
  tables: readonly (BackupTable & TableEnd)[];
  /** Size of the file, bytes. */
  size: number;
}

/** Reads a whole backup and checks every part of it. @throws StartError for a damaged file or a wrong key */
export async function verifyBackup(file: string, key: SecretKey | undefined): Promise<BackupSummary> {
  const tables: (BackupTable & TableEnd)[] = [];
  let header: BackupHeader | undefined;
  for await (const event of readBackupFile(file, key)) {
    if (event.type === 'header') header = event.header;
    if (event.type === 'tableEnd') tables.push({ ...event.table, ...event.end });
  }
  if (header === undefined) throw new Error('a backup without a header was accepted');
  return { header, tables, size: statSync(file).size };
}
