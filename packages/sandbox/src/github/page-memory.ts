import type { ServerResponse } from 'node:http';

/** Maximum number of buffers that are kept for reuse. */
const MAX_KEPT = 16;
const PIECE_BYTES = 256 * 1024;

/** Reuses the buffers of pages, because allocating megabytes per response would burden the garbage collector. */
export class PageMemory {
  readonly #free: Buffer[] = [];

  /** Concatenates the parts in a buffer that is reused once the response has been sent. */
  concat(parts: readonly Buffer[], response: ServerResponse): Buffer {
    const bytes = parts.reduce((sum, { length }) => sum + length, 0);
    const fitting = this.#free.findIndex(({ length }) => length >= bytes);
    const [piece = Buffer.allocUnsafeSlow(Math.ceil(bytes / PIECE_BYTES) * PIECE_BYTES)] =
      fitting < 0 ? [] : this.#free.splice(fitting, 1);
    response.once('close', () => {
      this.#free.push(piece);
      if (this.#free.length > MAX_KEPT) this.#free.shift();
    });
    let end = 0;
    for (const part of parts) end += part.copy(piece, end);
    return piece.subarray(0, end);
  }
}
