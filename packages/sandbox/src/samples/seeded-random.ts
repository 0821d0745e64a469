/** A random number generator that repeats its numbers for the same seed. */
export class SeededRandom {
  #state: number;

  constructor(seed: string) {
    this.#state = 0x811c9dc5;
    for (let at = 0; at < seed.length; at += 1)
      this.#state = Math.imul(this.#state ^ seed.charCodeAt(at), 0x01000193);
  }

  /** Returns a number of at least 0 and below 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** Returns an integer from `low` to `high`, both included. */
  between(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  /** Returns true with this probability. */
  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** Returns one of the items. @throws if there are none */
  pick<Item>(items: readonly Item[]): Item {
    const item = items[Math.floor(this.next() * items.length)];
    if (item === undefined) throw new RangeError('Nothing to pick from');
    return item;
  }

  /** Returns up to `count` different items, in their original order. */
  some<Item>(items: readonly Item[], count: number): Item[] {
    const chosen = new Set<Item>();
    for (let tries = 0; chosen.size < Math.min(count, items.length) && tries < count * 8; tries += 1)
      chosen.add(this.pick(items));
    return items.filter((item) => chosen.has(item));
  }
}
