import type { CacheTag } from '@datadeck/contract/cache-tags';

/** Statuses that mean that the page shows outdated data. */
const STALE_STATUSES: readonly unknown[] = [404, 409];

function statusOf(error: unknown, key: 'status' | 'originalStatus'): unknown {
  return typeof error === 'object' && error !== null && key in error
    ? (error as Record<string, unknown>)[key]
    : undefined;
}

/** Returns true if the server made the change but its response could not be parsed. */
function wasMade(error: unknown): boolean {
  const status = statusOf(error, 'originalStatus');
  return typeof status === 'number' && status >= 200 && status < 300;
}

/** Returns the cache tags to invalidate after a change: all on success, none on failure, unless the page was outdated. */
export function refreshes(...tags: CacheTag[]): (result: unknown, error: unknown) => CacheTag[] {
  return (_result, error) =>
    error === undefined || wasMade(error) || STALE_STATUSES.includes(statusOf(error, 'status')) ? tags : [];
}
