import { type Clock, type Connector, Scheduler, systemClock } from '@datadeck/connectors';

/** One scheduler a connection, shared by all its syncs in this process. */
export class Schedulers {
  readonly #byConnection = new Map<string, Scheduler>();
  /** The time by which the schedulers and their clients wait. */
  readonly clock: Clock;

  constructor(clock: Clock = systemClock) {
    this.clock = clock;
  }

  get(connector: Connector, connectionId: string): Scheduler {
    const known = this.#byConnection.get(connectionId);
    if (known) return known;
    const scheduler = new Scheduler(connector.quota, this.clock);
    this.#byConnection.set(connectionId, scheduler);
    return scheduler;
  }
}
