import { type Clock, type Connector, type QuotaLedger, Scheduler, systemClock } from '@datadeck/connectors';

type ConnectionKey = { userId: string; id: string };

/** Where a connection's spending is shared with other processes. */
export type LedgerOf = (connection: ConnectionKey, connector: Connector) => QuotaLedger;

/** One scheduler a connection, shared by all its syncs in this process. */
export class Schedulers {
  readonly #byConnection = new Map<string, Scheduler>();
  readonly #ledgerOf: LedgerOf | undefined;
  /** The time by which the schedulers and their clients wait. */
  readonly clock: Clock;
  /** How long a provider may be silent, in real milliseconds; undefined: as long as the client allows by itself. */
  silenceMs: number | undefined;

  constructor(clock: Clock = systemClock, ledgerOf?: LedgerOf) {
    this.clock = clock;
    this.#ledgerOf = ledgerOf;
  }

  get(connector: Connector, connection: ConnectionKey): Scheduler {
    const known = this.#byConnection.get(connection.id);
    if (known) return known;
    const ledger = this.#ledgerOf?.(connection, connector);
    const scheduler = new Scheduler(connector.quota, this.clock, ledger);
    this.#byConnection.set(connection.id, scheduler);
    return scheduler;
  }
}
