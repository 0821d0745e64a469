import { setTimeout as sleep } from 'node:timers/promises';

/** Longest time that a scrape waits for the database, ms. */
const TIMEOUT_MS = 2000;

/**
 * Wraps a read of metrics, so that frequent scrapes cost the database nothing: a result is kept, and one read runs at a time.
 * @param freshMs time for which a result is kept, ms
 * @returns a function whose list is empty while the database does not answer
 */
export function limitReads<T>(read: () => Promise<T[]>, freshMs: number): () => Promise<T[]> {
  let latest: Promise<T[]> = Promise.resolve([]);
  let isReading = false;
  let readAt = Number.NEGATIVE_INFINITY;
  return () => {
    if (!isReading && Date.now() - readAt > freshMs) {
      isReading = true;
      latest = read()
        .catch(() => [])
        .finally(() => {
          isReading = false;
          readAt = Date.now();
        });
    }
    return Promise.race([latest, sleep(TIMEOUT_MS, [], { ref: false })]);
  };
}
