import { accessSync, constants, existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { openEncrypter } from '../../platform/backup/index.ts';
import type { Config } from '../../platform/config/config.ts';
import { isLoopback } from '../../platform/config/config.ts';
import { findDatabaseFolder } from '../../platform/embedded-postgres/cluster-paths.ts';
import { LOW_SPACE_BYTES, readDiskSpace } from '../../platform/embedded-postgres/disk-space.ts';
import { StartError } from '../../platform/start-error.ts';
import { backupKeysOf } from '../backup.ts';
import { requireWritable } from '../scheduled-backups.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

const GB = 1024 ** 3;
/** Free disk space with which syncs and the database soon stop. */
const NO_SPACE_BYTES = GB / 5;

/** Checks the files and folders that settings name, and the recipient of backups. */
async function checkNamedFiles(config: Config): Promise<Finding[]> {
  const steps = [
    () => config.scheduledBackups && requireWritable(config.scheduledBackups.folder),
    () => openEncrypter(backupKeysOf(config)),
  ];
  const findings: Finding[] = [];
  for (const step of steps)
    try {
      await step();
    } catch (error) {
      if (!(error instanceof StartError)) throw error;
      findings.push(problem(error.message, 'Correct it: Datadeck does not start with it.'));
    }
  return findings;
}

/** Checks what settings name, and settings that are valid each, but do not fit together. */
export async function checkSettings(config: Config): Promise<Finding[]> {
  const findings = await checkNamedFiles(config);
  if (!isLoopback(config.HOST) && config.PUBLIC_URL === undefined)
    findings.push(
      warning(
        `HOST=${config.HOST} is open to other machines, but PUBLIC_URL is not set.`,
        'Set PUBLIC_URL to the address that browsers use, for example https://datadeck.example.org.',
      ),
    );
  if (config.PUBLIC_URL?.startsWith('http:') && !isLoopback(new URL(config.PUBLIC_URL).hostname))
    findings.push(
      warning(
        `PUBLIC_URL=${config.PUBLIC_URL} has no TLS, so passwords and sessions can be read on the way.`,
        'Put a reverse proxy with TLS in front: docs/run/reverse-proxy.md.',
      ),
    );
  if (config.connectHosts.length === 0)
    findings.push(
      warning(
        'No mail server can be connected by IMAP: CONNECT_HOSTS is not set, and this server can be reached by others.',
        'Set CONNECT_HOSTS to the mail servers that users may name, for example imap.gmail.com,imap.fastmail.com, or to * for any.',
      ),
    );
  return findings.length > 0 ? findings : [ok('The settings are valid.')];
}

/** Returns the folder, or the closest existing folder above it. */
function existingFolder(folder: string): string {
  return existsSync(folder) ? folder : existingFolder(dirname(folder));
}

/** Checks the free space of a folder's disk. @param advice what to do when it is low */
function checkSpace(folder: string, existing: string, advice: string): Finding {
  const { free } = readDiskSpace(existing);
  const text = `The disk of ${folder} has ${(free / 1e9).toFixed(1)} GB free.`;
  if (free < NO_SPACE_BYTES) return problem(text, advice);
  return free < LOW_SPACE_BYTES ? warning(text, advice) : ok(text);
}

/** Checks that the data folder can be written, and the free space there and where the embedded database lies. */
export function checkDisk({ DATA_DIR: folder, DATABASE_URL }: Config): Finding[] {
  const existing = existingFolder(folder);
  try {
    accessSync(existing, constants.W_OK);
  } catch {
    return [
      problem(
        `The data folder ${folder} cannot be written by this user.`,
        'Set DATA_DIR to another folder, or change the owner of this one.',
      ),
    ];
  }
  const advice = 'Free space there, or move the data folder: stop Datadeck, move it, set DATA_DIR.';
  const findings = [checkSpace(folder, existing, advice)];
  const database = DATABASE_URL === undefined ? findDatabaseFolder(folder) : undefined;
  if (database !== undefined && !database.startsWith(folder))
    findings.push(checkSpace(database, database, 'The database lies there: free space on that disk.'));
  return findings;
}
