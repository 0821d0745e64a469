import { type Connector, Scheduler } from '@datadeck/connectors';

/** One scheduler a connection, shared by all its syncs in this process. */
export class Schedulers {
  readonly #byConnection = new Map<string, Scheduler>();

  get(connector: Connector, connectionId: string): Scheduler {
    const known = this.#byConnection.get(connectionId);
    if (known) return known;
    const scheduler = new Scheduler(connector.quota);
    this.#byConnection.set(connectionId, scheduler);
    return scheduler;
  }
}
