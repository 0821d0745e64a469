import type { ConnectorRecord } from './connector.ts';

/** A record without its document. */
type HeadOf<Kind> = Omit<Kind, 'data'>;

/** Records as a thread sends them: all documents are JSON texts in one buffer, which is moved, not copied. */
export interface SentRecords<Head = HeadOf<ConnectorRecord>> {
  heads: Head[];
  /** Byte offset at which each document ends in `texts`. */
  ends: number[];
  texts: Uint8Array<ArrayBuffer>;
}

/** Encodes records for another thread. Their documents must be objects. */
export function sendRecords<Sent extends ConnectorRecord>(
  records: readonly Sent[],
): SentRecords<HeadOf<Sent>> {
  const documents = records.map(({ data }) => JSON.stringify(data));
  const lengths = documents.map((document) => Buffer.byteLength(document));
  const texts = Buffer.allocUnsafeSlow(lengths.reduce((sum, length) => sum + length, 0));
  let end = 0;
  const ends = documents.map((document) => {
    end += texts.write(document, end);
    return end;
  });
  const heads = records.map(({ data: _, ...head }) => head);
  return { heads, ends, texts };
}

/** Decodes records that another thread encoded with `sendRecords`. */
export function receiveRecords<Head>({ heads, ends, texts }: SentRecords<Head>): (Head & { data: Buffer })[] {
  return heads.map((head, index) => {
    const start = ends[index - 1] ?? 0;
    const data = Buffer.from(texts.buffer, start, (ends[index] ?? start) - start);
    return { ...head, data };
  });
}

/** Returns the bytes in a transferable buffer: the buffer's own memory, or a copy if the memory is shared. */
export function transferable(bytes: Buffer): Uint8Array<ArrayBuffer> {
  const { buffer } = bytes;
  const isAlone = buffer instanceof ArrayBuffer && buffer.byteLength === bytes.length;
  return isAlone ? new Uint8Array(buffer) : new Uint8Array(bytes);
}
