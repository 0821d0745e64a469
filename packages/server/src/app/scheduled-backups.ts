import { accessSync, constants, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Gauge } from 'prom-client';
import { openEncrypter } from '../platform/backup/index.ts';
import type { Config } from '../platform/config/config.ts';
import { reasonOf } from '../platform/db/failures.ts';
import type { QueueDefinition } from '../platform/jobs/jobs.ts';
import { StartError } from '../platform/start-error.ts';
import { backUp, backupKeysOf } from './backup.ts';
import type { Product } from './product.ts';

/** One backup at a time in all processes. An attempt lasts at most 12 hours. */
export const BACKUP_QUEUE: QueueDefinition = {
  name: 'backup',
  policy: 'exclusive',
  expireInSeconds: 43_200,
  heartbeatSeconds: 30,
  retryLimit: 2,
  retryDelay: 300,
};

type BackupPlan = NonNullable<Config['scheduledBackups']>;

/** Name of a scheduled backup: product and time in UTC; `.backup` until version 0.2.0. Only such files are ever deleted. */
const FILE_NAME = /^datadeck-\d{8}T\d{6}Z\.(?:backup|tar\.gz|tar\.gz\.age)$/;
const PARTIAL_NAME = /^datadeck-\d{8}T\d{6}Z\.(?:backup|tar\.gz|tar\.gz\.age)\.partial\.\d+$/;

function listBackups(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => FILE_NAME.test(name))
    .sort();
}

/** Writes one backup and deletes the oldest ones. One job runs at a time, so partial files are those of killed runs. */
async function writeScheduledBackup(
  { context, version }: Product,
  { folder, keep }: BackupPlan,
  signal: AbortSignal,
): Promise<void> {
  const { config, db, log } = context;
  for (const name of readdirSync(folder)) if (PARTIAL_NAME.test(name)) rmSync(join(folder, name));
  const begun = new Date();
  const stamp = begun.toISOString().replace(/[-:]|\.\d+/g, '');
  const { key, recipient } = backupKeysOf(config);
  const isEncrypted = key !== undefined || recipient !== undefined;
  const file = join(folder, `datadeck-${stamp}.tar.gz${isEncrypted ? '.age' : ''}`);
  const { rows } = await backUp(db.$client.options, config, file, { version, signal });
  log.info(
    {
      file,
      bytes: statSync(file).size,
      rows: [...rows.values()].reduce((sum, count) => sum + count, 0),
      durationMs: Date.now() - begun.getTime(),
    },
    'wrote a scheduled backup',
  );
  for (const name of listBackups(folder).slice(0, -keep)) rmSync(join(folder, name));
}

/** Returns when the newest backup in the folder was completed, in seconds since 1970; 0 without any. */
function lastSuccess(folder: string): number {
  try {
    const newest = listBackups(folder).at(-1);
    return newest === undefined ? 0 : Math.floor(statSync(join(folder, newest)).mtimeMs / 1000);
  } catch {
    return 0;
  }
}

/** @throws StartError when backups cannot be written into the folder */
export function requireWritable(folder: string): void {
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    if (!statSync(folder).isDirectory()) throw new Error('it is no folder');
  } catch (error) {
    throw new StartError(
      `BACKUP_FOLDER=${folder} cannot be written (${reasonOf(error)}). Set it to a folder that exists and that this user may write.`,
      error,
    );
  }
}

/**
 * Schedules backups in this worker process as the settings say, or ends an earlier schedule.
 * @throws StartError for a schedule, folder or recipient that cannot be used
 */
export async function scheduleBackups(product: Product): Promise<void> {
  const { jobs, metrics, config } = product.context;
  const plan = config.scheduledBackups;
  if (plan === undefined) return jobs.unschedule(BACKUP_QUEUE.name);
  requireWritable(plan.folder);
  // Throws for a wrong recipient.
  await openEncrypter(backupKeysOf(config));
  try {
    await jobs.schedule(BACKUP_QUEUE.name, plan.schedule);
  } catch (error) {
    throw new StartError(
      `BACKUP_SCHEDULE="${plan.schedule}" is not valid (${reasonOf(error)}); expected a cron line of five fields in UTC, such as 0 3 * * *.`,
      error,
    );
  }
  new Gauge({
    name: 'datadeck_backup_last_success_timestamp_seconds',
    help: 'When the newest scheduled backup was completed; 0 when there is none',
    registers: [metrics.registry],
    collect() {
      this.set(lastSuccess(plan.folder));
    },
  });
  await jobs.work(BACKUP_QUEUE.name, { concurrency: 1 }, ({ signal }) =>
    writeScheduledBackup(product, plan, signal),
  );
}
