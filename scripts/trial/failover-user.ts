import { setTimeout as sleep } from 'node:timers/promises';
import type { SavedQuery, Sync } from '../../packages/contract/src/index.ts';
import { SYNCS, startSync } from '../../packages/server/test-support/syncing.ts';
import type { Client } from '../../packages/server/test-support/test-server.ts';

/** Interval of the user's attempts, ms. */
const RETRY_MS = 250;
/** Longest wait for a request: a browser's user would reload by then. */
const REQUEST_MS = 5000;
/** Time within which a run must end after the cluster is healthy. */
const RUN_MS = 90_000;
const EVENTS_MS = 20_000;
const REPOSITORY = { owner: 'aurora-labs', repo: 'harbor' };
const QUERIES = '/api/data/jnata-queries';

/** What a user saw of one kill. */
export interface Round {
  /** Longest time between two successful writes. */
  outageMs: number;
  /** Number of acknowledged writes, and of those that are gone. */
  acknowledged: number;
  lost: number;
  isStuck: boolean;
  /** Whether the open event stream reported a run that started after the switch. */
  hasEvents: boolean;
}

/** Repeats a request that must succeed. */
async function insist<T>(attempt: () => Promise<T>, timeoutMs: number): Promise<T> {
  for (const begun = Date.now(); ; await sleep(RETRY_MS))
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() - begun > timeoutMs) throw error;
    }
}

/** A user who writes, reads, syncs and watches an open page all the time. */
export class FailoverUser {
  readonly #client: Client;
  readonly #leaving = new AbortController();
  #acknowledged: string[] = [];
  #lastWriteAt = 0;
  #longestGapMs = 0;
  #isWriting = false;
  #writing: Promise<void> = Promise.resolve();
  #sync: Sync | undefined;
  /** What arrived at the open page. */
  #events = '';

  constructor(client: Client) {
    this.#client = client;
    void this.#watch();
  }

  /** Reads the event stream as the web app does: opens it again when it ends. */
  async #watch(): Promise<void> {
    const { signal } = this.#leaving;
    while (!signal.aborted) {
      try {
        const response = await this.#client.call('GET', '/api/events');
        const decoder = new TextDecoder();
        for await (const chunk of response.body ?? []) {
          if (signal.aborted) break;
          this.#events += decoder.decode(chunk, { stream: true });
        }
      } catch {
        // The stream broke; it is opened again.
      }
      await sleep(RETRY_MS);
    }
  }

  async #write(): Promise<void> {
    while (this.#isWriting) {
      const title = crypto.randomUUID().slice(0, 18);
      const write = this.#client.post<SavedQuery>(QUERIES, { title, jsonNataQuery: '$' });
      const timeout = sleep(REQUEST_MS).then(() => Promise.reject(new Error('no answer in time')));
      timeout.catch(() => undefined);
      try {
        await Promise.race([write, timeout]);
        await this.#client.get(`${QUERIES}?page=1`);
        this.#acknowledged.push(title);
        this.#longestGapMs = Math.max(this.#longestGapMs, Date.now() - this.#lastWriteAt);
        this.#lastWriteAt = Date.now();
      } catch {
        write.catch(() => undefined);
      }
      await sleep(RETRY_MS);
    }
  }

  /** Starts a run and continuous writes. */
  async begin(): Promise<void> {
    this.#acknowledged = [];
    this.#sync = await insist(() => startSync(this.#client, 'gh-pulls', REPOSITORY), RUN_MS);
    this.#isWriting = true;
    this.#lastWriteAt = Date.now();
    this.#writing = this.#write();
  }

  /** Begins to measure the outage. @returns whether the run is still running */
  async mark(): Promise<boolean> {
    const isRunning = this.#sync !== undefined && !(await this.#hasEnded(this.#sync));
    this.#longestGapMs = 0;
    return isRunning;
  }

  async #hasEnded({ _id }: Sync): Promise<boolean> {
    const syncs = await this.#client.get<Sync[]>(`${SYNCS}?providers=github`);
    return syncs.find((sync) => sync._id === _id)?.status === 'finished';
  }

  async #isStuck(sync: Sync): Promise<boolean> {
    for (const begun = Date.now(); Date.now() - begun < RUN_MS; await sleep(RETRY_MS))
      if (await this.#hasEnded(sync).catch(() => false)) return false;
    return true;
  }

  async #readTitles(): Promise<Set<string>> {
    const titles = new Set<string>();
    for (let page = 1; ; page++) {
      const rows = await this.#client.get<SavedQuery[]>(`${QUERIES}?page=${page}`);
      for (const { title } of rows) titles.add(title);
      if (rows.length === 0) return titles;
    }
  }

  /** Starts a run and waits until the open page hears of it. */
  async #hearsOfRun(): Promise<boolean> {
    const { _id } = await insist(() => startSync(this.#client, 'gh-pulls', REPOSITORY), RUN_MS);
    const begun = Date.now();
    while (!this.#events.includes(_id)) {
      if (Date.now() - begun > EVENTS_MS) return false;
      await sleep(50);
    }
    await this.#client.call('POST', `${SYNCS}/${_id}/cancel`);
    return true;
  }

  /** Stops writing and compares what was acknowledged with what is stored. */
  async end(): Promise<Round> {
    await sleep(2000);
    this.#isWriting = false;
    await this.#writing;
    const stored = await insist(() => this.#readTitles(), REQUEST_MS);
    const isStuck = this.#sync === undefined || (await this.#isStuck(this.#sync));
    const hasEvents = !isStuck && (await this.#hearsOfRun());
    const acknowledged = this.#acknowledged;
    await insist(() => this.#client.json('DELETE', '/api/accounts/delete-data'), RUN_MS);
    return {
      outageMs: this.#longestGapMs,
      acknowledged: acknowledged.length,
      lost: acknowledged.filter((title) => !stored.has(title)).length,
      isStuck,
      hasEvents,
    };
  }

  /** Closes the page. */
  leave(): void {
    this.#isWriting = false;
    this.#leaving.abort();
  }
}
