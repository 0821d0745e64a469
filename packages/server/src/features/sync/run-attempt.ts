import {
  type Completion,
  type Connector,
  type EntityDefinition,
  type Json,
  type ProviderClient,
  ProviderError,
  type ReadRequest,
  ScopeMoved,
  untilAborted,
} from '@datadeck/connectors';
import { limitOf, STALE_TAGS } from '@datadeck/contract';
import { AppError } from '../../platform/app-error.ts';
import type { Context } from '../../platform/context/index.ts';
import { isConnectionFailure, isStorageFull } from '../../platform/db/failures.ts';
import { findUser } from '../accounts/index.ts';
import {
  type ConnectorRegistry,
  clampWait,
  findConnection,
  type GrantRef,
  markReconnectNeeded,
  openClient,
  type Schedulers,
  saveNotBefore,
} from '../connections/index.ts';
import { publishInvalidation } from '../notifications/index.ts';
import { countListed, storedReader } from '../records/index.ts';
import { AttemptUsage } from './attempt-usage.ts';
import { type Claim, ClaimLost, claimRun, delayUnclaimed, releaseRun, storeShortWait } from './claim.ts';
import {
  commitCompletion,
  commitFailure,
  commitRestart,
  commitScopeFailure,
  ScopeNeedsFullRun,
  targetOf,
} from './commit.ts';
import { addClientUsage, type Counters, countersSchema, NOTHING_SKIPPED } from './counters.ts';
import { findCursor } from './cursors.ts';
import { commitMove } from './move-scope.ts';
import { PageBatches } from './page-batches.ts';
import { PageCommits } from './page-commits.ts';
import { publishSync } from './progress.ts';
import { convertToPublished } from './re-extract-job.ts';
import { resolveScopes } from './resolve-scopes.ts';
import { failureCodeOf, isFailureOfScope } from './run-failure.ts';
import { commitScopes, hasScopes } from './run-scopes.ts';
import { type SyncRow, settingsOf } from './to-response.ts';

const MAX_RESTARTS = 3;
/** Largest number of times that a run follows its scope to a new place. */
const MAX_MOVES = 3;
const PUBLISH_EVERY_MS = 200;

export interface RunnerParts {
  registry: ConnectorRegistry;
  schedulers: Schedulers;
  /** Aborted when the process shuts down: runs are released at their checkpoint. */
  shutdown: AbortSignal;
  /** Called with the end of a wait of at least 1 s while the run keeps its job, not when it is released to wait. */
  onWait?: (until: Date) => void;
}

/** Executes a sync in one worker, from its checkpoint until it ends, waits for its provider, or loses its claim. */
export class SyncRunner {
  readonly #context: Context;
  readonly #parts: RunnerParts;
  readonly #claim: Claim;
  readonly #abort = new AbortController();
  readonly #signal: AbortSignal;
  #publishedAt = 0;
  readonly #usage = new AttemptUsage();
  #grant: GrantRef | undefined;
  #connector: Connector | undefined;

  constructor(context: Context, parts: RunnerParts, claim: Claim) {
    this.#context = context;
    this.#parts = parts;
    this.#claim = claim;
    this.#signal = AbortSignal.any([this.#abort.signal, parts.shutdown]);
  }

  /**
   * Claims the run and executes it, if this worker still holds its job.
   * @returns true when the sync has ended, now or earlier; false when its job will be executed again
   */
  async perform(): Promise<boolean> {
    const run = await claimRun(this.#context, this.#claim);
    if (!run) return delayUnclaimed(this.#context, this.#claim);
    this.#context.metrics.runningSyncs.inc();
    try {
      return await this.#readAll(run);
    } catch (error) {
      if (error instanceof ClaimLost) return false;
      throw error;
    } finally {
      this.#context.metrics.runningSyncs.dec();
      const read = this.#connector?.entities.find(({ id }) => id === run.entity);
      if (read) await convertToPublished(this.#context, this.#parts.registry, read);
    }
  }

  /** Stops at once, because this worker lost the job or the sync was ended from outside. */
  stop(): void {
    this.#abort.abort(new ClaimLost());
  }

  /** Reads the scopes of the run, one after another. @returns as `perform` */
  async #readAll(claimed: SyncRow): Promise<boolean> {
    let next: SyncRow | boolean = claimed;
    if (hasScopes(claimed) && claimed.scopeCount === null)
      next = await this.#resolve(claimed).catch((error: unknown) => this.#end(claimed, error));
    while (typeof next === 'object') next = await this.#readWithRestarts(next);
    return next;
  }

  /** Finds the scopes of a run and stores them. */
  async #resolve(run: SyncRow): Promise<SyncRow> {
    const client = await this.#openClient(run);
    const entity = this.#entityOf(run);
    this.#usage.begin(client, countersSchema.parse(run.counters));
    const limit = await this.#scopeLimit(run, entity);
    const request = { client, signal: this.#signal, limit };
    const resolved = await untilAborted(resolveScopes(entity, run.givenScopes ?? [], request), this.#signal);
    const usage = this.#usage.take();
    return this.#context.db.transaction((tx) =>
      commitScopes(tx, this.#claim, run, { ...resolved, entity, usage }),
    );
  }

  /** Returns how many scopes the user's plan allows. */
  async #scopeLimit({ userId }: SyncRow, { limits }: EntityDefinition): Promise<number | null> {
    const user = await findUser(this.#context.db, userId);
    const { scopes = 1 } = limits[user?.plan ?? 'demo'];
    return scopes;
  }

  /** Reads a scope. @returns the run if it has another scope to read, else as `perform` */
  async #readWithRestarts(claimed: SyncRow): Promise<SyncRow | boolean> {
    let run = claimed;
    for (let moves = 0; ; ) {
      try {
        const next = await this.#read(run, (latest) => {
          run = latest;
        });
        return next ?? (await this.#finish(run));
      } catch (error) {
        if (error instanceof ScopeMoved && moves++ < MAX_MOVES) {
          const moved = { entity: this.#entityOf(run), settings: error.settings };
          const counters = this.#allCounters(run);
          run = await commitMove(this.#context, this.#claim, { ...run, counters }, moved);
          continue;
        }
        const restarts = countersSchema.parse(run.counters).restarts;
        const isRestart =
          error instanceof ScopeNeedsFullRun ||
          (error instanceof ProviderError && error.failure === 'cursor-expired');
        if (!isRestart || restarts >= MAX_RESTARTS)
          return isFailureOfScope(run, error)
            ? await this.#failScope(run, error)
            : await this.#end(run, error);
        // A restarted run re-reads all pages, so these counters are reset; updates are idempotent.
        const counters = { ...this.#allCounters(run), unchanged: 0, ...NOTHING_SKIPPED };
        run = await commitRestart(this.#context, this.#claim, { ...run, counters });
      }
    }
  }

  /** Announces the end of a run that has read its last scope. */
  async #finish(run: SyncRow): Promise<boolean> {
    this.#countEnd(run, 'finished');
    await this.#announceEnd();
    return true;
  }

  /** Fails a scope of a run over several. @returns the run if it has another scope to read, else as `perform` */
  async #failScope(run: SyncRow, error: ProviderError): Promise<SyncRow | boolean> {
    const next = await commitScopeFailure(this.#context, {
      claim: this.#claim,
      run,
      clientUsage: this.#usage.uncommitted(countersSchema.parse(run.counters)),
      errMessage: error.message,
      entity: this.#entityOf(run),
      isUnavailable: error.failure === 'unavailable',
    });
    if (next) this.#publish(next, false);
    return next ?? (await this.#finish(run));
  }

  /**
   * Reads a scope from the checkpoint to the end. Passes the last committed run to `onCommitted`, also after a failure.
   * @returns the run if it has another scope to read
   */
  async #read(run: SyncRow, onCommitted: (run: SyncRow) => void): Promise<SyncRow | undefined> {
    const client = await this.#openClient(run);
    const entity = this.#entityOf(run);
    const before = countersSchema.parse(run.counters);
    const alreadyListed = run.startCursor === null ? await countListed(this.#context.db, targetOf(run)) : 0;
    const limit = Math.max(0, limitOf(run.cap) - Math.max(0, alreadyListed - before.unreadable));
    const cursor = run.startCursor === null ? undefined : await findCursor(this.#context.db, run, run.scope);
    this.#usage.begin(client, before);
    const request: ReadRequest = {
      client,
      settings: settingsOf(run),
      checkpoint: run.checkpoint as Json,
      cursor: run.startCursor as Json,
      limit,
      signal: this.#signal,
      stored: storedReader(this.#context.db, targetOf(run)),
      mayHaveNewerStored: cursor !== undefined && cursor.records === null,
      ...(run.since === null ? {} : { since: run.since }),
      // What is only counted, such as deletions, is not worth a request for each of many scopes.
      ...(hasScopes(run) && { reportsMoves: true, isConditional: (run.scopeCount ?? 0) > 1 }),
    };
    const pages = entity.read(request);
    this.#publish(run, true);
    const batches = new PageBatches(pages, request, entity.table);
    try {
      return await this.#commitAll(run, batches, onCommitted);
    } finally {
      // Stops reading ahead. Not awaited, because that would delay a cancel.
      void pages.return({ cursor: null, truncated: false }).catch(() => undefined);
    }
  }

  /**
   * Commits all pages, then the completion. Commits the pages fetched before a failure, too.
   * @returns the run if it has another scope to read
   */
  async #commitAll(
    start: SyncRow,
    batches: PageBatches,
    onCommitted: (run: SyncRow) => void,
  ): Promise<SyncRow | undefined> {
    const commits = new PageCommits(this.#context, this.#claim, start);
    try {
      const completion = await this.#takePages(commits, batches);
      await untilAborted(commits.settle(), this.#abort.signal);
      return await commitCompletion(this.#context, this.#claim, commits.run, {
        ...completion,
        clientUsage: this.#usage.take(),
        entity: this.#entityOf(start),
      });
    } finally {
      // Fetched pages are committed even if reading failed; an error of the commit replaces the reading error.
      try {
        await untilAborted(commits.settle(), this.#abort.signal);
      } finally {
        onCommitted(commits.run);
      }
    }
  }

  /** Hands all pages over to be committed. @returns the completion of the listing */
  async #takePages(commits: PageCommits, batches: PageBatches): Promise<Completion> {
    for (;;) {
      // Stops waiting even if the connector ignores the abort signal, so that a stop is not delayed.
      const next = await untilAborted(batches.next(), this.#signal);
      if ('completion' in next) return next.completion;
      // After the claim is lost nothing can be committed, so there is no reason to wait.
      const page = {
        ...next.page,
        clientUsage: this.#usage.take(),
        entity: this.#entityOf(commits.run),
      };
      await untilAborted(commits.add(page), this.#abort.signal);
      this.#publish(commits.run, false);
      if (this.#signal.aborted) throw this.#signal.reason;
    }
  }

  /** @throws ProviderError `reauthorise` when the run's connection is gone */
  async #openClient(run: SyncRow): Promise<ProviderClient> {
    const connector = this.#connectorOf(run);
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

  /** Returns the run's committed counters plus the uncommitted client usage. */
  #allCounters(run: SyncRow): Counters {
    return addClientUsage(
      countersSchema.parse(run.counters),
      this.#usage.uncommitted(countersSchema.parse(run.counters)),
    );
  }

  /** Reports, stores and publishes a wait within the run; ignores waits under 1 s. */
  async #showWait(run: SyncRow, requested: Date): Promise<void> {
    const until = this.#clamp(requested);
    if (until.getTime() - Date.now() < 1000) return;
    this.#parts.onWait?.(until);
    await storeShortWait(this.#context, this.#claim, until).catch(() => undefined);
    this.#publish(run, false);
  }

  /** Publishes the progress to open pages, at most every 200 ms unless forced. Not awaited by the run. */
  #publish(run: SyncRow, force: boolean): void {
    const now = Date.now();
    if (!force && now - this.#publishedAt < PUBLISH_EVERY_MS) return;
    this.#publishedAt = now;
    void publishSync(this.#context, run.userId, run.id).catch(() => undefined);
  }

  /** Publishes the ended sync, and that the lists of its rows changed. */
  async #announceEnd(): Promise<void> {
    await publishSync(this.#context, this.#claim.userId, this.#claim.syncId);
    await publishInvalidation(this.#context, this.#claim.userId, STALE_TAGS.rows);
  }

  /**
   * Ends the run after an error: fails it (a rejected grant must be reconnected), or releases it to be resumed.
   * @returns true when the run failed; false when it was released
   * @throws the error itself when the claim is lost or the database is unreachable; the job is then retried
   */
  async #end(run: SyncRow, error: unknown): Promise<boolean> {
    if (error instanceof ClaimLost) throw error;
    if (this.#parts.shutdown.aborted) {
      await releaseRun(this.#context, this.#claim, this.#allCounters(run));
      return false;
    }
    if (error instanceof ProviderError && error.failure === 'rate-limited' && error.until) {
      await this.#pauseUntil(run, this.#clamp(error.until));
      return false;
    }
    // Without the database, the failure cannot be stored.
    if (isConnectionFailure(error)) throw error;
    if (error instanceof ProviderError && error.failure === 'reauthorise') {
      if (this.#grant) await markReconnectNeeded(this.#context.db, this.#grant);
      await publishInvalidation(this.#context, run.userId, ['Providers']);
    }
    await this.#fail(run, error);
    return true;
  }

  /** Stores the failure with a message for the user, and announces the end. */
  async #fail(run: SyncRow, error: unknown): Promise<void> {
    const errMessage = this.#messageFor(error);
    const { db, jobs } = this.#context;
    const entity = this.#parts.registry.findEntity(run.entity);
    const clientUsage = this.#usage.uncommitted(countersSchema.parse(run.counters));
    await db.transaction((tx) =>
      commitFailure(tx, jobs, { claim: this.#claim, run, clientUsage, errMessage, entity }),
    );
    this.#countEnd(run, failureCodeOf(error));
    await this.#announceEnd();
  }

  /** Returns the connector of the run: the same one until the attempt ends, even if a later version is published. */
  #connectorOf({ provider }: SyncRow): Connector {
    this.#connector ??= this.#parts.registry.connector(provider);
    return this.#connector;
  }

  #entityOf(run: SyncRow): EntityDefinition {
    const found = this.#connectorOf(run).entities.find(({ id }) => id === run.entity);
    return found ?? this.#parts.registry.entity(run.provider, run.entity);
  }

  #countEnd({ provider, entity }: SyncRow, outcome: string): void {
    this.#context.metrics.syncsEnded.inc({ provider, entity, outcome });
  }

  /** Limits a wait to one day from now. */
  #clamp(until: Date): Date {
    return clampWait(until, this.#parts.schedulers.clock.now());
  }

  /** Stores the wait for the whole connection, and releases the run until then. */
  async #pauseUntil(run: SyncRow, until: Date): Promise<void> {
    const { db, log } = this.#context;
    const connection = { userId: run.userId, id: run.connectionId };
    // Not fatal: without the stored wait, other requests of the connection are rejected by the provider itself.
    await saveNotBefore(db, connection, until, this.#parts.schedulers.clock.now()).catch((error: unknown) =>
      log.warn({ err: error, syncId: run.id }, 'could not store until when a connection must wait'),
    );
    await releaseRun(this.#context, this.#claim, this.#allCounters(run), until);
    await publishSync(this.#context, run.userId, run.id);
  }

  #messageFor(error: unknown): string {
    if (error instanceof ProviderError || error instanceof AppError) return error.message;
    if (isStorageFull(error))
      return 'The disk of the database is full. Free some space, then start the sync again. Stored records are kept.';
    this.#context.log.error({ err: error, syncId: this.#claim.syncId }, 'sync failed unexpectedly');
    return 'Something went wrong in Datadeck itself; the server log has the details. Stored records are kept. Start the sync again.';
  }
}
