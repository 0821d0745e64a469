import type { SQL } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import pg from 'pg';
import copyStreams from 'pg-copy-streams';

/** Bytes of PostgreSQL's binary COPY format before the first row, and before the value of a row of one column. */
const FILE_HEADER = 19;
const ROW_HEADER = 6;
/** The first byte behind the last row. */
const TRAILER = 0xff;
const BLANK = 0x20;
const NEWLINE = 0x0a;

/** Writes the parameters of a statement as literals: COPY takes no parameters. */
function inlined(select: SQL): string {
  const { sql: text, params } = new PgDialect().sqlToQuery(select);
  return text.replace(/\$(\d+)/g, (_, number: string) =>
    pg.escapeLiteral(String(params[Number(number) - 1])),
  );
}

/** Turns the binary COPY format of one column into lines in place: headers become a line break and blanks. */
class LineFrames {
  #fileHeader = FILE_HEADER;
  /** Bytes of the row's header seen so far; its last four are the length of the value. */
  readonly #header = Buffer.alloc(ROW_HEADER);
  #headerBytes = 0;
  /** Bytes of the value that are still to come. */
  #left = 0;
  #rows = 0;

  /** Changes the chunk in place. */
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
 * Reads the only column of a select, JSON texts without line breaks, as lines; chunks may be cut anywhere. Rows are neither
 * decoded nor copied here.
 * @param client must be closed when the reading ends early @throws what the database says
 */
export async function* copyLines(client: pg.ClientBase, select: SQL): AsyncGenerator<Buffer> {
  const frames = new LineFrames();
  const stream = client.query(copyStreams.to(`copy (${inlined(select)}) to stdout (format binary)`));
  for await (const chunk of stream) yield frames.toLines(chunk as Buffer);
  yield Buffer.from('\n');
}
