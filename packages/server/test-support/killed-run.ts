import { Schedulers } from '../src/features/connections/index.ts';
import { SyncRunner } from '../src/features/sync/run-attempt.ts';
import type { Context } from '../src/platform/context/index.ts';
import { fastClock } from './fast-clock.ts';
import { openMortalDatabase } from './mortal-database.ts';
import { takeJob } from './take-job.ts';
import type { TestServer } from './test-server.ts';

/** A started sync that no worker executes. */
interface StartedSync {
  userId: string;
  syncId: string;
}

/** Fails a promise after one minute, so that a hanging run fails its history. */
function inTime<T>(what: string, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`${what} hangs`)), 60_000);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** Executes a sync in this process, attempt by attempt, without a worker. */
export class KilledRun {
  readonly #server: TestServer;
  readonly #sync: StartedSync;
  readonly #schedulers = new Schedulers({ clock: fastClock() });

  constructor(server: TestServer, sync: StartedSync) {
    this.#server = server;
    this.#sync = sync;
  }

  // The last message of a killed process may arrive late, when another attempt is active.
  async #attempt(context: Context): Promise<void> {
    const { db } = this.#server.product.context;
    const { registry } = this.#server.product;
    const parts = { registry, schedulers: this.#schedulers, shutdown: new AbortController().signal };
    const claim = { ...this.#sync, ...(await takeJob(db, this.#sync.syncId)) };
    await new SyncRunner(context, parts, claim).perform();
  }

  /** Starts an attempt, and kills it at one of its first statements. @returns whether the sync still runs */
  async killAt(random: () => number, statements = 40): Promise<boolean> {
    const { context } = this.#server.product;
    const death = {
      afterStatements: 1 + Math.floor(random() * statements),
      isStatementSent: random() < 0.5,
    };
    const mortal = openMortalDatabase(context.db.$client.options, death);
    await inTime(
      'a killed run',
      this.#attempt({ ...context, db: mortal }).catch(() => undefined),
    );
    mortal.kill();
    return (await this.end()).status === 'started';
  }

  /** Executes the sync to its end. */
  async finish(): Promise<{ status: string; errMessage?: string }> {
    for (let attempt = 0; attempt < 5; attempt++) {
      await inTime('the last run', this.#attempt(this.#server.product.context));
      if ((await this.end()).status !== 'started') break;
    }
    return this.end();
  }

  /** Returns how the sync ended; `started` if it did not, `gone` if it was deleted. */
  async end(): Promise<{ status: string; errMessage?: string }> {
    const { rows } = await this.#server.product.context.db.$client.query<{
      status: string;
      error: string | null;
    }>(`select status, summary->>'errMessage' as error from syncs where user_id = $1 and id = $2`, [
      this.#sync.userId,
      this.#sync.syncId,
    ]);
    const { status = 'gone', error = null } = rows[0] ?? {};
    return { status, ...(error === null ? {} : { errMessage: error }) };
  }
}
