/** Returns the result of `work`, or rejects with the signal's reason on abort. The work itself is not stopped. */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
    const removeListener = () => signal.removeEventListener('abort', abort);
    work.then(resolve, reject).finally(removeListener);
  });
}
