import type { CacheTag } from '@datadeck/contract/cache-tags';

/** Statuses that say: what the page shows is no longer what the server has. */
const STALE_STATUSES: readonly unknown[] = [404, 409];

function statusOf(error: unknown, key: 'status' | 'originalStatus'): unknown {
  return typeof error === 'object' && error !== null && key in error
    ? (error as Record<string, unknown>)[key]
    : undefined;
}

/** Tells whether the server made the change although the call counts as failed: its answer could not be read. */
function wasMade(error: unknown): boolean {
  const status = statusOf(error, 'originalStatus');
  return typeof status === 'number' && status >= 200 && status < 300;
}

/** The lists that a change makes out of date: all after a success, none after a failure, unless the page was out of date. */
export function refreshes(...tags: CacheTag[]): (result: unknown, error: unknown) => CacheTag[] {
  return (_result, error) =>
    error === undefined || wasMade(error) || STALE_STATUSES.includes(statusOf(error, 'status')) ? tags : [];
}
