import { statfsSync } from 'node:fs';
import { StartError } from '../start-error.ts';

const MB = 1024 * 1024;
/** With less PostgreSQL cannot begin another piece of its log (16 MB), and ends. */
const MIN_FREE_BYTES = 32 * MB;

function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** Whether the disk of a folder has too little room for a database to work. */
export function isDiskFull(folder: string): boolean {
  return freeBytes(folder) < MIN_FREE_BYTES;
}

/** Carries out a step of a start; when it fails on a full disk, that is what is told. @throws StartError */
export async function withDiskCheck<T>(folder: string, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (!isDiskFull(folder)) throw error;
    const freeMb = Math.floor(freeBytes(folder) / MB);
    throw new StartError(
      `The disk of ${folder} is full (${freeMb} MB left), and the database needs some. Free 200 MB or more there; what was stored is kept.`,
      error,
    );
  }
}
