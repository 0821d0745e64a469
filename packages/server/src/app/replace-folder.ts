import { renameSync, rmSync } from 'node:fs';

/** Calls a function and returns whether it threw one of these error codes. @throws other errors */
function failsWith(codes: readonly string[], work: () => void): boolean {
  try {
    work();
    return false;
  } catch (error) {
    if (codes.includes((error as NodeJS.ErrnoException).code ?? '')) return true;
    throw error;
  }
}

/** Replaces a folder, which may be missing, by a complete one. Other processes may do so at the same moment; the last wins. */
export function replaceFolder(folder: string, replacement: string): void {
  const former = `${folder}.former.${process.pid}`;
  let isTaken: boolean;
  do {
    // Another process may have moved the folder away.
    failsWith(['ENOENT'], () => renameSync(folder, former));
    rmSync(former, { recursive: true, force: true });
    // Another process may have put its folder there since.
    isTaken = failsWith(['ENOTEMPTY', 'EEXIST'], () => renameSync(replacement, folder));
  } while (isTaken);
}
