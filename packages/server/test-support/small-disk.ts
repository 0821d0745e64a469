import { execFileSync } from 'node:child_process';
import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeTemporaryFolder } from './temporary-folder.ts';

const MB = 1024 * 1024;

/** A small disk in memory that tests fill. */
export class SmallDisk {
  readonly folder: string;
  /** A file that takes up space. */
  readonly filler: string;

  private constructor(folder: string) {
    this.folder = folder;
    this.filler = join(folder, 'filler');
  }

  /** Mounts a disk. It requires root, and some containers forbid it even then. @returns undefined where it is forbidden */
  static mount(sizeMb: number): SmallDisk | undefined {
    const folder = makeTemporaryFolder('datadeck-disk-');
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeMb}m,mode=755`, 'tmpfs', folder], {
        stdio: 'ignore',
      });
      return new SmallDisk(folder);
    } catch {
      rmSync(folder, { recursive: true });
      return undefined;
    }
  }

  /** Fills the disk except for this many megabytes. */
  fill(leftMb: number): void {
    const { bavail, bsize } = statfsSync(this.folder);
    writeFileSync(this.filler, Buffer.alloc(Math.floor(bavail * bsize - leftMb * MB)));
  }

  unmount(): void {
    execFileSync('umount', ['-l', this.folder]);
    rmSync(this.folder, { recursive: true });
  }
}
