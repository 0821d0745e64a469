/** Counts concurrently open objects, e.g. streams or downloads, under names with a maximum each. */
export class OpenCounter {
  readonly #open = new Map<string, number>();

  /**
   * Adds one under each name, or under none if a name has reached its maximum.
   * @param limits the maximum by name, for example `{ all: 24, 'user 7f…': 3 }`
   * @param refusal creates the error to throw when a name has reached its maximum
   * @returns the function that releases it; further calls do nothing
   */
  acquire(limits: Readonly<Record<string, number>>, refusal: (name: string) => Error): () => void {
    const names = Object.keys(limits);
    for (const name of names) if (this.#count(name) >= (limits[name] ?? 0)) throw refusal(name);
    for (const name of names) this.#open.set(name, this.#count(name) + 1);
    return () => {
      for (const name of names.splice(0)) {
        const remaining = this.#count(name) - 1;
        if (remaining > 0) this.#open.set(name, remaining);
        else this.#open.delete(name);
      }
    };
  }

  #count(name: string): number {
    return this.#open.get(name) ?? 0;
  }
}
