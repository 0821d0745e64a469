import { jsonPieces } from './json-pieces.ts';
import { type Extent, LINES_PER_OFFSET, type WrittenLines } from './protocol.ts';

/** Approximate size of a chunk, UTF-16 units or bytes. */
const CHUNK_SIZE = 256 * 1024;

/** Returns the items of a result: those of an array, else the value itself, or none. */
export function itemsOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return value === undefined ? [] : [value];
}

/** Collects pieces of text and returns them as chunks of bytes. */
class Chunks {
  /** Number of bytes of all pieces that were encoded. */
  bytes = 0;
  #pieces: string[] = [];
  #length = 0;
  #encoded: Buffer[] = [];
  #waiting = 0;

  /** @returns whether the pieces are long enough to be encoded */
  add(piece: string): boolean {
    this.#pieces.push(piece);
    this.#length += piece.length;
    return this.#length >= CHUNK_SIZE;
  }

  encode(): void {
    const buffer = Buffer.from(this.#pieces.join(''));
    this.#encoded.push(buffer);
    this.#waiting += buffer.length;
    this.bytes += buffer.length;
    this.#pieces = [];
    this.#length = 0;
  }

  /** Yields what was encoded as one chunk, if it is at least `size` bytes. */
  *take(size = CHUNK_SIZE): Generator<Buffer> {
    if (this.#waiting < size) return;
    yield Buffer.concat(this.#encoded);
    this.#encoded = [];
    this.#waiting = 0;
  }
}

/**
 * Yields items as lines of JSON in chunks of about 256 KB, as far as `extent` says.
 * @returns what was written
 */
export function* resultLines(items: readonly unknown[], extent: Extent): Generator<Buffer, WrittenLines> {
  const chunks = new Chunks();
  const offsets = [0];
  let lines = 0;
  for (let from = 0; from < items.length; from += LINES_PER_OFFSET) {
    if (from >= extent.lines && chunks.bytes >= extent.bytes) break;
    const page = items.slice(from, from + LINES_PER_OFFSET);
    for (const piece of linesOf(page)) {
      if (!chunks.add(piece)) continue;
      chunks.encode();
      if (chunks.bytes > extent.maxBytes) break;
      yield* chunks.take();
    }
    chunks.encode();
    if (chunks.bytes > extent.maxBytes) break;
    yield* chunks.take();
    lines += page.length;
    offsets.push(chunks.bytes);
  }
  yield* chunks.take(1);
  return { lines, offsets };
}

function* linesOf(items: readonly unknown[]): Generator<string> {
  for (const item of items) {
    yield* jsonPieces(item ?? null);
    yield '\n';
  }
}
