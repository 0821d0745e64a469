/** Text of a result in one block, UTF-16 units. */
const BLOCK = 64 * 1024;

/** Thrown when a streamed result is larger than a process keeps. */
export class ResultTooLargeError extends Error {}

interface Block {
  /** Items before this block. */
  first: number;
  lines: Buffer;
}

/** The items of a large result, held as JSON text outside of the heap: a line for each item. */
export class ResultList implements Iterable<unknown> {
  readonly #maxBytes: number;
  readonly #blocks: Block[] = [];
  #pending: string[] = [];
  #pendingSize = 0;
  #bytes = 0;
  length = 0;

  /** @param maxBytes bytes of text */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Bytes of the text that is held. */
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

  /** Ends the list: all items are in blocks. @throws ResultTooLargeError */
  close(): this {
    this.#close();
    return this;
  }

  /** The JSON texts of some items. */
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

  /** The last block that begins at or before an item. */
  #blockOf(item: number): number {
    let [low, high] = [0, this.#blocks.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#blocks[middle] as Block).first <= item) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Parses the items, block by block. */
  *[Symbol.iterator](): Generator<unknown> {
    for (const { lines } of this.#blocks)
      yield* JSON.parse(`[${lines.toString().replaceAll('\n', ',')}]`) as unknown[];
  }
}
