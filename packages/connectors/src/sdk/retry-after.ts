/** Longest accepted wait: one day. */
export const MAX_WAIT_MS = 86_400_000;

/**
 * Limits the end of a wait (ms since 1970) to one day from now; undefined if it is not a time. A longer wait is a
 * provider's mistake, or the provider asks again after that day.
 */
export function clampToOneDay(instant: number | undefined, now: number): number | undefined {
  if (instant === undefined || Number.isNaN(instant)) return undefined;
  return Math.min(instant, now + MAX_WAIT_MS);
}

/** Returns the delay (ms) of a Retry-After value relative to the response's Date, since clocks may differ. */
function delayOf(value: string, headers: Headers, now: number): number {
  return /^\d+$/.test(value)
    ? Number(value) * 1000
    : Date.parse(value) - (Date.parse(headers.get('date') ?? '') || now);
}

/** Returns the time (ms since 1970) of a Retry-After header (RFC 9110: seconds or a date), limited to one day. */
export function retryAfterOf(headers: Headers, now: number): number | undefined {
  const value = headers.get('retry-after')?.trim();
  if (value === undefined || value === '') return undefined;
  return clampToOneDay(now + delayOf(value, headers, now), now);
}
