/** Counters since the start or the last reset. */
export interface CounterReport {
  /** Requests per API ("gmail"), and per API, method and path pattern ("gmail GET /v1/users/:userId/messages"). */
  requests: Record<string, number>;
  /** Quota units used per account, for example "gmail ada.nowak@sandbox.example". */
  units: Record<string, number>;
  /** Responses by API and status, for example "github 304". */
  statuses: Record<string, number>;
  /** Maximum number of concurrent requests per API. */
  mostInFlight: Record<string, number>;
}

/** Counts the sandbox's requests and responses. */
export class CallCounters {
  readonly #requests = new Map<string, number>();
  readonly #units = new Map<string, number>();
  readonly #statuses = new Map<string, number>();
  readonly #inFlight = new Map<string, number>();
  readonly #mostInFlight = new Map<string, number>();

  arrived(api: string, route: string): void {
    add(this.#requests, api, 1);
    add(this.#requests, `${api} ${route}`, 1);
    const now = add(this.#inFlight, api, 1);
    this.#mostInFlight.set(api, Math.max(now, this.#mostInFlight.get(api) ?? 0));
  }

  answered(api: string, status: number): void {
    add(this.#inFlight, api, -1);
    add(this.#statuses, `${api} ${status}`, 1);
  }

  addUnits(key: string, units: number): void {
    add(this.#units, key, units);
  }

  report(): CounterReport {
    return {
      requests: Object.fromEntries(this.#requests),
      units: Object.fromEntries(this.#units),
      statuses: Object.fromEntries(this.#statuses),
      mostInFlight: Object.fromEntries(this.#mostInFlight),
    };
  }

  reset(): void {
    for (const map of [this.#requests, this.#units, this.#statuses, this.#mostInFlight]) map.clear();
  }
}

function add(map: Map<string, number>, key: string, amount: number): number {
  const total = (map.get(key) ?? 0) + amount;
  map.set(key, total);
  return total;
}
