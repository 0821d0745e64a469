/** Rows gathered before they are handed on, bytes. */
const BATCH = 256 * 1024;
/** Text that is parsed at once, bytes: more does not fit the processor's cache. */
const PARSED_AT_ONCE = 64 * 1024;
const NEWLINE = 10;

/** Gathers JSON texts into pieces as a child takes them: each text on a line of its own. */
export class RowBatch {
  #texts: string[] = [];
  #size = 0;

  /** Adds a row. @returns a piece to hand on once enough rows have gathered */
  add(json: string): Buffer | undefined {
    // Outside of strings a line break is a blank; inside it is escaped.
    this.#texts.push(/[\r\n]/.test(json) ? json.replaceAll(/[\r\n]/g, ' ') : json, '\n');
    this.#size += json.length + 1;
    return this.#size >= BATCH ? this.take() : undefined;
  }

  /** Returns the rows that have gathered. */
  take(): Buffer {
    const piece = Buffer.from(this.#texts.join(''));
    this.#texts = [];
    this.#size = 0;
    return piece;
  }
}

/** Parses pieces of lines into rows, wherever the pieces were cut. */
export class RowParser {
  /** Bytes taken so far. */
  taken = 0;
  #rest: Buffer[] = [];
  readonly #onRows: (rows: unknown[]) => void;

  /** @param onRows takes the rows of some lines, in order */
  constructor(onRows: (rows: unknown[]) => void) {
    this.#onRows = onRows;
  }

  /** @throws SyntaxError when a line is no JSON */
  add(piece: Buffer): void {
    this.taken += piece.length;
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
      const limit = Math.min(from + PARSED_AT_ONCE, end);
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
