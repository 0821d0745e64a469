import { BOUNDS } from '@datadeck/contract';
import { AppError } from '../app-error.ts';
import { DEMO_QUEUE } from '../fair-queue.ts';
import { OpenCounter } from '../open-counter.ts';

/** Largest number of concurrent downloads: of all demo users together, and of all users. */
const MAX_DEMO_DOWNLOADS = 4;
const MAX_DOWNLOADS = 12;

/** Counts active downloads, each of which may use `BOUNDS.downloadBytes` of disk space. */
export class Downloads {
  readonly #open = new OpenCounter();

  /**
   * Adds a download.
   * @returns the function that removes it
   * @throws AppError rate-limited when there are too many
   */
  begin(userId: string, fairQueue: string): () => void {
    // The users of a common fair queue have limits of their own, and a user's fair queues too.
    const user = `user ${userId} in ${fairQueue}`;
    const ofDemo = fairQueue === DEMO_QUEUE ? { [fairQueue]: MAX_DEMO_DOWNLOADS } : {};
    return this.#open.acquire({ all: MAX_DOWNLOADS, [user]: BOUNDS.downloadsPerUser, ...ofDemo }, (full) => {
      const message =
        full === user
          ? `At most ${BOUNDS.downloadsPerUser} of your downloads can run at the same time. Wait until one has finished, then try again.`
          : 'Too many downloads are running. Try again in a moment.';
      return new AppError('rate-limited', message, { retryAfter: 5 });
    });
  }
}
