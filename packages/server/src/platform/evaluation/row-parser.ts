/** Text parsed by one call, bytes; more would not fit into the CPU cache. */
const PARSE_BATCH_BYTES = 64 * 1024;
const NEWLINE = 10;

/** Parses lines of JSON into rows; chunks may end anywhere. */
export class RowParser {
  /** Bytes received so far. */
  bytesReceived = 0;
  #rest: Buffer[] = [];
  readonly #onRows: (rows: unknown[], bytes: number) => void;

  /** @param onRows receives the rows in order, in batches, with the size of their lines */
  constructor(onRows: (rows: unknown[], bytes: number) => void) {
    this.#onRows = onRows;
  }

  /** Parses the complete lines of a chunk. @throws SyntaxError when a line is not JSON */
  add(piece: Buffer): void {
    this.bytesReceived += piece.length;
    const end = piece.lastIndexOf(NEWLINE) + 1;
    if (end === 0) {
      this.#rest.push(piece);
      return;
    }
    let from = 0;
    if (this.#rest.length > 0) {
      from = piece.indexOf(NEWLINE) + 1;
      const line = Buffer.concat([...this.#rest, piece.subarray(0, from)]);
      this.#rest = [];
      this.#parse(line, 0, line.length);
    }
    while (from < end) {
      const limit = Math.min(from + PARSE_BATCH_BYTES, end);
      const cut = piece.lastIndexOf(NEWLINE, limit - 1);
      const to = (cut >= from ? cut : piece.indexOf(NEWLINE, limit)) + 1;
      this.#parse(piece, from, to);
      from = to;
    }
    // Copy, since the chunk's memory belongs to the pipe.
    if (end < piece.length) this.#rest.push(Buffer.from(piece.subarray(end)));
  }

  /** Parses many lines with one call, which is faster than one call per line. */
  #parse(lines: Buffer, from: number, to: number): void {
    const text = lines.toString('utf8', from, to - 1);
    if (text !== '') this.#onRows(JSON.parse(`[${text.replaceAll('\n', ',')}]`) as unknown[], to - from);
  }
}
