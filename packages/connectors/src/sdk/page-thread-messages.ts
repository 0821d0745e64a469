import type { ConnectorRecord } from './connector.ts';
import type { Json } from './json.ts';

/** A page to be read by the thread. Its body's memory goes along and comes back. */
export interface PageTask {
  /** Pages of one read share their parts. */
  read: number;
  body: ArrayBuffer;
  /** Where the JSON stands in the body. */
  from: number;
  to: number;
  context: Json;
}

/** A record without its document, as it can be written as JSON. */
export interface RecordHead extends Omit<ConnectorRecord, 'occurredAt' | 'data' | 'shared'> {
  /** Milliseconds since 1970. */
  occurredAt: number;
}

/** A page's records in few pieces: the clone of an object a record would take each thread three times as long. */
export interface PlacedPage {
  /** JSON of a list of `RecordHead`. */
  heads: string;
  /**
   * Where the documents stand in the body and their shared parts in them: of each the place, the end and how many parts;
   * then place, end and number of each part. Parts are numbered in the read.
   */
  places: Int32Array<ArrayBuffer>;
}

/** Texts of parts that the read meets for the first time. */
export interface MetPart {
  number: number;
  text: Uint8Array;
}

/** The records of a page and its body's memory; `page` is null for JSON that is no list. */
export interface PageAnswer {
  body: ArrayBuffer;
  page: PlacedPage | null;
  parts: MetPart[];
}

/** A read has ended: what the thread remembers of it can go. */
export interface ReadEnd {
  endOf: number;
}
