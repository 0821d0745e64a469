import type { PlanLimits, Setting } from '@datadeck/contract';
import type { Authorization, FormAuthorization } from './authorization.ts';
import type { Json, JsonObject } from './json.ts';
import type { ProviderClient } from './provider-client.ts';
import type { ProviderFailure } from './provider-error.ts';
import type { ConcurrencyLimits } from './semaphore.ts';
import type { ColumnValues, TableDefinition, TemplateDefinition } from './table.ts';

/** One record as a connector hands it over. */
export interface ConnectorRecord {
  /** The provider's id, unique within the entity of one account. */
  id: string;
  /**
   * What 'newest' means for this entity, of the years 1 to 9999 (`storableInstant`); one that cannot be read is
   * `new Date(0)`, and so are all of an entity whose records have no date.
   */
  occurredAt: Date;
  /**
   * The document, or its JSON text in UTF-8 as the connector wrote it. A document with a field `id` has the record's id in it.
   * The server replaces characters that PostgreSQL does not store.
   */
  data: JsonObject | Buffer;
  /** A value for each column that the entity's table declares; their texts have passed `storable`. */
  columns: ColumnValues;
}

/** A page of a sync. The engine commits it together with its checkpoint; `PageCheck` says what it refuses. */
export interface Page {
  /** Some hundred, at most `MOST_RECORDS`; a page may have none. */
  records: ConnectorRecord[];
  /** Ids that left the scope (incremental runs). */
  removed?: string[];
  /** Where to go on after this page, never null; the same connector must accept it in another process. */
  checkpoint: Json;
  /** Records of the whole scope at the provider, once known; of an incremental run too. */
  total?: number;
  /** Records that vanished between listing and reading. */
  skipped?: number;
  /** Ids of records that are there but that the provider fails to give: what is stored of them stays. The connector asks again in the next run. */
  unreadable?: string[];
}

/** How a read ended. */
export interface Completion {
  /**
   * Where the next incremental run of the scope begins; null: the next run is a full one. It is taken before the first
   * page is asked for, so that the next run brings what changes meanwhile.
   */
  cursor: Json;
  /** True when the provider holds more records of the scope than the limit let in. Of a full run; else false. */
  truncated: boolean;
}

export interface ReadRequest {
  client: ProviderClient;
  settings: Readonly<Record<string, string>>;
  /** Null at the beginning, else that of the last committed page. */
  checkpoint: Json;
  /** Null: list everything. Else what a completion returned: bring the changes since. Unknown there: throw `cursor-expired`. */
  cursor: Json;
  /**
   * Newest records to yield at most; of a full run that goes on at a checkpoint, those that it still may. At 0 nothing is
   * yielded, and `truncated` says whether any are left. An incremental run that would bring more throws `cursor-expired`.
   */
  limit: number;
  /** Ends the read with its reason; the client's requests end by themselves. */
  signal: AbortSignal;
}

export interface EstimateRequest {
  client: ProviderClient;
  settings: Readonly<Record<string, string>>;
  /** Null: of a full run. */
  cursor: Json;
  /** Newest records that a run may bring. */
  limit: number;
}

/** What a run would fetch and cost. */
export interface Estimate {
  /** Records of the scope at the provider; null when it does not tell. */
  total: number | null;
  records: number;
  requests: number;
  units: number;
}

/** A syncable collection of a provider. */
export interface EntityDefinition {
  /** The entity label: it stands in addresses, and no other connector's entity has it. */
  id: string;
  title: string;
  /** HTML of ours: paragraphs, emphasis, code, lists, https links. */
  description: string;
  /** Entities of the same connector that give the values of the settings. */
  dependsOn: readonly { entity: string; title: string }[];
  /** Whether a sync brings many records. */
  multi: boolean;
  /** Records that a sync keeps at most, and runs a month, by plan. */
  limits: PlanLimits;
  settings: readonly Setting[];
  /** Names the set of records that these settings bound; equal sets get equal names, others other ones. */
  scopeOf(settings: Readonly<Record<string, string>>): string;
  /** The table that stores the records. */
  table: TableDefinition;
  /** Templates over the table, in the order they are shown in. */
  templates: readonly TemplateDefinition[];
  /** Version of the column extraction, from 1: raised whenever it finds other values in the same document. */
  extraction: number;
  /**
   * Returns the stored document and columns of an already stored document as the current extraction makes them.
   * @param before values found by an older version (old facets such as `repository`, or old columns): what the document alone
   *   does not hold is taken from there
   */
  convert(
    document: JsonObject,
    before: Readonly<Record<string, unknown>>,
  ): { data: JsonObject; columns: ColumnValues };
  /**
   * Yields pages; returns the completion. A full run brings every record once, newest first, and asks for no more than
   * its limit needs. An incremental run brings what was added or changed, in any order, and the ids of what left. Throws
   * ProviderError and nothing else.
   */
  read(request: ReadRequest): AsyncGenerator<Page, Completion>;
  /** What a run would fetch and cost, for a few requests at most. Throws ProviderError. */
  estimate(request: EstimateRequest): Promise<Estimate>;
  /**
   * The ids of the whole scope without their records, some perhaps twice, best the newest first: who has met what it looks
   * for leaves early. Throws ProviderError.
   */
  listIds(request: Pick<EstimateRequest, 'client' | 'settings'>): AsyncGenerator<string[]>;
}

/** The provider's limits, as the scheduler keeps them. */
export interface QuotaDefinition extends ConcurrencyLimits {
  /** Units a minute and user. */
  unitsPerMinute: number;
  /** How long its minute is, ms. Default: a minute; trials make it go by faster. */
  minuteMs?: number;
}

/**
 * What the client needs to call a provider's HTTP API by `get`; without it a connector speaks by `exchange`. The client
 * sends the access token as `authorization: Bearer`.
 */
export interface HttpApi {
  /** Base address of its API, the same for all users: a server that users name is called by `exchange`. */
  apiUrl: string;
  /** Turns an answer that is no success into a failure of the closed list, whatever its status and body. */
  classify(answer: RefusedAnswer): FailedAnswer;
}

/** Our code for one provider. */
export interface Connector extends Partial<HttpApi> {
  /** Stands in addresses; `/auth/{key}` begins to connect. */
  key: string;
  title: string;
  /** Text of its card. */
  description: string;
  /** Its mark: the path of an SVG image of 24 × 24; without it the web app shows a neutral one. */
  mark?: string;
  quota: QuotaDefinition;
  authorization: Authorization | FormAuthorization;
  entities: readonly EntityDefinition[];
}

/** An answer over HTTP that is no success, as it came. */
export interface RefusedAnswer {
  status: number;
  headers: Headers;
  body: string;
  /** When it came, ms. */
  now: number;
}

/** How the client treats what is no success. */
export type FailedAnswer =
  | {
      kind: 'retry-later';
      until: Date | undefined;
      message: string;
      /** The provider objects to so many requests at once. */
      isOverloaded?: boolean;
    }
  | { kind: 'retry'; message: string }
  | { kind: 'expired-token'; message: string }
  | {
      kind: 'fail';
      failure: Exclude<ProviderFailure, 'rate-limited' | 'unavailable'>;
      message: string;
    };

/** Declares a connector; the function only fixes the type. */
export function defineConnector(connector: Connector): Connector {
  return connector;
}

/** Declares an entity; the function only fixes the type. */
export function defineEntity(entity: EntityDefinition): EntityDefinition {
  return entity;
}
