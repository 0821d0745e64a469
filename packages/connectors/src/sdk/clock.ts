/** Time as the SDK sees it, in milliseconds. Tests put a faster one in its place. */
export interface Clock {
  now(): number;
  /** Waits; rejects with the signal's reason as soon as it aborts. */
  pause(ms: number, signal: AbortSignal): Promise<void>;
}

/** Longest delay that timers take. */
const LONGEST_MS = 2 ** 31 - 1;

/** Waits in real time; rejects with the signal's reason as soon as it aborts. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(
      () => {
        signal.removeEventListener('abort', onAbort);
        resolve();
      },
      Math.min(ms, LONGEST_MS),
    );
    signal.addEventListener('abort', onAbort, { once: true });
  });
}

/** Real time. */
export const systemClock: Clock = { now: () => Date.now(), pause };
