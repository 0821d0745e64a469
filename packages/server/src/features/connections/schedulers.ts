import {
  type Clock,
  type Connector,
  type QuotaDefinition,
  type QuotaLedger,
  Scheduler,
  systemClock,
} from '@datadeck/connectors';
import { Renewals } from './renewals.ts';

type ConnectionKey = { userId: string; id: string };

/** Creates the ledger that shares a connection's quota between processes. */
export type LedgerFactory = (connection: ConnectionKey, quota: QuotaDefinition) => QuotaLedger;

export interface SchedulerOptions {
  /** The clock of schedulers and their clients. Default: real time. */
  clock?: Clock;
  /** If absent, each process uses the whole quota by itself. */
  createLedger?: LedgerFactory;
  /** Length of the quota's minute, ms. Default: 60 000. */
  minuteMs?: number;
}

/** State shared by this process's calls to providers: one scheduler per connection, and the token renewals. */
export class Schedulers {
  readonly #byConnection = new Map<string, Scheduler>();
  readonly #options: SchedulerOptions;
  readonly renewals = new Renewals();
  /** The clock of the schedulers and their clients. */
  readonly clock: Clock;
  /** Idle timeout of provider calls in real milliseconds; undefined for the client's default. */
  idleTimeoutMs: number | undefined;

  constructor(options: SchedulerOptions = {}) {
    this.clock = options.clock ?? systemClock;
    this.#options = options;
  }

  /** Returns the scheduler of a connection, creating it on first use. */
  get(connector: Connector, connection: ConnectionKey): Scheduler {
    const known = this.#byConnection.get(connection.id);
    if (known) return known;
    const { createLedger, minuteMs } = this.#options;
    const quota = minuteMs === undefined ? connector.quota : { ...connector.quota, minuteMs };
    const scheduler = new Scheduler(quota, this.clock, createLedger?.(connection, quota));
    this.#byConnection.set(connection.id, scheduler);
    return scheduler;
  }
}
