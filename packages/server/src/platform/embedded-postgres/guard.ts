import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';

const RETRY_MS = 2000;

/** Keeps the embedded server alive and this process's claim to it. */
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

  /** @param server the started server; undefined when one was adopted, which is then watched by the claim's connection */
  async begin(server: ChildProcess | undefined): Promise<void> {
    const ended = server && once(server, 'exit');
    this.#lock = await this.#acquireLock();
    // Waited for since before the claim: a process of a server that was killed meanwhile may still have granted it.
    void (ended ?? once(this.#lock, 'end')).then(() => this.#restart());
  }

  async #restart(): Promise<void> {
    while (!this.#isEnding) {
      this.#onEvent('the embedded database ended and is started again');
      await sleep(RETRY_MS);
      if (this.#isEnding) return;
      try {
        await this.#lock?.end().catch(() => undefined);
        await this.begin(await this.#start());
        this.#onEvent('the embedded database answers again');
        return;
      } catch (error) {
        this.#onEvent(error instanceof Error ? error.message : String(error));
      }
    }
  }

  /** From now on the server may end. */
  end(): void {
    this.#isEnding = true;
  }

  async release(): Promise<void> {
    await this.#lock?.end().catch(() => undefined);
  }
}
