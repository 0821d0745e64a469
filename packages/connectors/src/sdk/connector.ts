import type { PlanLimits, Setting } from '@datadeck/contract';
import type { AttachmentContent, AttachmentRequest } from './attachments.ts';
import type { AuthorizationMethods } from './authorization.ts';
import type { HttpApi, QuotaDefinition } from './http-api.ts';
import type { Json, JsonObject } from './json.ts';
import type { ProviderClient } from './provider-client.ts';
import type { ReadingDefinition } from './record-display.ts';
import type { ScopeDefinition } from './scopes.ts';
import type { SearchDefinition } from './search.ts';
import type { ColumnValues, TableDefinition, TemplateDefinition } from './table.ts';

/** One record as a connector yields it. */
export interface ConnectorRecord {
  /** The provider's id, unique within the entity of one account. */
  id: string;
  /**
   * Date that people mean, by which templates order and searches filter, in the years 1 to 9999 (`storableInstant`).
   * `new Date(0)` if the record has no readable date. Full runs yield the newest first by it, or by the `listedBy` column.
   */
  occurredAt: Date;
  /**
   * The document, or its JSON text in UTF-8. If the document has a field `id`, it equals the record's id. The fields `account`
   * and `accounts` are the server's.
   * The server replaces characters that PostgreSQL cannot store.
   */
  data: JsonObject | Buffer;
  /** A value for each column that the entity's table declares. Pass texts through `storable` first. */
  columns: ColumnValues;
}

/** A page of a sync. The engine commits it together with its checkpoint, after the checks of `PageCheck`. */
export interface Page {
  /** Usually some hundred, at most `MAX_RECORDS_PER_PAGE`; may be empty. */
  records: ConnectorRecord[];
  /** Ids of records that were deleted or left the scope (incremental runs only). */
  removed?: string[];
  /** Position after this page, never null. The same connector must accept it in another process. */
  checkpoint: Json;
  /** Number of records in the whole scope at the provider, once known; also in incremental runs. */
  total?: number;
  /** Number of records that were deleted between listing and reading. */
  skipped?: number;
  /** Ids of existing records that the provider fails to return. Their stored version stays; the next run retries them. */
  unreadable?: string[];
}

/** The return value of a completed read. */
export interface Completion {
  /**
   * Start of the next incremental run of the scope; null if the next run must be a full one. Taken before the first page
   * is requested, so that the next run includes changes made during this one.
   */
  cursor: Json;
  /** True when a full run stopped at the limit although the scope has more records; false for incremental runs. */
  truncated: boolean;
  /** Set when a full run knows that it has not seen all records that the provider has: what it has not seen stays stored. */
  isListPartial?: true;
}

/** A record as it is stored, with some of its columns as JSON. */
export interface StoredRecord {
  id: string;
  /** A column is null until the extraction that fills it has reached the record. */
  columns: JsonObject;
}

/** Reads some columns of the records that the run's scope has stored, in batches. */
export type ReadStored = (columns: readonly string[]) => AsyncIterable<readonly StoredRecord[]>;

/** Options of every reading of a scope. */
export interface ScopeReading {
  /** Throws `ScopeMoved` for a scope that is now at another place. Default: reads it there. */
  reportsMoves?: boolean | undefined;
  /**
   * Day (UTC, e.g. `2026-01-01`) since which records are wanted: mails that arrived, pull requests that were updated. An
   * incremental run also yields older ones that are stored. See `sinceTime`.
   */
  since?: string | undefined;
}

/** Parameters of `EntityDefinition.read`. */
export interface ReadRequest extends ScopeReading {
  client: ProviderClient;
  settings: Readonly<Record<string, string>>;
  /** Null for a new run, else the checkpoint of the last committed page. */
  checkpoint: Json;
  /** Null for a full run, else the cursor of the last completion. Throw `cursor-expired` if the provider lost it. */
  cursor: Json;
  /**
   * Largest number of records to yield, newest first; a resumed full run gets the remaining number. At 0, yield nothing and
   * report in `truncated` whether any exist. An incremental run that would exceed it throws `cursor-expired`.
   */
  limit: number;
  /**
   * Lets an incremental run of an unchanged scope end after one request that costs no quota, and return the cursor that it
   * got. Such a run does not notice what the provider reports only by its count, e.g. a deletion; `estimate` does.
   */
  isConditional?: boolean | undefined;
  /** Whether a run that did not finish may have stored records that are newer than the cursor. */
  mayHaveNewerStored?: boolean | undefined;
  /** Aborts the read with its reason. The client aborts its own requests. */
  signal: AbortSignal;
  /** What is stored, so that a cursor need not name it. */
  stored: ReadStored;
}

/** Parameters of `EntityDefinition.estimate`. */
export interface EstimateRequest extends ScopeReading {
  client: ProviderClient;
  settings: Readonly<Record<string, string>>;
  /** Null to estimate a full run. */
  cursor: Json;
  /** Largest number of records that a run may yield. */
  limit: number;
  stored: ReadStored;
}

/** Expected size and cost of a run. */
export interface Estimate {
  /** Number of records in the scope at the provider; null when unknown. */
  total: number | null;
  /** Number of records that the run would fetch. */
  records: number;
  requests: number;
  /** Quota units. */
  units: number;
  /** How many of them are points of GitHub's GraphQL; absent for none. */
  points?: number;
}

/** A stored document with the columns of the current extraction version. */
export interface ConvertedRecord {
  data: JsonObject;
  columns: ColumnValues;
  /** Default: the stored date. */
  occurredAt?: Date;
}

/** A syncable collection of a provider. */
export interface EntityDefinition {
  /** The entity label, e.g. `gh-pulls`: part of URLs, unique over all connectors. */
  id: string;
  title: string;
  /** HTML written by the connector: paragraphs, emphasis, code, lists, https links. */
  description: string;
  /** Entities of the same connector whose records supply the values of settings, e.g. labels. */
  dependsOn: readonly { entity: string; title: string }[];
  /** Settings that hold ids of records of an entity in `dependsOn`, separated by commas: `{ labelIds: 'gmail-labels' }`. */
  idLists?: Readonly<Record<string, string>>;
  /** Whether a sync stores many records. */
  multi: boolean;
  /** Largest number of records that a sync keeps, and of runs per month, by plan. */
  limits: PlanLimits;
  settings: readonly Setting[];
  /** Returns the name of the record set that these settings select. Equal sets have equal names. */
  scopeOf(settings: Readonly<Record<string, string>>): string;
  /** How one source reads many scopes, one after another; absent if the entity has one scope or none to choose from. */
  scopes?: ScopeDefinition;
  /** The table that stores the records. */
  table: TableDefinition;
  /** Templates over the table, in display order. */
  templates: readonly TemplateDefinition[];
  /** How its records are searched; absent if they are not. */
  search?: SearchDefinition;
  /** How a person reads a record; required if records are searched. */
  reading?: ReadingDefinition;
  /** True if its documents are mails with the fields of `mailReading` and `headers`, which can be exported as mbox. */
  isMail?: true;
  /**
   * Declared if an id means the same record in every account, as those of GitHub do: a record that several accounts have is
   * shown once. Absent if ids are per account, as those of mails are: `INBOX` is in every mailbox.
   */
  globalIds?: {
    /** Timestamptz column by which the newest copy is found. */
    newestBy: string;
  };
  /** Version of the column extraction, from 1. Raise it whenever the same document yields other column values. */
  extraction: number;
  /**
   * Extracts the columns of an already stored document again with the current extraction version. May complete the
   * document as a new read would; this is no change of the record. May return a promise; calls of one turn are then one batch.
   * Throws ProviderError `unavailable` if the document could be converted later, another error if it can never be.
   * @param olderValues values of an older version (e.g. the facet `repository`), for values missing from the document
   */
  convert(
    document: JsonObject,
    olderValues: Readonly<Record<string, unknown>>,
  ): ConvertedRecord | Promise<ConvertedRecord>;
  /**
   * Yields pages; returns the completion. A full run yields every record once, newest first, and requests no more than its
   * limit needs. An incremental run yields added and changed records in any order, and removed ids. Throws ProviderError
   * only.
   */
  read(request: ReadRequest): AsyncGenerator<Page, Completion>;
  /** Estimates the size and cost of a run with a few requests. Throws ProviderError. */
  estimate(request: EstimateRequest): Promise<Estimate>;
  /**
   * Yields the ids of the whole scope, possibly some twice, preferably newest first so that the caller can stop early.
   * Throws ProviderError.
   */
  listIds(
    request: Pick<EstimateRequest, 'client' | 'settings' | keyof ScopeReading>,
  ): AsyncGenerator<string[]>;
  /**
   * Fetches the content of a file that the field `attachments` of a record lists (objects with `filename`, `mimeType` and
   * `size`). Absent if its records have no files. Throws ProviderError.
   */
  fetchAttachment?(request: AttachmentRequest): Promise<AttachmentContent>;
}

/** The integration of one provider. */
export interface Connector extends Partial<HttpApi>, AuthorizationMethods {
  /** Part of URLs, e.g. `github`; `/auth/{key}` starts a connection. */
  key: string;
  title: string;
  /** Text of its card on the Integrations page. */
  description: string;
  /** Logo as the path data of a 24 × 24 SVG. Default: a neutral one of the web app. */
  mark?: string;
  quota: QuotaDefinition;
  entities: readonly EntityDefinition[];
}

/** Declares a connector; the function only fixes the type. */
export function defineConnector(connector: Connector): Connector {
  return connector;
}

/** Declares an entity; the function only fixes the type. */
export function defineEntity(entity: EntityDefinition): EntityDefinition {
  return entity;
}
