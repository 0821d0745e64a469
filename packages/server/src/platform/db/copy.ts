import { finished } from 'node:stream/promises';
import type pg from 'pg';
import copyStreams from 'pg-copy-streams';

/** Seconds from 1970 to 2000, where PostgreSQL's timestamps begin. */
const EPOCH_MS = 946_684_800_000;
const SIGNATURE = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
const TEXT_OID = 25;
const FIRST_SIZE = 64 * 1024;

/**
 * Rows in PostgreSQL's binary COPY format (postgresql.org/docs: COPY, File Formats), written into one buffer that grows.
 * A copy of a document into it is the only one on its way to the socket, where parameters of a statement are copied
 * five times.
 */
export class CopyRows {
  #buffer = Buffer.allocUnsafeSlow(FIRST_SIZE);
  #end = SIGNATURE.copy(this.#buffer);
  /** Bytes of the uuids, which are few and repeat in every row. */
  readonly #uuids = new Map<string, Buffer>();

  /** Begins a row; its values follow in the order of the columns. @param columns their number */
  row(columns: number): void {
    this.#reserve(2);
    this.#end = this.#buffer.writeInt16BE(columns, this.#end);
  }

  /** `json`, `text` or `bytea`, from its bytes. */
  bytes(value: Buffer): void {
    this.#length(value.length, value.length);
    this.#end += value.copy(this.#buffer, this.#end);
  }

  /** A uuid in its usual spelling. */
  uuid(value: string): void {
    const bytes = this.#uuids.get(value) ?? Buffer.from(value.replaceAll('-', ''), 'hex');
    this.#uuids.set(value, bytes);
    this.bytes(bytes);
  }

  text(value: string): void {
    const length = Buffer.byteLength(value);
    this.#length(length, length);
    this.#end += this.#buffer.write(value, this.#end);
  }

  null(): void {
    this.#reserve(4);
    this.#end = this.#buffer.writeInt32BE(-1, this.#end);
  }

  /** `timestamptz`. */
  instant(value: Date): void {
    this.#length(8, 8);
    this.#end = this.#buffer.writeBigInt64BE(BigInt(value.getTime() - EPOCH_MS) * 1000n, this.#end);
  }

  /** `integer`. */
  integer(value: number): void {
    this.#length(4, 4);
    this.#end = this.#buffer.writeInt32BE(value, this.#end);
  }

  /** `bigint`. */
  bigint(value: number): void {
    this.#length(8, 8);
    this.#end = this.#buffer.writeBigInt64BE(BigInt(value), this.#end);
  }

  /** `double precision`. */
  double(value: number): void {
    this.#length(8, 8);
    this.#end = this.#buffer.writeDoubleBE(value, this.#end);
  }

  /** `boolean`. */
  boolean(value: boolean): void {
    this.#length(1, 1);
    this.#end = this.#buffer.writeUInt8(value ? 1 : 0, this.#end);
  }

  /** `text[]` without nulls. */
  textArray(values: readonly string[]): void {
    const lengths = values.map((value) => 4 + Buffer.byteLength(value));
    this.#length(
      lengths.reduce((sum, length) => sum + length, values.length === 0 ? 12 : 20),
      20,
    );
    if (values.length === 0) {
      // An array without elements has no dimensions.
      for (const field of [0, 0, TEXT_OID]) this.#end = this.#buffer.writeInt32BE(field, this.#end);
      return;
    }
    for (const field of [1, 0, TEXT_OID, values.length, 1])
      this.#end = this.#buffer.writeInt32BE(field, this.#end);
    for (const value of values) this.text(value);
  }

  /** All of it, ended as COPY expects. */
  end(): Buffer {
    this.#reserve(2);
    return this.#buffer.subarray(0, this.#buffer.writeInt16BE(-1, this.#end));
  }

  /** Returns the memory at once: the sum of such buffers would start the garbage collector. */
  release(): void {
    const { buffer } = this.#buffer;
    this.#buffer = Buffer.alloc(0);
    if (buffer instanceof ArrayBuffer) buffer.transfer(0);
  }

  /** Writes a value's length and makes room for `needed` bytes. */
  #length(length: number, needed: number): void {
    this.#reserve(needed + 4);
    this.#end = this.#buffer.writeInt32BE(length, this.#end);
  }

  #reserve(needed: number): void {
    if (this.#end + needed <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(2 * this.#buffer.length, this.#end + needed));
    this.#buffer.copy(larger, 0, 0, this.#end);
    this.#buffer = larger;
  }

  /** @param bytes a good guess of the whole, so that the buffer need not grow */
  constructor(bytes = FIRST_SIZE) {
    this.#reserve(bytes);
  }
}

/** Runs `copy … from stdin (format binary)` and lets the rows go. @throws what the database says about the rows */
export async function copyRows(client: pg.ClientBase, statement: string, rows: CopyRows): Promise<void> {
  const stream = client.query(copyStreams.from(statement));
  const done = finished(stream);
  stream.end(rows.end());
  await done;
  rows.release();
}
