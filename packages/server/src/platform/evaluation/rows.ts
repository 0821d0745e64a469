/** Text that is parsed at once, bytes: more does not fit the processor's cache. */
const PARSE_BATCH_BYTES = 64 * 1024;
const NEWLINE = 10;

/** Parses pieces of lines into rows, wherever the pieces were cut. */
export class RowParser {
  /** Bytes taken so far. */
  bytesReceived = 0;
  #rest: Buffer[] = [];
  readonly #onRows: (rows: unknown[]) => void;

  /** @param onRows takes the rows of some lines, in order */
  constructor(onRows: (rows: unknown[]) => void) {
    this.#onRows = onRows;
  }

  /** @throws SyntaxError when a line is no JSON */
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
    // A copy: the piece belongs to the pipe.
    if (end < piece.length) this.#rest.push(Buffer.from(piece.subarray(end)));
  }

  /** One call for many lines is faster than one for each. */
  #parse(lines: Buffer, from: number, to: number): void {
    const text = lines.toString('utf8', from, to - 1);
    if (text !== '') this.#onRows(JSON.parse(`[${text.replaceAll('\n', ',')}]`) as unknown[]);
  }
}
