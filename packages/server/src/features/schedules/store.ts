import type { Schedule } from '@datadeck/contract';
import { and, eq, gte, inArray, isNull, ne, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Context } from '../../platform/context/index.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { listShownConnections } from '../connections/index.ts';
import type { DueSchedule } from './queue.ts';
import { schedules } from './tables.ts';
import { runsPerMonth, timeAfterReset, timesFrom } from './timetable.ts';

export type ScheduleRow = typeof schedules.$inferSelect;
type ScheduleKey = Pick<ScheduleRow, 'userId' | 'id'>;
/** The entity of a connection that a schedule synchronises. */
export type ScheduledSource = Pick<ScheduleRow, 'userId' | 'connectionId' | 'entity'>;

const settingsSchema = z.record(z.string(), z.string());

/** Parses the stored settings of a schedule's runs. */
export function settingsOf(row: ScheduleRow): Record<string, string> {
  return settingsSchema.parse(row.settings);
}

/** Returns when the next run is expected. Runs of a used-up month are still tried each time, because the plan may change. */
function expectedAt(row: ScheduleRow): Date {
  return row.blockedReason === 'month-used-up' ? timeAfterReset(row, row.nextAt) : row.nextAt;
}

/** Builds a schedule for the wire. @param account the name of its account */
export function toSchedule(row: ScheduleRow, account: string): Schedule {
  const times = timesFrom(row, expectedAt(row)).map((time) => time.toISOString());
  return {
    _id: row.id,
    providerId: row.provider,
    entityLabel: row.entity,
    account,
    every: row.every,
    cron: row.cron,
    timeZone: row.timeZone,
    entitySettings: settingsOf(row),
    ...(row.scopes === null ? {} : { scopes: row.scopes }),
    nextAt: times[0] ?? null,
    nextTimes: times,
    runsPerMonth: runsPerMonth(row, new Date()),
    blockedReason: row.blockedReason,
  };
}

/** Returns the condition for one schedule. */
export function isSchedule({ userId, id }: ScheduleKey): SQL | undefined {
  return and(eq(schedules.userId, userId), eq(schedules.id, id));
}

/** Returns the condition for the schedules of an entity. */
export function isOfSource({ userId, connectionId, entity }: ScheduledSource): SQL | undefined {
  return and(
    eq(schedules.userId, userId),
    eq(schedules.connectionId, connectionId),
    eq(schedules.entity, entity),
  );
}

/** The condition for a schedule with an interval instead of a cron line. */
export const hasInterval = ne(schedules.every, 'cron');

/** Lists the schedules of the user's shown accounts: by entity, those with an interval first. */
export async function listSchedules(context: Context, userId: string): Promise<Schedule[]> {
  const names = new Map((await listShownConnections(context.db, userId)).map((one) => [one.id, one.account]));
  const ids = [...names.keys()];
  if (ids.length === 0) return [];
  const isCron = eq(schedules.every, 'cron');
  const rows = await context.db
    .select()
    .from(schedules)
    .where(and(eq(schedules.userId, userId), inArray(schedules.connectionId, ids)))
    .orderBy(schedules.provider, schedules.entity, isCron, schedules.cron, schedules.id);
  return rows.map((row) => toSchedule(row, names.get(row.connectionId) ?? ''));
}

/** Reads one schedule. */
export async function findSchedule(db: Queryable, key: ScheduleKey): Promise<ScheduleRow | undefined> {
  const [row] = await db.select().from(schedules).where(isSchedule(key));
  return row;
}

/**
 * Finds the schedule that started a sync and locks it until the transaction ends. A run that an older version started is
 * that of the entity's interval.
 */
export async function lockScheduleOfSync(
  tx: Queryable,
  { syncId, ...source }: ScheduledSource & { syncId: string },
): Promise<ScheduleRow | undefined> {
  const started = and(isOfSource(source), eq(schedules.lastSync, syncId));
  const [row] = await tx.select().from(schedules).where(started).for('update');
  if (row) return row;
  const older = and(isOfSource(source), hasInterval, isNull(schedules.lastSync));
  const [interval] = await tx.select().from(schedules).where(older).for('update');
  return interval;
}

/** Returns whether another schedule with the same settings has started a run at the due time of this one, or later. */
export async function hasRunInstead(tx: Queryable, row: ScheduleRow): Promise<boolean> {
  const found = await tx
    .select({ id: schedules.id })
    .from(schedules)
    .where(
      and(
        isOfSource(row),
        ne(schedules.id, row.id),
        eq(schedules.settings, row.settings),
        sql`${schedules.scopes} is not distinct from ${sql.param(row.scopes)}::text[]`,
        gte(schedules.lastStartAt, row.nextAt),
      ),
    )
    .limit(1);
  return found.length > 0;
}

/** Updates a schedule. @returns false when it was deleted */
export async function updateSchedule(
  tx: Queryable,
  key: ScheduleKey,
  change: Partial<
    Pick<ScheduleRow, 'nextAt' | 'blockedReason' | 'failingSince' | 'lastSync' | 'lastStartAt'>
  >,
): Promise<boolean> {
  const changed = await tx
    .update(schedules)
    .set(change)
    .where(isSchedule(key))
    .returning({ id: schedules.id });
  return changed.length > 0;
}

/** Lists the next times of all schedules of all users. */
export async function listNextTimes(db: Queryable): Promise<DueSchedule[]> {
  const { userId, id, nextAt } = schedules;
  return db.select({ userId, id, nextAt }).from(schedules);
}

/** Deletes the schedules of a connection, or of a user. Their jobs then do nothing. */
export async function deleteSchedules(tx: Queryable, userId: string, connectionId?: string): Promise<void> {
  const byConnection = connectionId === undefined ? undefined : eq(schedules.connectionId, connectionId);
  await tx.delete(schedules).where(and(eq(schedules.userId, userId), byConnection));
}
