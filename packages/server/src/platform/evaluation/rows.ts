import { randomInt } from 'node:crypto';

/** Rows gathered before they are handed on, bytes. */
const BATCH = 256 * 1024;

const LENGTH_BYTES = 4;
/**
 * What is no JSON text begins with a byte that no JSON begins with: a part that rows share, as JSON; a row with parts: how
 * many (4 bytes) and their numbers (4 bytes each), then its JSON with the byte 1, which no JSON holds, in their places.
 */
const PART = 2;
const ROW_WITH_PARTS = 3;
const PLACE = '\u0001';
const COUNT_BYTES = 4;
const NUMBER_BYTES = 4;

/** JSON texts as a child takes them: each after its length, many in one piece. */
export class RowBatch {
  #pieces: Buffer[] = [];
  #size = 0;

  /** Adds a part, which rows after it may hold; parts are numbered from 0 on. */
  addPart(json: string): void {
    this.#push(Buffer.of(PART), json);
  }

  /**
   * Adds a row.
   * @param texts its JSON; in pieces, when parts stand between them
   * @param parts their numbers
   * @returns a piece to hand on once enough rows have gathered
   */
  add(texts: readonly string[], parts: readonly number[] = []): Buffer | undefined {
    this.#push(parts.length === 0 ? Buffer.alloc(0) : headOf(parts), texts.join(PLACE));
    return this.#size >= BATCH ? this.take() : undefined;
  }

  #push(head: Buffer, text: string): void {
    const size = head.length + Buffer.byteLength(text);
    const entry = Buffer.allocUnsafe(LENGTH_BYTES + size);
    entry.writeUInt32BE(size, 0);
    head.copy(entry, LENGTH_BYTES);
    entry.write(text, LENGTH_BYTES + head.length);
    this.#pieces.push(entry);
    this.#size += entry.length;
  }

  /** What has gathered. */
  take(): Buffer {
    const piece = Buffer.concat(this.#pieces, this.#size);
    this.#pieces = [];
    this.#size = 0;
    return piece;
  }
}

function headOf(parts: readonly number[]): Buffer {
  const head = Buffer.allocUnsafe(1 + COUNT_BYTES + NUMBER_BYTES * parts.length);
  let at = head.writeUInt8(ROW_WITH_PARTS, 0);
  at = head.writeUInt32BE(parts.length, at);
  for (const part of parts) at = head.writeUInt32BE(part, at);
  return head;
}

/** A list of one number from here on stands for a part in what is parsed; nobody else can know them. */
const FIRST_PLACEHOLDER = 2 ** 52 + randomInt(2 ** 47);

/** Puts parts in the places that were kept for them. @returns how many are still to be put */
function putParts(holder: Record<string, unknown>, parts: readonly unknown[], missing: number): number {
  let left = missing;
  for (const key of Object.keys(holder)) {
    if (left === 0) return 0;
    const value = holder[key];
    if (typeof value !== 'object' || value === null) continue;
    const only = Array.isArray(value) && value.length === 1 ? (value[0] as unknown) : undefined;
    const index = typeof only === 'number' ? only - FIRST_PLACEHOLDER : -1;
    if (index in parts) {
      holder[key] = parts[index];
      left--;
    } else left = putParts(value as Record<string, unknown>, parts, left);
  }
  return left;
}

/** Takes pieces apart into rows, wherever they were cut. What rows share is one object in all of them. */
export class RowParser {
  readonly rows: unknown[] = [];
  /** Bytes taken so far. */
  taken = 0;
  readonly #parts: unknown[] = [];
  #rest: Buffer = Buffer.alloc(0);

  add(piece: Buffer): void {
    this.taken += piece.length;
    const bytes = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece]);
    let at = 0;
    while (bytes.length - at >= LENGTH_BYTES) {
      const end = at + LENGTH_BYTES + bytes.readUInt32BE(at);
      if (end > bytes.length) break;
      this.#take(bytes.subarray(at + LENGTH_BYTES, end));
      at = end;
    }
    this.#rest = bytes.subarray(at);
  }

  #take(entry: Buffer): void {
    if (entry[0] === PART) this.#parts.push(JSON.parse(entry.toString('utf8', 1)));
    else if (entry[0] === ROW_WITH_PARTS) this.rows.push(this.#rowWithParts(entry));
    else this.rows.push(JSON.parse(entry.toString()));
  }

  #rowWithParts(entry: Buffer): unknown {
    const count = entry.readUInt32BE(1);
    const begin = 1 + COUNT_BYTES + NUMBER_BYTES * count;
    const parts = Array.from(
      { length: count },
      (_, index) => this.#parts[entry.readUInt32BE(1 + COUNT_BYTES + NUMBER_BYTES * index)],
    );
    let number = FIRST_PLACEHOLDER;
    const text = entry.toString('utf8', begin).replaceAll(PLACE, () => `[${number++}]`);
    const row = JSON.parse(text) as Record<string, unknown>;
    putParts(row, parts, count);
    return row;
  }
}
