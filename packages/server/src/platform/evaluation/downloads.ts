import { BOUNDS } from '@datadeck/contract';
import { AppError } from '../app-error.ts';
import { DEMO_SHARE } from '../share.ts';

/** Downloads at the same time: of all demo users together, and of everybody. */
const MOST_DEMO = 4;
const MOST_ALL = 24;

/** Counts the downloads that are made or read: each holds up to `BOUNDS.downloadBytes` on the disk. */
export class Downloads {
  readonly #open = new Map<string, number>();

  /**
   * Counts one more download.
   * @returns what takes it off the count again, once
   * @throws AppError rate-limited when there are too many
   */
  begin(userId: string, share: string): () => void {
    const names = ['all', `user ${userId}`, ...(share === DEMO_SHARE ? [share] : [])];
    for (const name of names)
      if (this.#count(name) >= mostOf(name))
        throw new AppError(
          'rate-limited',
          name === `user ${userId}`
            ? `At most ${BOUNDS.downloadsPerUser} of your downloads can run at the same time. Wait until one has finished, then try again.`
            : 'Too many downloads are running. Try again in a moment.',
          { retryAfter: 5 },
        );
    for (const name of names) this.#open.set(name, this.#count(name) + 1);
    let isOpen = true;
    return () => {
      if (!isOpen) return;
      isOpen = false;
      for (const name of names) {
        const left = this.#count(name) - 1;
        if (left > 0) this.#open.set(name, left);
        else this.#open.delete(name);
      }
    };
  }

  #count(name: string): number {
    return this.#open.get(name) ?? 0;
  }
}

function mostOf(name: string): number {
  if (name === 'all') return MOST_ALL;
  return name === DEMO_SHARE ? MOST_DEMO : BOUNDS.downloadsPerUser;
}
