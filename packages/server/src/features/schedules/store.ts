import type { SaveSchedule, Schedule } from '@datadeck/contract';
import { and, eq, inArray, type SQL } from 'drizzle-orm';
import { z } from 'zod';
import { AppError } from '../../platform/app-error.ts';
import type { Context } from '../../platform/context/index.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { lockAccount } from '../accounts/index.ts';
import { type ConnectorRegistry, listShownConnections, lockConnection } from '../connections/index.ts';
import { publishInvalidation } from '../notifications/index.ts';
import { checkSettings, chooseAccount, chooseUsableAccount } from '../sync/index.ts';
import { replaceNext, type ScheduleKey } from './queue.ts';
import { schedules } from './tables.ts';
import { firstTime, timeNextMonth } from './timetable.ts';

export type ScheduleRow = typeof schedules.$inferSelect;

const settingsSchema = z.record(z.string(), z.string());

/** Parses the stored settings of a schedule's runs. */
export function settingsOf(row: ScheduleRow): Record<string, string> {
  return settingsSchema.parse(row.settings);
}

/** Returns when the next run is expected. Runs of a used-up month are still tried each time, because the plan may change. */
function expectedAt({ every, nextAt, blockedReason }: ScheduleRow): Date {
  return blockedReason === 'month-used-up' ? timeNextMonth(every, nextAt) : nextAt;
}

function toSchedule(row: ScheduleRow, account: string): Schedule {
  return {
    providerId: row.provider,
    entityLabel: row.entity,
    account,
    every: row.every,
    entitySettings: settingsOf(row),
    nextAt: expectedAt(row).toISOString(),
    blockedReason: row.blockedReason,
  };
}

/** Returns the condition for one schedule. */
function isSchedule(key: ScheduleKey): SQL | undefined {
  return and(
    eq(schedules.userId, key.userId),
    eq(schedules.connectionId, key.connectionId),
    eq(schedules.entity, key.entity),
  );
}

/** Lists the schedules of the user's shown accounts. */
export async function listSchedules(context: Context, userId: string): Promise<Schedule[]> {
  const names = new Map((await listShownConnections(context.db, userId)).map((one) => [one.id, one.account]));
  const ids = [...names.keys()];
  if (ids.length === 0) return [];
  const rows = await context.db
    .select()
    .from(schedules)
    .where(and(eq(schedules.userId, userId), inArray(schedules.connectionId, ids)))
    .orderBy(schedules.provider, schedules.entity, schedules.nextAt);
  return rows.map((row) => toSchedule(row, names.get(row.connectionId) ?? ''));
}

interface SaveRequest extends SaveSchedule {
  userId: string;
  providerId: string;
  entityLabel: string;
}

/**
 * Sets how often an entity is synchronised. Validates the settings like those of a manual start.
 * @throws AppError validation-failed, not-connected, reconnect-needed, demo-forbids
 */
export async function saveSchedule(
  context: Context,
  registry: ConnectorRegistry,
  request: SaveRequest,
): Promise<Schedule> {
  const { userId, providerId, account, every } = request;
  const connector = registry.connector(providerId);
  const entity = registry.entity(providerId, request.entityLabel);
  if (every === 'off') {
    const connection = await chooseAccount(context.db, connector, { userId, entity: entity.id, account });
    if (connection)
      await context.db
        .delete(schedules)
        .where(isSchedule({ userId, connectionId: connection.id, entity: entity.id }));
    await publishInvalidation(context, userId, ['Schedules']);
    return {
      providerId,
      entityLabel: entity.id,
      account: connection?.account ?? '',
      every,
      entitySettings: {},
      nextAt: null,
      blockedReason: null,
    };
  }
  const settings = checkSettings(entity, request.entitySettings);
  const connection = await chooseUsableAccount(context.db, connector, { userId, entity: entity.id, account });
  const key = { userId, connectionId: connection.id, entity: entity.id };
  const [known] = await context.db.select().from(schedules).where(isSchedule(key));
  const keepsTime = known?.every === every && known.blockedReason === null;
  const nextAt = keepsTime ? known.nextAt : firstTime(every, new Date());
  const values = { every, settings, nextAt, blockedReason: null };
  const saved = await context.db.transaction(async (tx) => {
    await lockAccount(tx, userId);
    if (!(await lockConnection(tx, connection)))
      throw new AppError('sync-outdated', 'The data was deleted at the same time. Save the schedule again.');
    const [row] = await tx
      .insert(schedules)
      .values({ ...key, provider: providerId, ...values })
      .onConflictDoUpdate({
        target: [schedules.userId, schedules.connectionId, schedules.entity],
        set: values,
      })
      .returning();
    await replaceNext(tx, context.jobs, row as ScheduleRow);
    return row;
  });
  await publishInvalidation(context, userId, ['Schedules']);
  return toSchedule(saved as ScheduleRow, connection.account);
}

/** Reads one schedule. */
export async function findSchedule(db: Queryable, key: ScheduleKey): Promise<ScheduleRow | undefined> {
  const [row] = await db.select().from(schedules).where(isSchedule(key));
  return row;
}

/** Reads one schedule and locks it until the transaction ends. */
export async function lockSchedule(tx: Queryable, key: ScheduleKey): Promise<ScheduleRow | undefined> {
  const [row] = await tx.select().from(schedules).where(isSchedule(key)).for('update');
  return row;
}

/** Updates a schedule. @returns false when it was deleted */
export async function updateSchedule(
  tx: Queryable,
  key: ScheduleKey,
  change: Partial<Pick<ScheduleRow, 'nextAt' | 'blockedReason' | 'failingSince'>>,
): Promise<boolean> {
  const changed = await tx
    .update(schedules)
    .set(change)
    .where(isSchedule(key))
    .returning({ entity: schedules.entity });
  return changed.length > 0;
}

/** Lists the next times of all schedules of all users. */
export async function listNextTimes(db: Queryable): Promise<(ScheduleKey & Pick<ScheduleRow, 'nextAt'>)[]> {
  const { userId, connectionId, entity, nextAt } = schedules;
  return db.select({ userId, connectionId, entity, nextAt }).from(schedules);
}

/** Deletes the schedules of a connection, or of a user. Their jobs then do nothing. */
export async function deleteSchedules(tx: Queryable, userId: string, connectionId?: string): Promise<void> {
  const byConnection = connectionId === undefined ? undefined : eq(schedules.connectionId, connectionId);
  await tx.delete(schedules).where(and(eq(schedules.userId, userId), byConnection));
}
