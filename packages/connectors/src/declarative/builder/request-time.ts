/** Time for all requests of a trial, ms. */
const TIMEOUT_MS = 10_000;

/** The time that the requests of a trial have together. Waiting for the trial's thread takes none of it. */
export class RequestTime {
  #leftMs = TIMEOUT_MS;

  /** Runs one request. @param send ends with the signal */
  async run<T>(send: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const begun = performance.now();
    try {
      return await send(AbortSignal.timeout(Math.ceil(this.#leftMs)));
    } finally {
      this.#leftMs = Math.max(0, this.#leftMs - (performance.now() - begun));
    }
  }
}
