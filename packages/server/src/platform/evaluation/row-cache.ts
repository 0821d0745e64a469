/** Rows by a key that changes whenever they do. */
export interface DataSet {
  key: string;
  /** What the key names whatever the version: of one family only the newest set is kept. */
  family: string;
  /** Whether the rows were selected for one expression, not for all that ask for this version of the data. */
  isSelection?: boolean;
  /** How many rows there are, when that is known. */
  rows?: number;
  /** Their JSON text, bytes, when that is known: sets of more than `LOADED_BYTES` are streamed. */
  bytes?: number;
  /**
   * Reads the rows as JSON texts, each on a line; pieces of some hundred KB are best, and may be cut anywhere.
   * @param ms how long reading them may take
   */
  read(ms: number): AsyncIterable<Buffer>;
}

/** Largest set that is kept, and all together, bytes. */
const MAX_ENTRY_BYTES = 8 * 1024 * 1024;
const MAX_TOTAL_BYTES = 24 * 1024 * 1024;

interface CachedRows {
  family: string;
  pieces: readonly Buffer[];
  bytes: number;
  usedAt: number;
}

/**
 * Small sets of rows as they were read, for a while: a process that was killed has a successor soon, and whoever has
 * many killed does not make the database work for each.
 */
export class RowCache {
  /** The least recently used first. */
  readonly #sets = new Map<string, CachedRows>();

  /** The rows, from here or as they are read. @param ms how long reading may take */
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

  /** Forgets what was not used for so long. */
  forgetUnused(ms: number): void {
    const before = Date.now() - ms;
    for (const [key, { usedAt }] of this.#sets) if (usedAt <= before) this.#sets.delete(key);
  }

  /** Bytes that are kept. */
  get bytes(): number {
    return [...this.#sets.values()].reduce((total, { bytes }) => total + bytes, 0);
  }
}
