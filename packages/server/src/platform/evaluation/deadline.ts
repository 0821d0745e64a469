/** A deadline that can be extended by excluded waits. */
export class Deadline {
  #end: number;

  constructor(ms: number) {
    this.#end = performance.now() + ms;
  }

  /** Milliseconds until the deadline; negative after it. */
  get remainingMs(): number {
    return this.#end - performance.now();
  }

  /** Waits for work and extends the deadline by its duration. */
  async exclude(work: Promise<void>): Promise<void> {
    const startedAt = performance.now();
    await work;
    this.#end += performance.now() - startedAt;
  }
}
