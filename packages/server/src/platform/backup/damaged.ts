import { StartError } from '../start-error.ts';

/** Thrown for a file that is no backup, or a damaged one. */
export class DamagedBackup extends StartError {
  /** @param problem what is wrong, as a clause */
  constructor(problem: string) {
    super(`The file is not a complete backup: ${problem}. Nothing was restored from it; use another copy.`);
  }
}
