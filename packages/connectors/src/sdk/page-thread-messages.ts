import type { ConnectorRecord } from './connector.ts';
import type { Json } from './json.ts';

/** A page to be read by the thread. Its body's memory goes along and comes back. */
export interface PageTask {
  task: number;
  /** Pages of one read share their parts. */
  read: number;
  body: ArrayBuffer;
  /** Where the JSON stands in the body. */
  from: number;
  to: number;
  context: Json;
}

/** A record without its document, which is told by its place in the body; parts by their number in the read. */
export interface PlacedRecord extends Omit<ConnectorRecord, 'data' | 'shared'> {
  from: number;
  to: number;
  pieces: { start: number; end: number; part: number }[];
}

/** Texts of parts that the read meets for the first time. */
export interface MetPart {
  number: number;
  text: Uint8Array;
}

/** `records` is null for JSON that is no list. */
export interface PageAnswer {
  task: number;
  body: ArrayBuffer;
  outcome: { records: PlacedRecord[] | null; parts: MetPart[] } | { error: unknown };
}

/** A read has ended: what the thread remembers of it can go. */
export interface ReadEnd {
  endOf: number;
}
