/** Rows gathered before they are handed on, bytes. */
const BATCH = 256 * 1024;

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
