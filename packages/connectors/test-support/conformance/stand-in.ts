import type { Credentials } from '../../src/sdk/authorization.ts';
import type { Connector } from '../../src/sdk/connector.ts';

/** A fault that the stand-in is told to commit on the requests of the entity. */
export interface FaultOrder {
  /** One that the subject names, or what every stand-in must know: `token-expired`, `redirect`, `stalled-stream`. */
  name: string;
  /** How often; default once. */
  times?: number;
  /** Requests that pass unharmed first. */
  afterRequests?: number;
  /** Where a redirect leads. */
  location?: string;
}

/** What can be done to the records of a scope that can be read incrementally. Ids are those of our records. */
export interface ScopeControl {
  insert(): string | Promise<string>;
  update(id: string): unknown;
  /** Absent: the provider's changes do not tell of deletions. */
  remove?(id: string): unknown;
  /** The provider forgets its cursors; absent: they cannot be forgotten. */
  expireCursor?(): unknown;
}

/** A provider that the suite can command: the sandbox, or any emulator. */
export interface StandIn {
  connector: Connector;
  /** A good grant; with a refresh token where the provider gives them. */
  credentials: Credentials;
  /** Records, faults, counters and tokens as they were at the start. */
  reset(): void;
  close(): Promise<void>;
  /** Ids of the scope as the provider lists them, newest first, by other means than the connector. */
  listIds(): Promise<string[]>;
  inject(fault: FaultOrder): void;
  /** Every access token so far is refused; absent where nothing renews one. */
  expireTokens?(): void;
  /** Since the last reset: requests of the entity's API that were in flight together at most. */
  mostInFlight(): number;
  /** Since the last reset: units spent, and answers that said 'too much'. */
  spending(): { units: number; refused: number };
  changes?: ScopeControl;
  /** Puts an odd record into the scope. @returns its id */
  insertOddity?(name: string): string | Promise<string>;
}

/** One entity of one connector, and how to try it. */
export interface ConformanceSubject {
  name: string;
  entity: string;
  settings: Readonly<Record<string, string>>;
  /** Whether its runs have cursors. */
  isIncremental: boolean;
  /** A stand-in without quota, with some records in the scope. */
  start(): Promise<StandIn>;
  /** A stand-in whose small budget is the one that its connector declares; its minute lasts 3 s. */
  startMetered?(): Promise<StandIn>;
  /** Faults, by the stand-in's own names, after which a read goes on and brings everything. */
  survives: readonly string[];
  /** Limits that are waited for. */
  waitsFor: readonly string[];
  /** Faults that last, and the failure they must end in. */
  endsIn: Readonly<Record<string, string>>;
  /** Tests that cannot be held against this provider, each with the reason. */
  exempt?: Readonly<Partial<Record<'token-renewal' | 'redirects' | 'units', string>>>;
  /** Names of odd records. */
  oddities: readonly string[];
}
