/** Rows gathered before they are handed on, bytes. */
const BATCH = 256 * 1024;

const LENGTH_BYTES = 4;

/** JSON texts as a child takes them: each after its length, many in one piece. */
export class RowBatch {
  #pieces: Buffer[] = [];
  #size = 0;

  /** Adds a row. @returns a piece to hand on once enough rows have gathered */
  add(json: string): Buffer | undefined {
    const size = Buffer.byteLength(json);
    const row = Buffer.allocUnsafe(LENGTH_BYTES + size);
    row.writeUInt32BE(size, 0);
    row.write(json, LENGTH_BYTES);
    this.#pieces.push(row);
    this.#size += row.length;
    return this.#size >= BATCH ? this.take() : undefined;
  }

  /** What has gathered. */
  take(): Buffer {
    const piece = Buffer.concat(this.#pieces, this.#size);
    this.#pieces = [];
    this.#size = 0;
    return piece;
  }
}

/** Takes pieces apart into rows, wherever they were cut. */
export class RowParser {
  readonly rows: unknown[] = [];
  /** Bytes taken so far. */
  taken = 0;
  #rest: Buffer = Buffer.alloc(0);

  add(piece: Buffer): void {
    this.taken += piece.length;
    const bytes = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece]);
    let at = 0;
    while (bytes.length - at >= LENGTH_BYTES) {
      const end = at + LENGTH_BYTES + bytes.readUInt32BE(at);
      if (end > bytes.length) break;
      this.rows.push(JSON.parse(bytes.toString('utf8', at + LENGTH_BYTES, end)));
      at = end;
    }
    this.#rest = bytes.subarray(at);
  }
}
