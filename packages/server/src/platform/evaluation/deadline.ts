/** How long a piece of work may still take. */
export class Deadline {
  #end: number;

  constructor(ms: number) {
    this.#end = performance.now() + ms;
  }

  /** Milliseconds; negative when it has passed. */
  get remainingMs(): number {
    return this.#end - performance.now();
  }

  /** Waits for what does not count. */
  async exclude(work: Promise<void>): Promise<void> {
    const startedAt = performance.now();
    await work;
    this.#end += performance.now() - startedAt;
  }
}
