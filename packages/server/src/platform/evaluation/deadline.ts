/** How long a piece of work may still take. */
export class Deadline {
  #end: number;

  constructor(ms: number) {
    this.#end = performance.now() + ms;
  }

  /** Milliseconds; negative when it has passed. */
  get left(): number {
    return this.#end - performance.now();
  }

  /** Waits for what does not count. */
  async pausedFor(work: Promise<void>): Promise<void> {
    const begun = performance.now();
    await work;
    this.#end += performance.now() - begun;
  }
}
