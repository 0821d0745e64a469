import type { ServerResponse } from 'node:http';

/** Pieces that are kept for later pages. */
const KEPT = 16;
const PIECE_BYTES = 256 * 1024;

/** Memory of pages, used again and again: megabytes for each answer would keep the garbage collector busy. */
export class PageMemory {
  readonly #free: Buffer[] = [];

  /** The parts as one, in memory that is used for another page when the response has been sent. */
  concat(parts: readonly Buffer[], response: ServerResponse): Buffer {
    const bytes = parts.reduce((sum, { length }) => sum + length, 0);
    const fitting = this.#free.findIndex(({ length }) => length >= bytes);
    const [piece = Buffer.allocUnsafeSlow(Math.ceil(bytes / PIECE_BYTES) * PIECE_BYTES)] =
      fitting < 0 ? [] : this.#free.splice(fitting, 1);
    response.once('close', () => {
      this.#free.push(piece);
      if (this.#free.length > KEPT) this.#free.shift();
    });
    let end = 0;
    for (const part of parts) end += part.copy(piece, end);
    return piece.subarray(0, end);
  }
}
