import type { ProviderClient } from '@datadeck/connectors';
import type { ClientUsage, Counters } from './counters.ts';

const NOTHING: ClientUsage = { requests: 0, units: 0, waitedMs: 0 };

function difference(one: ClientUsage, other: ClientUsage): ClientUsage {
  return {
    requests: one.requests - other.requests,
    units: one.units - other.units,
    waitedMs: one.waitedMs - other.waitedMs,
  };
}

/** The usage of the client of the current or last attempt to read, as far as it is in the counters of a run. */
export class AttemptUsage {
  #attempt: { client: ProviderClient; before: ClientUsage } | undefined;
  /** The client's usage up to the last page handed over. */
  #taken = NOTHING;

  /** Begins an attempt. @param before the run's counters */
  begin(client: ProviderClient, before: ClientUsage): void {
    this.#attempt = { client, before };
    this.#taken = NOTHING;
  }

  /** Returns the client's usage since the last call. */
  take(): ClientUsage {
    const { requests, units, waitedMs } = this.#attempt?.client ?? NOTHING;
    const usage = difference({ requests, units, waitedMs }, this.#taken);
    this.#taken = { requests, units, waitedMs };
    return usage;
  }

  /** Returns the usage that is in no committed counters: for pages read ahead, rejected or lost. */
  uncommitted(committed: Counters): ClientUsage {
    const { client, before } = this.#attempt ?? {};
    if (!client || !before) return NOTHING;
    const { requests, units, waitedMs } = difference(client, committed);
    return {
      requests: before.requests + requests,
      units: before.units + units,
      waitedMs: before.waitedMs + waitedMs,
    };
  }
}
