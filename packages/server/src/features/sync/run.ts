import {
  type Completion,
  type Json,
  type ProviderClient,
  ProviderError,
  type ReadRequest,
  untilAborted,
} from '@datadeck/connectors';
import { STALE_TAGS } from '@datadeck/contract';
import { AppError } from '../../platform/app-error.ts';
import type { Context } from '../../platform/context/index.ts';
import { isConnectionFailure, isStorageFull } from '../../platform/db/failures.ts';
import {
  type ConnectorRegistry,
  clampWait,
  findConnection,
  type KnownGrant,
  markReconnectNeeded,
  openClient,
  type Schedulers,
  saveNotBefore,
} from '../connections/index.ts';
import { publishInvalidation } from '../notifications/index.ts';
import { type Claim, ClaimLost, claimRun, giveBack, held, settleUnclaimed } from './claim.ts';
import { commitCompletion, commitFailure, commitRestart, ScopeNeedsFullRun, targetOf } from './commit.ts';
import { type Counters, countersSchema, type Spent, withSpent } from './counters.ts';
import { PageBatches } from './page-batches.ts';
import { PageCommits } from './page-commits.ts';
import { publishSync } from './progress.ts';
import { countSeen } from './storage/index.ts';
import { syncs } from './tables.ts';
import { type SyncRow, settingsOf } from './wire.ts';

const MAX_RESTARTS = 3;
const PUBLISH_EVERY_MS = 200;

export interface RunnerParts {
  registry: ConnectorRegistry;
  schedulers: Schedulers;
  /** Aborts when the process shuts down: runs are given back at their checkpoint. */
  shutdown: AbortSignal;
  /** Told until when the run waits for its provider. */
  onWait?: (until: Date) => void;
}

/** One run of one sync by one worker, from its checkpoint to its end, to a wait, or until the claim is lost. */
export class SyncRunner {
  readonly #context: Context;
  readonly #parts: RunnerParts;
  readonly #claim: Claim;
  readonly #abort = new AbortController();
  readonly #signal: AbortSignal;
  #published = 0;
  #settled: Spent = { requests: 0, units: 0, waitedMs: 0 };
  /** The client of the reading that is going on, or went on last, and what the run had spent before it. */
  #reading: { client: ProviderClient; before: Spent } | undefined;
  #grant: KnownGrant | undefined;

  constructor(context: Context, parts: RunnerParts, claim: Claim) {
    this.#context = context;
    this.#parts = parts;
    this.#claim = claim;
    this.#signal = AbortSignal.any([this.#abort.signal, parts.shutdown]);
  }

  /**
   * Runs the sync, if its job is still this worker's.
   * @returns whether the sync has ended, here or before; else its job is to be tried again
   */
  async perform(): Promise<boolean> {
    const run = await claimRun(this.#context, this.#claim);
    if (!run) return settleUnclaimed(this.#context, this.#claim);
    this.#context.metrics.runningSyncs.inc();
    try {
      return await this.#drive(run);
    } catch (error) {
      if (error instanceof ClaimLost) return false;
      throw error;
    } finally {
      this.#context.metrics.runningSyncs.dec();
    }
  }

  /** Stops at once: the job is no longer this worker's, or somebody ended the sync. */
  stop(): void {
    this.#abort.abort(new ClaimLost());
  }

  async #drive(claimed: SyncRow): Promise<boolean> {
    let run = claimed;
    for (;;) {
      try {
        await this.#read(run, (latest) => {
          run = latest;
        });
        await this.#announceEnd();
        return true;
      } catch (error) {
        const restarts = countersSchema.parse(run.counters).restarts;
        const isRestart =
          error instanceof ScopeNeedsFullRun ||
          (error instanceof ProviderError && error.failure === 'cursor-expired');
        if (!isRestart || restarts >= MAX_RESTARTS) return await this.#end(run, error);
        // A restarted run reads all pages again, so these counts begin again; updates are idempotent.
        const counters = { ...this.#countersOf(run), unchanged: 0, skipped: 0, unreadable: 0 };
        run = await commitRestart(this.#context, this.#claim, { ...run, counters });
      }
    }
  }

  async #read(run: SyncRow, track: (run: SyncRow) => void): Promise<void> {
    const client = await this.#client(run);
    const entity = this.#parts.registry.entity(run.provider, run.entity);
    const before = countersSchema.parse(run.counters);
    const brought = run.startCursor === null ? await countSeen(this.#context.db, targetOf(run)) : 0;
    const limit = Math.max(0, run.cap - Math.max(0, brought - before.unreadable));
    this.#settled = { requests: 0, units: 0, waitedMs: 0 };
    this.#reading = { client, before };
    const request: ReadRequest = {
      client,
      settings: settingsOf(run),
      checkpoint: run.checkpoint as Json,
      cursor: run.startCursor as Json,
      limit,
      signal: this.#signal,
    };
    const pages = entity.read(request);
    this.#publish(run, true);
    const batches = new PageBatches(pages, request, entity.table);
    try {
      await this.#commitAll(run, batches, { client, track });
    } finally {
      // Ends what is still being read ahead; waiting for it would hold up a cancel.
      void pages.return({ cursor: null, truncated: false }).catch(() => undefined);
    }
  }

  async #commitAll(
    start: SyncRow,
    batches: PageBatches,
    { client, track }: { client: ProviderClient; track: (run: SyncRow) => void },
  ): Promise<void> {
    const commits = new PageCommits(this.#context, this.#claim, start);
    try {
      const completion = await this.#takePages(commits, batches, client);
      await untilAborted(commits.settle(), this.#abort.signal);
      await commitCompletion(this.#context, this.#claim, commits.run, {
        ...completion,
        spent: this.#spent(client),
      });
    } finally {
      // What was read is committed, however the reading ended; a failure to commit it counts for more.
      try {
        await untilAborted(commits.settle(), this.#abort.signal);
      } finally {
        track(commits.run);
      }
    }
  }

  /** Hands over page after page until all are read. */
  async #takePages(commits: PageCommits, batches: PageBatches, client: ProviderClient): Promise<Completion> {
    for (;;) {
      // A connector that does not react to the abort would keep its place, and a stop would wait for it.
      const next = await untilAborted(batches.next(), this.#signal);
      if ('completion' in next) return next.completion;
      // Without its claim nothing can be committed any more: there is nothing to wait for.
      const page = {
        ...next.page,
        spent: this.#spent(client),
        entity: this.#parts.registry.entity(commits.run.provider, commits.run.entity),
      };
      await untilAborted(commits.add(page), this.#abort.signal);
      this.#publish(commits.run, false);
      if (this.#signal.aborted) throw this.#signal.reason;
    }
  }

  async #client(run: SyncRow): Promise<ProviderClient> {
    const connector = this.#parts.registry.connector(run.provider);
    const connection = await findConnection(this.#context.db, run.userId, run.connectionId);
    if (!connection)
      throw new ProviderError('reauthorise', `${connector.title} is not connected. Connect it again.`);
    this.#grant = connection;
    const access = { connector, connection, schedulers: this.#parts.schedulers };
    return openClient(this.#context, access, {
      signal: this.#signal,
      onWait: (until) => void this.#showWait(run, new Date(until)),
    });
  }

  /** What the client spent since the last commit. */
  #spent(client: ProviderClient): Spent {
    const spent = {
      requests: client.requests - this.#settled.requests,
      units: client.units - this.#settled.units,
      waitedMs: client.waitedMs - this.#settled.waitedMs,
    };
    this.#settled = { requests: client.requests, units: client.units, waitedMs: client.waitedMs };
    return spent;
  }

  /** What the last reading spent that no commit tells: pages that were read ahead, refused or lost. */
  #uncommitted(run: SyncRow): Spent {
    const { client, before } = this.#reading ?? {};
    const { requests, units, waitedMs } = countersSchema.parse(run.counters);
    if (!client || !before) return { requests: 0, units: 0, waitedMs: 0 };
    return {
      requests: before.requests + client.requests - requests,
      units: before.units + client.units - units,
      waitedMs: before.waitedMs + client.waitedMs - waitedMs,
    };
  }

  /** The run's totals with what no commit tells. */
  #countersOf(run: SyncRow): Counters {
    return withSpent(countersSchema.parse(run.counters), this.#uncommitted(run));
  }

  async #showWait(run: SyncRow, asked: Date): Promise<void> {
    const until = this.#clamped(asked);
    if (until.getTime() - Date.now() < 1000) return;
    this.#parts.onWait?.(until);
    await this.#context.db
      .update(syncs)
      .set({ waitingUntil: until })
      .where(held(this.#claim))
      .catch(() => undefined);
    this.#publish(run, false);
  }

  /** Tells open pages how far the run is, a few times a second; the run does not wait for it. */
  #publish(run: SyncRow, force: boolean): void {
    const now = Date.now();
    if (!force && now - this.#published < PUBLISH_EVERY_MS) return;
    this.#published = now;
    void publishSync(this.#context, run.userId, run.id).catch(() => undefined);
  }

  async #announceEnd(): Promise<void> {
    await publishSync(this.#context, this.#claim.userId, this.#claim.syncId);
    await publishInvalidation(this.#context, this.#claim.userId, STALE_TAGS.rows);
  }

  /** @returns whether the run has ended; else it is given back @throws what keeps it from both: it is resumed later */
  async #end(run: SyncRow, error: unknown): Promise<boolean> {
    if (error instanceof ClaimLost) throw error;
    if (this.#parts.shutdown.aborted) {
      await giveBack(this.#context, this.#claim, this.#countersOf(run));
      return false;
    }
    if (error instanceof ProviderError && error.failure === 'rate-limited' && error.until) {
      await this.#rest(run, this.#clamped(error.until));
      return false;
    }
    // Without the database nothing can be written.
    if (isConnectionFailure(error)) throw error;
    if (error instanceof ProviderError && error.failure === 'reauthorise') {
      if (this.#grant) await markReconnectNeeded(this.#context.db, this.#grant);
      await publishInvalidation(this.#context, run.userId, ['Providers']);
    }
    await this.#fail(run, error);
    return true;
  }

  async #fail(run: SyncRow, error: unknown): Promise<void> {
    const errMessage = this.#sentenceFor(error);
    const failure = { claim: this.#claim, spent: this.#uncommitted(run), errMessage };
    const { db, jobs } = this.#context;
    await db.transaction((tx) => commitFailure(tx, run, { ...failure, jobs }));
    await this.#announceEnd();
  }

  #clamped(until: Date): Date {
    return clampWait(until, this.#parts.schedulers.clock.now());
  }

  /** Gives the run back until its provider may be called again. */
  async #rest(run: SyncRow, until: Date): Promise<void> {
    const { db, log } = this.#context;
    const connection = { userId: run.userId, id: run.connectionId };
    // Only this run's wait counts: were the connection's lost, others would be told to wait by the provider itself.
    await saveNotBefore(db, connection, until, this.#parts.schedulers.clock.now()).catch((error: unknown) =>
      log.warn({ err: error, syncId: run.id }, 'the wait of a connection was not stored'),
    );
    await giveBack(this.#context, this.#claim, this.#countersOf(run), until);
    await publishSync(this.#context, run.userId, run.id);
  }

  #sentenceFor(error: unknown): string {
    if (error instanceof ProviderError || error instanceof AppError) return error.message;
    if (isStorageFull(error))
      return 'The disk of the database is full. Free some space, then start the sync again; what was stored is kept.';
    this.#context.log.error({ err: error, syncId: this.#claim.syncId }, 'sync failed unexpectedly');
    return 'Something went wrong in Datadeck itself; its log says more. What was stored is kept; start the sync again.';
  }
}
