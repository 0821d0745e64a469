/** Source of time, in milliseconds. Tests replace it with a faster one. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Waits; rejects with the signal's reason as soon as it aborts. */
  pause(ms: number, signal: AbortSignal): Promise<void>;
}

/** Longest delay that `setTimeout` accepts. */
const MAX_TIMER_MS = 2 ** 31 - 1;

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
      Math.min(ms, MAX_TIMER_MS),
    );
    signal.addEventListener('abort', onAbort, { once: true });
  });
}

/** Real time. */
export const systemClock: Clock = { now: () => Date.now(), pause };
