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

/** Where a connection's spending is shared with other processes. */
export type LedgerOf = (connection: ConnectionKey, quota: QuotaDefinition) => QuotaLedger;

export interface SchedulerOptions {
  /** The time by which schedulers and their clients wait. Default: real time. */
  clock?: Clock;
  /** Without it each process has the whole quota. */
  ledgerOf?: LedgerOf;
  /** How long a quota's minute is, ms. Default: a minute. */
  minuteMs?: number;
}

/** What the calls of this process to providers share: one scheduler a connection, and the renewals of tokens. */
export class Schedulers {
  readonly #byConnection = new Map<string, Scheduler>();
  readonly #options: SchedulerOptions;
  readonly renewals = new Renewals();
  /** The time by which the schedulers and their clients wait. */
  readonly clock: Clock;
  /** How long a provider may be silent, in real milliseconds; undefined: as long as the client allows by itself. */
  idleTimeoutMs: number | undefined;

  constructor(options: SchedulerOptions = {}) {
    this.clock = options.clock ?? systemClock;
    this.#options = options;
  }

  get(connector: Connector, connection: ConnectionKey): Scheduler {
    const known = this.#byConnection.get(connection.id);
    if (known) return known;
    const { ledgerOf, minuteMs } = this.#options;
    const quota = minuteMs === undefined ? connector.quota : { ...connector.quota, minuteMs };
    const scheduler = new Scheduler(quota, this.clock, ledgerOf?.(connection, quota));
    this.#byConnection.set(connection.id, scheduler);
    return scheduler;
  }
}
