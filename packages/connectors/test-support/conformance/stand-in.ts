import type { Credentials } from '../../src/sdk/authorization.ts';
import type { Connector, ConnectorRecord } from '../../src/sdk/connector.ts';

/** A fault to inject into the requests of the entity. */
export interface FaultOrder {
  /** A fault of the subject, or one that every stand-in must support: `token-expired`, `redirect`, `stalled-stream`. */
  name: string;
  /** Number of requests to affect; default 1. */
  times?: number;
  /** Number of requests to pass before the fault. */
  afterRequests?: number;
  /** Target of a redirect. */
  location?: string;
}

/** Changes to the records of a scope, for incremental runs. Ids are record ids. */
export interface ScopeControl {
  insert(): string | Promise<string>;
  /** Absent if records never change. */
  update?(id: string): unknown;
  /** Absent if the provider's changes do not contain deletions. */
  remove?(id: string): unknown;
  /** Makes the provider's cursors expire; absent if they cannot expire. */
  expireCursor?(): unknown;
}

/** A provider controlled by the suite: the sandbox or another emulator. */
export interface StandIn {
  connector: Connector;
  /** A valid grant, with a refresh token if the provider issues them. */
  credentials: Credentials;
  /** Restores the records, faults, counters and tokens of the start. */
  reset(): void;
  close(): Promise<void>;
  /** Returns the ids of the scope in the provider's order, newest first, without using the connector. */
  listIds(): Promise<string[]>;
  inject(fault: FaultOrder): void;
  /** Invalidates all access tokens; absent if tokens cannot be refreshed. */
  expireTokens?(): void;
  /** Largest number of concurrent requests of the entity's API since the last reset. */
  mostInFlight(): number;
  /** Quota units used and overload responses sent since the last reset. */
  spending(): { units: number; refused: number };
  changes?: ScopeControl;
  /** Adds a malformed record to the scope. @returns its id */
  insertOddity?(name: string): string | Promise<string>;
}

/** A test, or a part of one, that some providers cannot pass. */
export type Exemption =
  | 'token-renewal'
  | 'redirects'
  | 'units'
  /** Reading one record takes fewer requests than reading all. */
  | 'single-record'
  /** Many changes are several pages. */
  | 'several-pages'
  /** Estimates of records are exact. */
  | 'exact-estimates';

/** One entity of one connector, and how to test it. */
export interface ConformanceSubject {
  name: string;
  entity: string;
  settings: Readonly<Record<string, string>>;
  /** Whether its runs return cursors. */
  isIncremental: boolean;
  /** Returns when a record arrived or was updated, which `since` compares, ms since 1970; absent without `since`. */
  sinceTimeOf?(record: ConnectorRecord): number;
  /** Starts a stand-in without quota and with some records in the scope. */
  start(): Promise<StandIn>;
  /** Starts a stand-in with the small quota that its connector declares; its minute lasts 3 s. */
  startMetered?(): Promise<StandIn>;
  /** Faults, by the stand-in's names, after which a read continues and is complete. */
  survives: readonly string[];
  /** Rate limits after which a read waits and continues. */
  waitsFor: readonly string[];
  /** Permanent faults and the expected failure. */
  endsIn: Readonly<Record<string, string>>;
  /** Tests that do not apply to this provider, each with the reason. */
  exempt?: Readonly<Partial<Record<Exemption, string>>>;
  /** Names of malformed records. */
  oddities: readonly string[];
}
