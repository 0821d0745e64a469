import { finished } from 'node:stream/promises';
import type pg from 'pg';
import copyStreams from 'pg-copy-streams';

/** Milliseconds from 1970 to 2000, the epoch of PostgreSQL's timestamps. */
const EPOCH_MS = 946_684_800_000;
const SIGNATURE = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
const TEXT_OID = 25;
const FIRST_SIZE = 64 * 1024;

/**
 * Encodes rows in PostgreSQL's binary COPY format (postgresql.org/docs: COPY, File Formats) in one growing buffer.
 * Documents are copied only once on the way to the socket; statement parameters are copied five times.
 */
export class CopyRows {
  #buffer = Buffer.allocUnsafeSlow(FIRST_SIZE);
  #end = SIGNATURE.copy(this.#buffer);
  /** Cache of encoded UUIDs, which are few and repeat in every row. */
  readonly #uuids = new Map<string, Buffer>();

  /** Starts a row; write its values in column order. @param columns number of columns */
  row(columns: number): void {
    this.#reserve(2);
    this.#end = this.#buffer.writeInt16BE(columns, this.#end);
  }

  /** Writes a `json`, `text` or `bytea` value. */
  bytes(value: Buffer): void {
    this.#length(value.length, value.length);
    this.#end += value.copy(this.#buffer, this.#end);
  }

  /** Writes a `uuid` value given in the usual notation. */
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

  /** Writes a `timestamptz` value. */
  instant(value: Date): void {
    this.#length(8, 8);
    this.#end = this.#buffer.writeBigInt64BE(BigInt(value.getTime() - EPOCH_MS) * 1000n, this.#end);
  }

  /** Writes an `integer` value. */
  integer(value: number): void {
    this.#length(4, 4);
    this.#end = this.#buffer.writeInt32BE(value, this.#end);
  }

  /** Writes a `bigint` value. */
  bigint(value: number): void {
    this.#length(8, 8);
    this.#end = this.#buffer.writeBigInt64BE(BigInt(value), this.#end);
  }

  /** Writes a `double precision` value. */
  double(value: number): void {
    this.#length(8, 8);
    this.#end = this.#buffer.writeDoubleBE(value, this.#end);
  }

  /** Writes a `boolean` value. */
  boolean(value: boolean): void {
    this.#length(1, 1);
    this.#end = this.#buffer.writeUInt8(value ? 1 : 0, this.#end);
  }

  /** Writes a `text[]` value without nulls. */
  textArray(values: readonly string[]): void {
    const lengths = values.map((value) => 4 + Buffer.byteLength(value));
    this.#length(
      lengths.reduce((sum, length) => sum + length, values.length === 0 ? 12 : 20),
      20,
    );
    if (values.length === 0) {
      // An empty array has no dimensions.
      for (const field of [0, 0, TEXT_OID]) this.#end = this.#buffer.writeInt32BE(field, this.#end);
      return;
    }
    for (const field of [1, 0, TEXT_OID, values.length, 1])
      this.#end = this.#buffer.writeInt32BE(field, this.#end);
    for (const value of values) this.text(value);
  }

  /** Writes the trailer and returns the encoded rows. */
  end(): Buffer {
    this.#reserve(2);
    return this.#buffer.subarray(0, this.#buffer.writeInt16BE(-1, this.#end));
  }

  /** Frees the memory immediately, because the sum of such buffers would trigger the garbage collector. */
  release(): void {
    const { buffer } = this.#buffer;
    this.#buffer = Buffer.alloc(0);
    if (buffer instanceof ArrayBuffer) buffer.transfer(0);
  }

  /** Writes a value's length and reserves `needed` bytes. */
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

  /** @param bytes expected total size, to avoid growing the buffer */
  constructor(bytes = FIRST_SIZE) {
    this.#reserve(bytes);
  }
}

/** Runs `copy … from stdin (format binary)` and frees the rows. @throws database errors */
export async function copyRows(client: pg.ClientBase, statement: string, rows: CopyRows): Promise<void> {
  const stream = client.query(copyStreams.from(statement));
  const done = finished(stream);
  stream.end(rows.end());
  await done;
  rows.release();
}
