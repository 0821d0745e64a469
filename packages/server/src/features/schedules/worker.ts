import { type Clock, systemClock } from '@datadeck/connectors';
import { mayChange, type Schedule } from '@datadeck/contract';
import { and, eq, isNotNull, isNull, type SQL } from 'drizzle-orm';
import { AppError } from '../../platform/app-error.ts';
import { Backoff } from '../../platform/backoff.ts';
import type { Context } from '../../platform/context/index.ts';
import { findUser, type User } from '../accounts/index.ts';
import { type ConnectorRegistry, findCurrentConnection } from '../connections/index.ts';
import { addNotice, announceNotice, type Notice, publishInvalidation } from '../notifications/index.ts';
import { type Ending, hasFinishedSince, readEndings, startSync } from '../sync/index.ts';
import { deleteSchedules, isSchedule, listDue, type ScheduleRow, settingsOf } from './store.ts';
import { schedules } from './tables.ts';
import { timeAfter } from './timetable.ts';

const SWEEP_MS = 3000;

/** Another worker has dealt with this time of the schedule. */
class TakenElsewhere extends Error {}

type Change = Partial<Pick<ScheduleRow, 'nextAt' | 'hindrance' | 'runningSync' | 'failingSince'>>;

/**
 * Starts the runs of schedules and looks at how they end. Every step is one conditional update, together with what
 * belongs to it in one transaction: of several workers one takes it, and a killed worker leaves it to the next.
 */
export class ScheduleWorker {
  readonly #context: Context;
  readonly #registry: ConnectorRegistry;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #failures = new Backoff();
  #timer: NodeJS.Timeout | undefined;
  #sweeping: Promise<void> | undefined;

  constructor(context: Context, registry: ConnectorRegistry, clock: Pick<Clock, 'now'> = systemClock) {
    this.#context = context;
    this.#registry = registry;
    this.#clock = clock;
  }

  start(): void {
    this.#timer = setInterval(() => {
      if (this.#failures.waitMs(Date.now()) > 0) return;
      this.#sweeping ??= this.sweep()
        .then(() => this.#noteSuccess())
        .catch((error: unknown) => this.#noteFailure(error))
        .finally(() => {
          this.#sweeping = undefined;
        });
    }, SWEEP_MS);
  }

  #noteSuccess(): void {
    if (this.#failures.succeeded()) this.#context.log.info('schedules are looked at again');
  }

  #noteFailure(error: unknown): void {
    if (this.#failures.failed(Date.now()))
      this.#context.log.warn({ err: error }, 'schedules cannot be looked at; it is tried again');
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#sweeping;
  }

  /** Looks at the ends of the runs that schedules started, then starts what is due. */
  async sweep(): Promise<void> {
    const running = await this.#context.db
      .select()
      .from(schedules)
      .where(isNotNull(schedules.runningSync))
      .limit(500);
    const endings = await readEndings(
      this.#context.db,
      running.map(({ userId, runningSync }) => ({ userId, syncId: runningSync ?? '' })),
    );
    for (const row of running)
      await this.#guarded(row, () => this.#conclude(row, endings.get(row.runningSync ?? '')));
    for (const row of await listDue(this.#context.db, this.#now()))
      await this.#guarded(row, () => this.#begin(row));
  }

  #now(): Date {
    return new Date(this.#clock.now());
  }

  /** One schedule that fails in an unforeseen way does not hold up the others; it is tried again. */
  async #guarded(row: ScheduleRow, step: () => Promise<void>): Promise<void> {
    try {
      await step();
    } catch (error) {
      this.#context.log.error({ err: error, entity: row.entity }, 'a schedule could not be looked after');
    }
  }

  /** Changes a schedule if it is still as it was read, and notifies along with it. @returns false: taken elsewhere */
  async #change(row: ScheduleRow, condition: SQL, change: Change, notice?: Notice): Promise<boolean> {
    const isChanged = await this.#context.db.transaction(async (tx) => {
      const changed = await tx
        .update(schedules)
        .set(change)
        .where(and(isSchedule(row), condition))
        .returning({ entity: schedules.entity });
      if (changed.length === 0) return false;
      if (notice) await addNotice(tx, this.#context.jobs, notice);
      return true;
    });
    if (!isChanged) return false;
    await publishInvalidation(this.#context, row.userId, ['Schedules']);
    if (notice) await announceNotice(this.#context, row.userId);
    return true;
  }

  /** The user hears of a failure once, until a run has succeeded. */
  async #isNews(row: ScheduleRow): Promise<boolean> {
    if (row.failingSince === null) return true;
    return hasFinishedSince(this.#context.db, row, row.failingSince);
  }

  #notice(row: ScheduleRow, message: string, advice: string): Notice {
    const { title } = this.#registry.entity(row.provider, row.entity);
    const { title: provider } = this.#registry.connector(row.provider);
    return {
      userId: row.userId,
      title: `The ${row.every} sync of ${provider} ${title.toLowerCase()} failed`,
      message,
      advice,
      provider: row.provider,
      entity: row.entity,
      syncId: row.runningSync,
      at: this.#now(),
    };
  }

  /** The end of a run that the schedule started. */
  async #conclude(row: ScheduleRow, ending: Ending | undefined): Promise<void> {
    if (ending?.status === 'started' || row.runningSync === null) return;
    const condition = eq(schedules.runningSync, row.runningSync);
    if (ending?.status === 'finished') {
      await this.#change(row, condition, { runningSync: null, failingSince: null });
      return;
    }
    const isFailure = ending !== undefined && !ending.isCancelled;
    if (!isFailure || !(await this.#isNews(row))) {
      await this.#change(row, condition, { runningSync: null });
      return;
    }
    const advice =
      'The next run takes place at its time. You will hear of further failures once a run has succeeded in between.';
    const failing = { runningSync: null, failingSince: new Date() };
    await this.#change(row, condition, failing, this.#notice(row, ending.message, advice));
  }

  /** A time that passes without a run. */
  async #pass(row: ScheduleRow, hindrance: Schedule['hindrance'], notice?: Notice): Promise<void> {
    const nextAt = timeAfter(row.every, row.nextAt, this.#now());
    const isNews = notice !== undefined && (await this.#isNews(row));
    const change = { nextAt, hindrance, ...(isNews ? { failingSince: new Date() } : {}) };
    await this.#change(row, eq(schedules.nextAt, row.nextAt), change, isNews ? notice : undefined);
  }

  /** Starts the run of a schedule that is due, or lets its time pass. */
  async #begin(row: ScheduleRow): Promise<void> {
    const { db } = this.#context;
    // Its last run still goes on: the time passes. It has just ended: the next sweep looks at that first.
    if (row.runningSync !== null) {
      const runs = await readEndings(db, [{ userId: row.userId, syncId: row.runningSync }]);
      if (runs.get(row.runningSync)?.status === 'started') await this.#pass(row, null);
      return;
    }
    const user = await findUser(db, row.userId);
    if (!user) return deleteSchedules(db, row.userId);
    if (!mayChange(user.plan)) return this.#pass(row, 'plan-forbids');
    const connection = await findCurrentConnection(db, row.userId, row.provider);
    // Another account of the provider is connected at the moment.
    if (connection?.id !== row.connectionId) return this.#pass(row, null);
    try {
      await this.#start(row, user);
    } catch (error) {
      if (!(error instanceof TakenElsewhere)) await this.#refused(row, error);
    }
  }

  async #start(row: ScheduleRow, user: User): Promise<void> {
    const now = this.#now();
    await startSync(this.#context, this.#registry, {
      providerId: row.provider,
      entityLabel: row.entity,
      entitySettings: settingsOf(row),
      by: { userId: user.id, plan: user.plan },
      schedule: {
        now,
        // Together with the sync: the time is used up exactly when the run is stored.
        alongside: async (tx, { id, connectionId }) => {
          const taken = await tx
            .update(schedules)
            .set({ nextAt: timeAfter(row.every, row.nextAt, now), hindrance: null, runningSync: id })
            .where(
              and(
                isSchedule({ ...row, connectionId }),
                eq(schedules.nextAt, row.nextAt),
                isNull(schedules.runningSync),
              ),
            )
            .returning({ entity: schedules.entity });
          if (taken.length === 0) throw new TakenElsewhere();
        },
      },
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
    await this.#pass(row, hindrance, this.#notice(row, error.message, advice));
  }
}
