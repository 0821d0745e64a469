import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';

const RETRY_MS = 2000;

/** Resolves when the server ends. Unlike `events.once`, it does not reject when an `error` comes first. */
function untilExit(server: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (server.exitCode !== null || server.signalCode !== null) resolve();
    server.once('exit', () => resolve());
  });
}

/** Resolves when the connection ends, with or without an `error` before, as after a kill of the server. */
function untilEnd(connection: pg.Client): Promise<void> {
  return new Promise((resolve) => connection.once('end', () => resolve()));
}

/** Restarts the embedded server when it dies, and keeps this process's lock on the data folder. */
export class Guard {
  readonly #start: () => Promise<ChildProcess | undefined>;
  readonly #acquireLock: () => Promise<pg.Client>;
  readonly #onEvent: (event: string) => void;
  #lock: pg.Client | undefined;
  #isEnding = false;

  constructor(
    start: () => Promise<ChildProcess | undefined>,
    acquireLock: () => Promise<pg.Client>,
    onEvent: (event: string) => void,
  ) {
    this.#start = start;
    this.#acquireLock = acquireLock;
    this.#onEvent = onEvent;
  }

  /** @param server the started server; undefined for an adopted one, which is monitored by the lock's connection */
  async begin(server: ChildProcess | undefined): Promise<void> {
    const ended = server && untilExit(server);
    this.#lock = await this.#acquireLock();
    // Listen since before locking: a surviving process of a killed server may still have granted the lock.
    void (ended ?? untilEnd(this.#lock)).then(() => this.#restart());
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
