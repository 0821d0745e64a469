/** Size of a chunk, bytes. */
const BATCH = 256 * 1024;

/** Collects JSON texts into chunks of lines, as evaluation processes read them. */
export class RowBatch {
  #texts: string[] = [];
  #size = 0;

  /** Adds a row. @returns a chunk once it is full */
  add(json: string): Buffer | undefined {
    // Line breaks outside of strings are blanks; inside strings they are escaped.
    this.#texts.push(/[\r\n]/.test(json) ? json.replaceAll(/[\r\n]/g, ' ') : json, '\n');
    this.#size += json.length + 1;
    return this.#size >= BATCH ? this.take() : undefined;
  }

  /** Returns the collected rows. */
  take(): Buffer {
    const piece = Buffer.from(this.#texts.join(''));
    this.#texts = [];
    this.#size = 0;
    return piece;
  }
}
