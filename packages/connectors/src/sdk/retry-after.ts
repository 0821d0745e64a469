/** Nobody is waited for longer. */
export const LONGEST_WAIT_MS = 86_400_000;

/**
 * An instant (ms) until which a provider asks to wait, as it can be kept to: none that is no time, none later than a day
 * from now. Whoever asks for more has erred, or is asked again then.
 */
export function withinADay(instant: number | undefined, now: number): number | undefined {
  if (instant === undefined || Number.isNaN(instant)) return undefined;
  return Math.min(instant, now + LONGEST_WAIT_MS);
}

/** How long after its own Date an answer's Retry-After lies, ms: the provider's clock may be another than ours. */
function delayOf(value: string, headers: Headers, now: number): number {
  return /^\d+$/.test(value)
    ? Number(value) * 1000
    : Date.parse(value) - (Date.parse(headers.get('date') ?? '') || now);
}

/** The instant (ms) that a Retry-After header names, in seconds from `now` or as a date (RFC 9110); within a day. */
export function retryAfterOf(headers: Headers, now: number): number | undefined {
  const value = headers.get('retry-after')?.trim();
  if (value === undefined || value === '') return undefined;
  return withinADay(now + delayOf(value, headers, now), now);
}
