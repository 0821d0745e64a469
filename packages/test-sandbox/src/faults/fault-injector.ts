import { type FaultName, faultEntry } from './fault-catalogue.ts';
import type { Api } from './fault-entry.ts';

/** The requests that a fault affects; a missing field matches all requests that the fault can affect. */
export interface FaultMatch {
  api?: Api;
  method?: string;
  /** Tested against the path below the API, with its query, for example /pulls\?.*page=2/. */
  path?: RegExp;
  /** The account's e-mail address (Google) or login (GitHub). */
  account?: string;
}

/** A fault to inject. */
export interface FaultSpec {
  name: FaultName;
  match?: FaultMatch;
  /** Number of affected requests. Default 1; Infinity until it is removed. */
  times?: number;
  /** Number of matching requests that pass first. Default 0. */
  afterRequests?: number;
  options?: FaultOptions;
}

/** Details for some faults; the catalogue lists them. */
export interface FaultOptions {
  seconds?: number;
  milliseconds?: number;
  count?: number;
  location?: string;
  name?: string;
}

/** The properties of a request that faults match. */
export interface FaultTarget {
  api: Api;
  method: string;
  /** Path below the API, without the query. */
  path: string;
  /** The query with its question mark, or an empty string. */
  query: string;
  account: string | undefined;
}

/** An injected fault. */
export interface FaultHandle {
  readonly id: number;
  readonly spec: FaultSpec;
  /** Number of matching requests, and how many of them were affected. */
  readonly seen: number;
  readonly hits: number;
  remove(): void;
}

/** The faults that are due for one request; taking a fault counts as a hit. */
export interface DueFaults {
  take(name: FaultName): TakenFault | undefined;
}

/** A fault that takes effect: its options, and a signal for its removal. */
export type TakenFault = FaultOptions & { removed: AbortSignal };

interface Armed {
  id: number;
  spec: FaultSpec;
  seen: number;
  hits: number;
  removal: AbortController;
}

/** Stores the injected faults and returns those that are due for a request. */
export class FaultInjector {
  readonly #armed: Armed[] = [];
  #lastId = 0;

  /** Adds a fault. @throws RangeError for an unknown name */
  add(spec: FaultSpec): FaultHandle {
    faultEntry(spec.name);
    const armed: Armed = { id: ++this.#lastId, spec, seen: 0, hits: 0, removal: new AbortController() };
    this.#armed.push(armed);
    return this.#handleOf(armed);
  }

  list(): FaultHandle[] {
    return this.#armed.map((armed) => this.#handleOf(armed));
  }

  clear(): void {
    for (const { removal } of this.#armed.splice(0)) removal.abort();
  }

  /** Counts the request for every fault that it matches and returns the faults that are due. */
  dueFor(target: FaultTarget): DueFaults {
    if (this.#armed.length === 0) return NOTHING_DUE;
    const due = this.#armed.filter((armed) => {
      if (!matches(armed.spec, target)) return false;
      armed.seen += 1;
      return armed.seen > (armed.spec.afterRequests ?? 0);
    });
    return {
      take(name) {
        const found = due.find((armed) => armed.spec.name === name && armed.hits < (armed.spec.times ?? 1));
        if (!found) return undefined;
        found.hits += 1;
        due.splice(due.indexOf(found), 1);
        return { ...found.spec.options, removed: found.removal.signal };
      },
    };
  }

  #handleOf(armed: Armed): FaultHandle {
    const all = this.#armed;
    return {
      id: armed.id,
      spec: armed.spec,
      get seen() {
        return armed.seen;
      },
      get hits() {
        return armed.hits;
      },
      remove() {
        const at = all.indexOf(armed);
        if (at >= 0) all.splice(at, 1);
        armed.removal.abort();
      },
    };
  }
}

/** No faults. */
export const NOTHING_DUE: DueFaults = { take: () => undefined };

function matches(spec: FaultSpec, target: FaultTarget): boolean {
  const { apis, path } = faultEntry(spec.name);
  const { match } = spec;
  if (!apis.includes(target.api) || !path.test(target.path)) return false;
  if (match?.api && match.api !== target.api) return false;
  if (match?.method && match.method !== target.method) return false;
  if (match?.account && match.account !== target.account) return false;
  return !match?.path || match.path.test(target.path + target.query);
}
