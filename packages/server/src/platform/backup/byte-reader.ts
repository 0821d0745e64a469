import { DamagedBackup } from './damaged.ts';

/** Reads exact numbers of bytes from chunks of any size. */
export class ByteReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #pending: Buffer = Buffer.alloc(0);

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** Returns the next `length` bytes. @throws DamagedBackup when fewer are left */
  async read(length: number): Promise<Buffer> {
    const parts: Uint8Array[] = [this.#pending];
    for (let held = this.#pending.length; held < length; ) {
      const { done, value } = await this.#chunks.next();
      if (done) throw new DamagedBackup('its end is missing');
      parts.push(value);
      held += value.length;
    }
    const all = parts.length === 1 ? this.#pending : Buffer.concat(parts);
    this.#pending = all.subarray(length);
    return all.subarray(0, length);
  }

  /** Returns the remaining bytes as they come. */
  async *rest(): AsyncGenerator<Uint8Array> {
    yield this.#pending;
    for (;;) {
      const { done, value } = await this.#chunks.next();
      if (done) return;
      yield value;
    }
  }

  /** @throws DamagedBackup when bytes are left */
  async requireEnd(): Promise<void> {
    for await (const rest of this.rest())
      if (rest.length > 0) throw new DamagedBackup('something follows its end');
  }
}
