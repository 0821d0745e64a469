import { setTimeout as sleep } from 'node:timers/promises';
import type { Sync } from '../../packages/contract/src/index.ts';
import { SYNCS, startSync } from '../../packages/server/test-support/syncing.ts';
import type { Client } from '../../packages/server/test-support/test-server.ts';

const RETRY_MS = 250;
/** Time within which a run must end although its worker is killed, perhaps twice. */
const RUN_MS = 120_000;
const EVENTS_MS = 10_000;
const REPOSITORY = { owner: 'aurora-labs', repo: 'harbor' };

/** What a user saw. */
export interface Seen {
  /** Runs that were started, and that ended with all records. */
  started: number;
  finished: number;
  /** Runs of which no event reached the open page. */
  unheard: number;
  failedRequests: number;
  /** How often the event stream broke and was opened again. */
  brokenStreams: number;
}

/** A user who starts a run whenever none is running, and has a page open all the time. */
export class SyncingUser {
  readonly #client: Client;
  readonly #leaving = new AbortController();
  readonly #seen: Seen = { started: 0, finished: 0, unheard: 0, failedRequests: 0, brokenStreams: 0 };
  #events = '';
  #records: number | undefined;
  #working: Promise<void> = Promise.resolve();

  constructor(client: Client) {
    this.#client = client;
  }

  begin(): void {
    void this.#watch();
    this.#working = this.#syncRepeatedly();
  }

  /** Reads the event stream as the web app does: opens it again when it ends. */
  async #watch(): Promise<void> {
    const { signal } = this.#leaving;
    for (; !signal.aborted; await sleep(RETRY_MS))
      try {
        const response = await this.#client.call('GET', '/api/events');
        const decoder = new TextDecoder();
        for await (const chunk of response.body ?? [])
          this.#events += decoder.decode(chunk, { stream: true });
        if (!signal.aborted) this.#seen.brokenStreams++;
      } catch {
        if (!signal.aborted) this.#seen.brokenStreams++;
      }
  }

  /** Repeats a request until it succeeds, and counts the failures. */
  async #insist<T>(attempt: () => Promise<T>): Promise<T> {
    for (const begun = Date.now(); ; await sleep(RETRY_MS))
      try {
        return await attempt();
      } catch (error) {
        this.#seen.failedRequests++;
        if (Date.now() - begun > RUN_MS) throw error;
      }
  }

  #syncs(): Promise<Sync[]> {
    return this.#insist(() => this.#client.get<Sync[]>(`${SYNCS}?providers=github`));
  }

  /** Starts a run. When the answer is lost, it asks whether the run was started. */
  async #start(): Promise<Sync> {
    for (;;)
      try {
        return await startSync(this.#client, 'gh-pulls', REPOSITORY);
      } catch {
        this.#seen.failedRequests++;
        const running = (await this.#syncs()).find(({ status }) => status === 'started');
        if (running) return running;
      }
  }

  async #awaitEnd({ _id }: Sync): Promise<Sync | undefined> {
    for (const begun = Date.now(); Date.now() - begun < RUN_MS; await sleep(RETRY_MS)) {
      const sync = (await this.#syncs()).find((one) => one._id === _id);
      if (sync !== undefined && sync.status !== 'started') return sync;
    }
    return undefined;
  }

  async #isHeard(id: string): Promise<boolean> {
    for (const begun = Date.now(); Date.now() - begun < EVENTS_MS; await sleep(50))
      if (this.#events.includes(id)) return true;
    return false;
  }

  async #syncRepeatedly(): Promise<void> {
    while (!this.#leaving.signal.aborted) {
      const sync = await this.#start();
      this.#seen.started++;
      const ended = await this.#awaitEnd(sync);
      const records = ended?.summary.entitiesSynced ?? undefined;
      this.#records ??= records;
      if (ended?.status === 'finished' && records === this.#records) this.#seen.finished++;
      if (!(await this.#isHeard(sync._id))) this.#seen.unheard++;
      this.#events = '';
    }
  }

  /** Waits for the end of the last run and closes the page. @returns what the user saw */
  async leave(): Promise<Seen> {
    this.#leaving.abort();
    await this.#working;
    return this.#seen;
  }
}
