import { mayChange, type Schedule } from '@datadeck/contract';
import { AppError } from '../../platform/app-error.ts';
import type { Context } from '../../platform/context/index.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { JobAttempt } from '../../platform/jobs/jobs.ts';
import { findUser, type User } from '../accounts/index.ts';
import { type ConnectorRegistry, findConnection } from '../connections/index.ts';
import { addNotice, announceNotice, type Notice, publishInvalidation } from '../notifications/index.ts';
import {
  hasFinishedSince,
  SCHEDULED_FAILURE_QUEUE,
  scheduledFailureSchema,
  startSync,
} from '../sync/index.ts';
import { enqueueMissing, enqueueNext, SCHEDULE_QUEUE, scheduleKeySchema } from './queue.ts';
import {
  deleteSchedules,
  findSchedule,
  hasRunInstead,
  listNextTimes,
  lockScheduleOfSync,
  type ScheduleRow,
  settingsOf,
  updateSchedule,
} from './store.ts';
import { nextTimeOf } from './timetable.ts';

const CONCURRENCY = 2;

/** Thrown to roll a transaction back when the schedule was deleted since it was read. */
class ScheduleRemoved extends Error {}

/** Thrown to roll a start back when another schedule has started the same run at this time. */
class RunStarted extends Error {}

type Change = Parameters<typeof updateSchedule>[2];

/** Returns whether to notify the user of a failure: only the first one until a run of `hasFinishedSince` has succeeded. */
async function shouldNotify(db: Queryable, row: ScheduleRow): Promise<boolean> {
  if (row.failingSince === null) return true;
  const { failingSince: since, scopes } = row;
  return hasFinishedSince(db, row, { since, settings: settingsOf(row), hasScopes: scopes !== null });
}

function toNotice(
  registry: ConnectorRegistry,
  row: ScheduleRow,
  content: Pick<Notice, 'message' | 'advice' | 'syncId'>,
): Notice {
  const { title } = registry.entity(row.provider, row.entity);
  const { title: provider } = registry.connector(row.provider);
  return {
    userId: row.userId,
    title: `The ${row.every === 'cron' ? 'scheduled' : row.every} sync of ${provider} ${title.toLowerCase()} failed`,
    ...content,
    provider: row.provider,
    entity: row.entity,
    at: new Date(),
  };
}

/**
 * One due time of a schedule, handled by one attempt at its job. One transaction stores the outcome, completes the job
 * and enqueues the next one: only one of several workers succeeds, and a killed worker leaves the job to another.
 */
class ScheduledRun {
  readonly #context: Context;
  readonly #registry: ConnectorRegistry;
  readonly #job: JobAttempt;

  constructor(context: Context, registry: ConnectorRegistry, job: JobAttempt) {
    this.#context = context;
    this.#registry = registry;
    this.#job = job;
  }

  /** Does nothing if the schedule was deleted. @throws JobLost if another attempt has replaced this one */
  async perform(): Promise<void> {
    const { userId, scheduleId: id } = scheduleKeySchema.parse(this.#job.data);
    const row = await findSchedule(this.#context.db, { userId, id });
    if (!row) return;
    try {
      await this.#startOrSkip(row);
    } catch (error) {
      if (!(error instanceof ScheduleRemoved)) throw error;
    }
  }

  /** Starts the run, or skips this time. Deletes the user's schedules if the user no longer exists. */
  async #startOrSkip(row: ScheduleRow): Promise<void> {
    const { db } = this.#context;
    const user = await findUser(db, row.userId);
    if (!user) return deleteSchedules(db, row.userId);
    if (!mayChange(user.plan)) return this.#skip(row, 'plan-forbids');
    const connection = await findConnection(db, row.userId, row.connectionId);
    // Hidden by an earlier version, when another account was connected.
    if (!connection || connection.status === 'disconnected') return this.#skip(row, null);
    try {
      await this.#start(row, { user, account: connection.account });
    } catch (error) {
      await this.#handleRejection(row, error);
    }
  }

  /** Updates the schedule, completes the job and enqueues the next one. @throws ScheduleRemoved, JobLost */
  async #advance(tx: Queryable, row: ScheduleRow, change: Omit<Change, 'nextAt'>): Promise<void> {
    const nextAt = nextTimeOf(row, row.nextAt, new Date());
    // Locks the row before the job, in the same order as saving a schedule does.
    if (!(await updateSchedule(tx, row, { ...change, nextAt }))) throw new ScheduleRemoved();
    await this.#job.complete(tx);
    await enqueueNext(tx, this.#context.jobs, { ...row, nextAt });
  }

  /** Skips this time without a run. Sends the notice only if `shouldNotify`. A null reason unblocks the schedule. */
  async #skip(row: ScheduleRow, blockedReason: Schedule['blockedReason'], notice?: Notice): Promise<void> {
    const { db, jobs } = this.#context;
    const newNotice = notice && (await shouldNotify(db, row)) ? notice : undefined;
    await db.transaction(async (tx) => {
      await this.#advance(tx, row, { blockedReason, ...(newNotice && { failingSince: newNotice.at }) });
      if (newNotice) await addNotice(tx, jobs, newNotice);
    });
    await publishInvalidation(this.#context, row.userId, ['Schedules']);
    if (newNotice) await announceNotice(this.#context, row.userId);
  }

  /** Starts the run; its transaction also advances the schedule. @throws AppError if it cannot start */
  async #start(row: ScheduleRow, { user, account }: { user: User; account: string }): Promise<void> {
    await startSync(this.#context, this.#registry, {
      providerId: row.provider,
      entityLabel: row.entity,
      account,
      entitySettings: settingsOf(row),
      scopes: row.scopes,
      by: { userId: user.id, plan: user.plan },
      schedule: {
        now: new Date(),
        inTransaction: async (tx, { id: lastSync }) => {
          if (await hasRunInstead(tx, row)) throw new RunStarted();
          await this.#advance(tx, row, { blockedReason: null, lastSync, lastStartAt: new Date() });
        },
      },
    });
    await publishInvalidation(this.#context, row.userId, ['Schedules']);
  }

  /** Skips this time if the run cannot start, with a notice if the user must act. @throws errors other than AppError */
  async #handleRejection(row: ScheduleRow, error: unknown): Promise<void> {
    if (error instanceof RunStarted) return this.#skip(row, null);
    if (!(error instanceof AppError)) throw error;
    if (error.code === 'sync-running') return this.#skip(row, null);
    if (error.code === 'usage-exhausted') return this.#skip(row, 'month-used-up');
    const advice =
      error.code === 'reconnect-needed'
        ? 'Connect the provider again; the schedule then continues automatically.'
        : 'Open the synchronization, correct its settings, and save the schedule again.';
    const blockedReason = error.code === 'reconnect-needed' ? 'reconnect-needed' : null;
    const content = { message: error.message, advice, syncId: null };
    await this.#skip(row, blockedReason, toNotice(this.#registry, row, content));
  }
}

/** Notifies the user of a failed scheduled run, once until a run has succeeded. */
async function reportFailure(context: Context, registry: ConnectorRegistry, job: JobAttempt): Promise<void> {
  const failure = scheduledFailureSchema.parse(job.data);
  const isReported = await context.db.transaction(async (tx) => {
    const row = await lockScheduleOfSync(tx, failure);
    if (!row || !(await shouldNotify(tx, row))) return false;
    const advice =
      'The next run starts as scheduled. You will be notified of another failure only after a run has succeeded.';
    await updateSchedule(tx, row, { failingSince: new Date(failure.at) });
    await addNotice(tx, context.jobs, toNotice(registry, row, { ...failure, advice }));
    await job.complete(tx);
    return true;
  });
  if (isReported) await announceNotice(context, failure.userId);
}

/**
 * Starts scheduled runs in this process and reports their failures. Enqueues jobs for schedules stored by an older
 * version.
 */
export async function workOnSchedules(context: Context, registry: ConnectorRegistry): Promise<void> {
  const { db, jobs } = context;
  await enqueueMissing(jobs, await listNextTimes(db));
  const options = { concurrency: CONCURRENCY };
  await jobs.work(SCHEDULE_QUEUE.name, options, (job) => new ScheduledRun(context, registry, job).perform());
  await jobs.work(SCHEDULED_FAILURE_QUEUE.name, options, (job) => reportFailure(context, registry, job));
}
