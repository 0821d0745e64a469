import type { ConnectorRecord } from './connector.ts';
import type { JsonObject } from './json.ts';

/** A record as a thread sends it: its document as JSON, whose memory goes along. */
export interface SentRecord {
  id: string;
  /** Milliseconds since 1970. */
  occurredAt: number;
  facets: JsonObject;
  data: Uint8Array<ArrayBuffer>;
}

/** Writes a record for another thread. */
export function sendRecord({ id, occurredAt, facets, data }: ConnectorRecord): SentRecord {
  // Unlike small buffers of Node.js, this array has its memory to itself.
  const json = new TextEncoder().encode(JSON.stringify(data));
  return { id, occurredAt: occurredAt.getTime(), facets, data: json };
}

/** Reads a record that another thread wrote. */
export function receiveRecord({ id, occurredAt, facets, data }: SentRecord): ConnectorRecord {
  const json = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  return { id, occurredAt: new Date(occurredAt), data: json, facets };
}
