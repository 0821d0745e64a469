/** A set of rows under a key that changes with every change of the rows. */
export interface DataSet {
  key: string;
  /** Groups the versions of a set: only the newest set of a family is cached. */
  family: string;
  /** Whether the rows were selected for one expression, so that others cannot use them. */
  isSelection?: boolean;
  /** Number of rows, if known. */
  rows?: number;
  /** Size as JSON, bytes, if known; sets of more than `MAX_LOADED_BYTES` are streamed. */
  bytes?: number;
  /**
   * Reads the rows as lines of JSON, in chunks of preferably some hundred KB, which may end anywhere.
   * @param ms longest duration
   */
  read(ms: number): AsyncIterable<Buffer>;
}

/** Largest cached set, and largest total size. */
const MAX_ENTRY_BYTES = 8 * 1024 * 1024;
const MAX_TOTAL_BYTES = 24 * 1024 * 1024;

interface CachedRows {
  family: string;
  pieces: readonly Buffer[];
  bytes: number;
  usedAt: number;
}

/**
 * Caches small row sets for a while, so that replacing a killed process does not need the database, even for a user whose
 * queries kill many processes.
 */
export class RowCache {
  /** Cached sets, least recently used first. */
  readonly #sets = new Map<string, CachedRows>();

  /** Yields the rows from the cache, or reads and caches them. @param ms longest time to read */
  async *rows(set: DataSet, ms: number): AsyncGenerator<Buffer> {
    const kept = this.#sets.get(set.key);
    if (kept !== undefined) {
      this.#sets.delete(set.key);
      this.#sets.set(set.key, { ...kept, usedAt: Date.now() });
      yield* kept.pieces;
      return;
    }
    const pieces: Buffer[] = [];
    let bytes = 0;
    for await (const piece of set.read(ms)) {
      bytes += piece.length;
      if (bytes <= MAX_ENTRY_BYTES) pieces.push(piece);
      else pieces.length = 0;
      yield piece;
    }
    if (bytes <= MAX_ENTRY_BYTES)
      this.#keep(set.key, { family: set.family, pieces, bytes, usedAt: Date.now() });
  }

  #keep(key: string, set: CachedRows): void {
    for (const [other, { family }] of this.#sets) if (family === set.family) this.#sets.delete(other);
    this.#sets.set(key, set);
    let total = 0;
    for (const { bytes } of this.#sets.values()) total += bytes;
    for (const [oldest, { bytes }] of this.#sets) {
      if (total <= MAX_TOTAL_BYTES) break;
      this.#sets.delete(oldest);
      total -= bytes;
    }
  }

  /** Evicts sets that were not used for `ms`. */
  forgetUnused(ms: number): void {
    const before = Date.now() - ms;
    for (const [key, { usedAt }] of this.#sets) if (usedAt <= before) this.#sets.delete(key);
  }

  /** Total size of the cached sets, bytes. */
  get bytes(): number {
    return [...this.#sets.values()].reduce((total, { bytes }) => total + bytes, 0);
  }
}
