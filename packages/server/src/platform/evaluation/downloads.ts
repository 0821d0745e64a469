import { BOUNDS } from '@datadeck/contract';
import { AppError } from '../app-error.ts';
import { OpenCounter } from '../open-counter.ts';
import { DEMO_SHARE } from '../share.ts';

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
  begin(userId: string, share: string): () => void {
    // The users of a common share have limits of their own, and a user's shares too.
    const user = `user ${userId} in ${share}`;
    const ofDemo = share === DEMO_SHARE ? { [share]: MAX_DEMO_DOWNLOADS } : {};
    return this.#open.acquire({ all: MAX_DOWNLOADS, [user]: BOUNDS.downloadsPerUser, ...ofDemo }, (full) => {
      const message =
        full === user
          ? `At most ${BOUNDS.downloadsPerUser} of your downloads can run at the same time. Wait until one has finished, then try again.`
          : 'Too many downloads are running. Try again in a moment.';
      return new AppError('rate-limited', message, { retryAfter: 5 });
    });
  }
}
