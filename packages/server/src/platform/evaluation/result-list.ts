/** Size of a block, UTF-16 units. */
const BLOCK = 64 * 1024;

/** Thrown when a streamed result exceeds the limit of a process. */
export class ResultTooLargeError extends Error {}

interface Block {
  /** Number of items before this block. */
  first: number;
  lines: Buffer;
}

/** The items of a large result, stored as lines of JSON outside of the JavaScript heap. */
export class ResultList implements Iterable<unknown> {
  readonly #maxBytes: number;
  readonly #blocks: Block[] = [];
  #pending: string[] = [];
  #pendingSize = 0;
  #bytes = 0;
  length = 0;

  /** @param maxBytes limit of the text, bytes */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Size of the stored text, bytes. */
  get bytes(): number {
    return this.#bytes + this.#pendingSize;
  }

  /** @throws ResultTooLargeError */
  append(items: readonly unknown[]): void {
    for (const item of items) {
      const text = JSON.stringify(item) ?? 'null';
      this.#pending.push(text);
      this.#pendingSize += text.length + 1;
      if (this.#pendingSize >= BLOCK) this.#close();
    }
  }

  #close(): void {
    if (this.#pending.length === 0) return;
    const lines = Buffer.from(this.#pending.join('\n'));
    this.#blocks.push({ first: this.length, lines });
    this.length += this.#pending.length;
    this.#bytes += lines.length;
    this.#pending = [];
    this.#pendingSize = 0;
    if (this.#bytes > this.#maxBytes)
      throw new ResultTooLargeError(
        `The result is more than ${Math.round(this.#maxBytes / 1024 / 1024)} MB. Add a filter, or take fewer fields.`,
      );
  }

  /** Ends the list and stores the last block. @throws ResultTooLargeError */
  close(): this {
    this.#close();
    return this;
  }

  /** Returns the JSON texts of `limit` items from `offset` on. */
  slice(offset: number, limit: number): string[] {
    const texts: string[] = [];
    for (let at = this.#blockOf(offset); at < this.#blocks.length; at++) {
      const { first, lines } = this.#blocks[at] as Block;
      if (first >= offset + limit) break;
      texts.push(
        ...lines
          .toString()
          .split('\n')
          .slice(Math.max(0, offset - first), offset + limit - first),
      );
    }
    return texts;
  }

  /** Returns the index of the block that contains an item. */
  #blockOf(item: number): number {
    let [low, high] = [0, this.#blocks.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#blocks[middle] as Block).first <= item) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Parses and yields the items block by block. */
  *[Symbol.iterator](): Generator<unknown> {
    for (const { lines } of this.#blocks)
      yield* JSON.parse(`[${lines.toString().replaceAll('\n', ',')}]`) as unknown[];
  }
}
