import type { DocumentRequest } from '@datadeck/contract/connector-document';
import type { ConnectorRecord, SentRecords } from '../sdk/index.ts';
import type { WireRequest } from './wire-request.ts';

/** Values of the variables that the expressions of a request may use. */
export interface Variables {
  /** Values of the connect form, without the secret. */
  config: Readonly<Record<string, string>>;
  settings: Readonly<Record<string, string>>;
  /**
   * Instant (ISO) or number from which a run reads: where the last one ended, or the day that a person chose. Absent in a full
   * run without such a day.
   */
  cursor?: string | number;
  /** Instant (ISO) of the start of the run. */
  now: string;
  /** The record of the parent as JSON text; absent without one. */
  parent?: string;
  /** The part of the entity as JSON text; absent for an entity without `parts`. */
  part?: string;
}

/** A successful answer of the provider. */
export interface Answer {
  bytes: Uint8Array<ArrayBuffer>;
  /** By names in small letters. */
  headers: Readonly<Record<string, string>>;
}

/** A page as the thread reads it from an answer. */
export interface MappedPage {
  records: SentRecords;
  /** The request of the next page; null at the end. */
  next: WireRequest | null;
  /** Number of all records; null where the provider does not count them. */
  total: number | null;
  /** Entries that are no record, or have no key. */
  skipped: number;
}

/** An answer of status 200 that the document calls a failure: the start of the JSON that `failed` yields. */
export interface FailedBody {
  failedBody: string;
}

/** What extraction yields of a stored document. */
export type Extracted = Pick<ConnectorRecord, 'columns' | 'occurredAt'>;

/** A task of the thread that evaluates a document's expressions. `document` is its JSON text, `entity` the id of an entity. */
export type DocumentTask = { document: string } & (
  | { kind: 'parts'; entity: string; variables: Variables }
  | { kind: 'first-request'; entity: string; variables: Variables }
  | { kind: 'page'; entity: string; variables: Variables; request: WireRequest; answer: Answer }
  | { kind: 'extract'; entity: string; records: string[] }
  | { kind: 'decode'; decode: DocumentRequest['decode']; text: string }
  | { kind: 'identity-request'; variables: Variables }
  | { kind: 'identity'; variables: Variables; answer: Answer }
);

/** The answers to the tasks. */
export interface DocumentAnswers {
  /** JSON texts. */
  parts: string[];
  'first-request': WireRequest;
  page: MappedPage | FailedBody;
  extract: Extracted[];
  /** As `decode`, but a feed as the elements of its XML. */
  decode: unknown;
  'identity-request': WireRequest;
  identity: { subject: string; account: string } | FailedBody;
}
