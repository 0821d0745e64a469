import type { SQL } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import pg from 'pg';
import copyStreams from 'pg-copy-streams';

/** Header sizes of PostgreSQL's binary COPY format, bytes: of the file, and of a row with one column. */
const FILE_HEADER = 19;
const ROW_HEADER = 6;
/** First byte of the file trailer. */
const TRAILER = 0xff;
const BLANK = 0x20;
const NEWLINE = 0x0a;

/** Returns a parameter as a literal. */
function literalOf(value: unknown): string {
  if (Array.isArray(value)) return `array[${value.map(literalOf).join(', ')}]`;
  return pg.escapeLiteral(value instanceof Date ? value.toISOString() : String(value));
}

/** Replaces the parameters of a statement with literals, because COPY accepts no parameters. */
function inlined(select: SQL): string {
  const { sql: text, params } = new PgDialect().sqlToQuery(select);
  return text.replace(/\$(\d+)/g, (_, number: string) => literalOf(params[Number(number) - 1]));
}

/** Converts the binary COPY format of one column to lines in place: overwrites headers with a newline and blanks. */
class LineFrames {
  #fileHeader = FILE_HEADER;
  /** The current row's header; its last four bytes are the length of the value. */
  readonly #header = Buffer.alloc(ROW_HEADER);
  #headerBytes = 0;
  /** Remaining bytes of the current value. */
  #left = 0;
  #rows = 0;

  /** Converts the chunk in place and returns it. */
  toLines(chunk: Buffer): Buffer {
    let at = Math.min(this.#fileHeader, chunk.length);
    chunk.fill(BLANK, 0, at);
    this.#fileHeader -= at;
    while (at < chunk.length) {
      if (this.#left > 0) {
        const step = Math.min(this.#left, chunk.length - at);
        this.#left -= step;
        at += step;
      } else {
        const byte = chunk[at] ?? 0;
        const isBetweenRows = this.#headerBytes === 0 && this.#rows > 0 && byte !== TRAILER;
        chunk[at++] = isBetweenRows ? NEWLINE : BLANK;
        this.#header[this.#headerBytes++] = byte;
        if (this.#headerBytes === ROW_HEADER) this.#beginValue();
      }
    }
    return chunk;
  }

  #beginValue(): void {
    this.#headerBytes = 0;
    this.#rows++;
    this.#left = Math.max(0, this.#header.readInt32BE(2));
  }
}

/**
 * Streams the only column of a select (JSON texts without line breaks) as lines, without decoding or copying rows. Chunks
 * may end anywhere.
 * @param client close it if you stop reading early @throws database errors
 */
export async function* copyLines(client: pg.ClientBase, select: SQL): AsyncGenerator<Buffer> {
  const frames = new LineFrames();
  const stream = client.query(copyStreams.to(`copy (${inlined(select)}) to stdout (format binary)`));
  for await (const chunk of stream) yield frames.toLines(chunk as Buffer);
  yield Buffer.from('\n');
}
