import { errorOf } from './failure.ts';
import { type RequestOptions, type RequestOutcome, type RequestSettings, request } from './request.ts';

/** How often a read is sent, and the longest wait that the server may ask for, s. */
const LIMITS = { tries: 8, waitSeconds: 5 } as const;

/** Waits. @returns false once the signal is aborted */
async function wait(seconds: number, signal: AbortSignal | undefined): Promise<boolean> {
  if (signal?.aborted) return false;
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve(signal?.aborted !== true);
    };
    const timer = setTimeout(end, seconds * 1000);
    signal?.addEventListener('abort', end);
  });
}

/**
 * Sends a read like `request`. If the server refuses it as `rate-limited` for at most 5 s, waits as long as the server asks and up to
 * as long again, and repeats it. Returns the refusal after eight tries, or once the signal is aborted. The tiles of a board that many
 * people open at once are more than the server lets wait.
 */
export async function requestWhenFree(
  options: RequestOptions,
  settings: RequestSettings,
): Promise<RequestOutcome> {
  for (let tries = 1; ; tries++) {
    const outcome = await request(options, settings);
    const { code, retryAfter = 0 } = errorOf(outcome.error) ?? {};
    const isBusy = code === 'rate-limited' && retryAfter > 0 && retryAfter <= LIMITS.waitSeconds;
    if (!isBusy || tries === LIMITS.tries) return outcome;
    // Refused tiles of many people come back one after another.
    const seconds = retryAfter * (1 + Math.random());
    if (!(await wait(seconds, options.signal))) return outcome;
  }
}
