import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';

const RETRY_MS = 2000;

/** Restarts the embedded server when it dies, and keeps this process's lock on the data folder. */
export class Guard {
  readonly #start: () => Promise<ChildProcess>;
  readonly #acquireLock: () => Promise<pg.Client>;
  readonly #onEvent: (event: string) => void;
  #lock: pg.Client | undefined;
  #isEnding = false;

  constructor(
    start: () => Promise<ChildProcess>,
    acquireLock: () => Promise<pg.Client>,
    onEvent: (event: string) => void,
  ) {
    this.#start = start;
    this.#acquireLock = acquireLock;
    this.#onEvent = onEvent;
  }

  /** @param server the started server; undefined for an adopted one, which is monitored by the lock's connection */
  async begin(server: ChildProcess | undefined): Promise<void> {
    const ended = server && once(server, 'exit');
    this.#lock = await this.#acquireLock();
    // Listen since before locking: a surviving process of a killed server may still have granted the lock.
    void (ended ?? once(this.#lock, 'end')).then(() => this.#restart());
  }

  async #restart(): Promise<void> {
    while (!this.#isEnding) {
      this.#onEvent('the embedded database stopped; restarting it');
      await sleep(RETRY_MS);
      if (this.#isEnding) return;
      try {
        await this.#lock?.end().catch(() => undefined);
        await this.begin(await this.#start());
        this.#onEvent('the embedded database is running again');
        return;
      } catch (error) {
        this.#onEvent(error instanceof Error ? error.message : String(error));
      }
    }
  }

  /** Stops monitoring, so that the server may stop. */
  end(): void {
    this.#isEnding = true;
  }

  async release(): Promise<void> {
    await this.#lock?.end().catch(() => undefined);
  }
}
