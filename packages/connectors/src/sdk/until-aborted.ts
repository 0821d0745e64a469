/** The outcome of some work, or the signal's reason when that aborts before. The work itself may go on unheeded. */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
    const forget = () => signal.removeEventListener('abort', abort);
    work.then(resolve, reject).finally(forget);
  });
}
