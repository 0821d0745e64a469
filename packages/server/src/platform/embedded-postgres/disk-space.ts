import { existsSync, statfsSync } from 'node:fs';
import { StartError } from '../start-error.ts';

const MB = 1024 * 1024;
/** Smallest free disk space; with less, PostgreSQL cannot create its next WAL segment (16 MB) and stops. */
const MIN_FREE_BYTES = 32 * MB;

/** Free disk space below which users and the operator are warned. */
export const LOW_SPACE_BYTES = 1024 * MB;

/** Space of a disk, in bytes. */
export interface DiskSpace {
  /** Space that the database may still use; what is reserved for root does not count. */
  free: number;
  size: number;
}

/** Returns the space of the disk of a folder. @throws Error for a missing folder */
export function readDiskSpace(folder: string): DiskSpace {
  const { bavail, blocks, bsize } = statfsSync(folder);
  return { free: bavail * bsize, size: blocks * bsize };
}

/** Returns whether the disk of a folder has too little space for a database; false for a missing folder. */
export function isDiskFull(folder: string): boolean {
  return existsSync(folder) && readDiskSpace(folder).free < MIN_FREE_BYTES;
}

/** Returns whether the disk of a folder is almost full; false for a missing folder. */
export function isDiskLow(folder: string): boolean {
  return existsSync(folder) && readDiskSpace(folder).free < LOW_SPACE_BYTES;
}

/** Runs a step of the start. @throws StartError that reports the full disk, if the step fails on one */
export async function withDiskCheck<T>(folder: string, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (!isDiskFull(folder)) throw error;
    const freeMb = Math.floor(readDiskSpace(folder).free / MB);
    throw new StartError(
      `The disk of ${folder} is full (${freeMb} MB left), and the database needs space. Free at least 200 MB there. No stored data is lost.`,
      error,
    );
  }
}
