import { mayChange, type Schedule } from '@datadeck/contract';
import { AppError } from '../../platform/app-error.ts';
import type { Context } from '../../platform/context/index.ts';
import type { Queryable } from '../../platform/db/pool.ts';
import type { JobAttempt } from '../../platform/jobs/jobs.ts';
import { findUser, type User } from '../accounts/index.ts';
import { type ConnectorRegistry, findCurrentConnection } from '../connections/index.ts';
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
  listAllDue,
  lockSchedule,
  type ScheduleRow,
  settingsOf,
  updateSchedule,
} from './store.ts';
import { timeAfter } from './timetable.ts';

const CONCURRENCY = 2;

/** Thrown in a transaction to roll it back: the schedule was removed since it was read. */
class ScheduleRemoved extends Error {}

type Change = Parameters<typeof updateSchedule>[2];

/** Whether a failure is reported: only one until a run has succeeded. */
async function isNews(db: Queryable, row: ScheduleRow): Promise<boolean> {
  return row.failingSince === null || (await hasFinishedSince(db, row, row.failingSince));
}

function noticeOf(
  registry: ConnectorRegistry,
  row: ScheduleRow,
  content: Pick<Notice, 'message' | 'advice' | 'syncId'>,
): Notice {
  const { title } = registry.entity(row.provider, row.entity);
  const { title: provider } = registry.connector(row.provider);
  return {
    userId: row.userId,
    title: `The ${row.every} sync of ${provider} ${title.toLowerCase()} failed`,
    ...content,
    provider: row.provider,
    entity: row.entity,
    at: new Date(),
  };
}

/**
 * One time of a schedule, by one attempt at its job. Its outcome is one transaction, which completes the job and
 * enqueues the next one: of several workers one succeeds, and a killed worker leaves the job to another.
 */
class ScheduledTime {
  readonly #context: Context;
  readonly #registry: ConnectorRegistry;
  readonly #job: JobAttempt;

  constructor(context: Context, registry: ConnectorRegistry, job: JobAttempt) {
    this.#context = context;
    this.#registry = registry;
    this.#job = job;
  }

  async perform(): Promise<void> {
    const row = await findSchedule(this.#context.db, scheduleKeySchema.parse(this.#job.data));
    if (!row) return;
    try {
      await this.#begin(row);
    } catch (error) {
      if (!(error instanceof ScheduleRemoved)) throw error;
    }
  }

  /** Starts the run, or lets the time pass. */
  async #begin(row: ScheduleRow): Promise<void> {
    const { db } = this.#context;
    const user = await findUser(db, row.userId);
    if (!user) return deleteSchedules(db, row.userId);
    if (!mayChange(user.plan)) return this.#pass(row, 'plan-forbids');
    const connection = await findCurrentConnection(db, row.userId, row.provider);
    // Another account of the provider is connected at the moment.
    if (connection?.id !== row.connectionId) return this.#pass(row, null);
    try {
      await this.#start(row, user);
    } catch (error) {
      await this.#refused(row, error);
    }
  }

  /** Changes the schedule, completes the job and enqueues the next one. @throws ScheduleRemoved, JobLost */
  async #advance(tx: Queryable, row: ScheduleRow, change: Omit<Change, 'nextAt'>): Promise<void> {
    const nextAt = timeAfter(row.every, row.nextAt, new Date());
    // The row is locked before the job, as when a schedule is saved.
    if (!(await updateSchedule(tx, row, { ...change, nextAt }))) throw new ScheduleRemoved();
    await this.#job.complete(tx);
    await enqueueNext(tx, this.#context.jobs, { ...row, nextAt });
  }

  /** Lets the time pass without a run. */
  async #pass(row: ScheduleRow, hindrance: Schedule['hindrance'], notice?: Notice): Promise<void> {
    const { db, jobs } = this.#context;
    const news = notice && (await isNews(db, row)) ? notice : undefined;
    await db.transaction(async (tx) => {
      await this.#advance(tx, row, { hindrance, ...(news && { failingSince: news.at }) });
      if (news) await addNotice(tx, jobs, news);
    });
    await publishInvalidation(this.#context, row.userId, ['Schedules']);
    if (news) await announceNotice(this.#context, row.userId);
  }

  async #start(row: ScheduleRow, user: User): Promise<void> {
    await startSync(this.#context, this.#registry, {
      providerId: row.provider,
      entityLabel: row.entity,
      entitySettings: settingsOf(row),
      by: { userId: user.id, plan: user.plan },
      schedule: { now: new Date(), inTransaction: (tx) => this.#advance(tx, row, { hindrance: null }) },
    });
    await publishInvalidation(this.#context, row.userId, ['Schedules']);
  }

  async #refused(row: ScheduleRow, error: unknown): Promise<void> {
    if (!(error instanceof AppError)) throw error;
    if (error.code === 'sync-running') return this.#pass(row, null);
    if (error.code === 'usage-exhausted') return this.#pass(row, 'month-used-up');
    const advice =
      error.code === 'reconnect-needed'
        ? 'Connect the provider again; the schedule then goes on by itself.'
        : 'Open the synchronization, correct its settings, and save the schedule again.';
    const hindrance = error.code === 'reconnect-needed' ? 'reconnect-needed' : null;
    const content = { message: error.message, advice, syncId: null };
    await this.#pass(row, hindrance, noticeOf(this.#registry, row, content));
  }
}

/** Notifies the user that a scheduled run failed, once until a run has succeeded. */
async function reportFailure(context: Context, registry: ConnectorRegistry, job: JobAttempt): Promise<void> {
  const failure = scheduledFailureSchema.parse(job.data);
  const isReported = await context.db.transaction(async (tx) => {
    const row = await lockSchedule(tx, failure);
    if (!row || !(await isNews(tx, row))) return false;
    const advice =
      'The next run takes place at its time. You will hear of further failures once a run has succeeded in between.';
    await updateSchedule(tx, row, { failingSince: new Date(failure.at) });
    await addNotice(tx, context.jobs, noticeOf(registry, row, { ...failure, advice }));
    await job.complete(tx);
    return true;
  });
  if (isReported) await announceNotice(context, failure.userId);
}

/** Starts the runs of schedules in this process and reports those that fail. Schedules of an older version get their jobs. */
export async function workOnSchedules(context: Context, registry: ConnectorRegistry): Promise<void> {
  const { db, jobs } = context;
  await enqueueMissing(jobs, await listAllDue(db));
  const options = { concurrency: CONCURRENCY };
  await jobs.work(SCHEDULE_QUEUE.name, options, (job) => new ScheduledTime(context, registry, job).perform());
  await jobs.work(SCHEDULED_FAILURE_QUEUE.name, options, (job) => reportFailure(context, registry, job));
}
