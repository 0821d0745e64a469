import { isDeepStrictEqual } from 'node:util';
import type { Connector, EntityDefinition } from '@datadeck/connectors';
import {
  type CreateSchedule,
  limitOf,
  limitRemedy,
  type SaveSchedule,
  SCHEDULE_LIMITS,
  type Schedule,
  type ScheduleTimes,
  type UpdateSchedule,
} from '@datadeck/contract';
import { and, count, eq, ne, sql } from 'drizzle-orm';
import { AppError, notFound } from '../../platform/app-error.ts';
import type { Context } from '../../platform/context/index.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { isId, newId } from '../../platform/ids.ts';
import { lockAccount, type User } from '../accounts/index.ts';
import {
  type Connection,
  type ConnectorRegistry,
  findConnection,
  lockConnection,
} from '../connections/index.ts';
import { publishInvalidation } from '../notifications/index.ts';
import { chooseAccount, chooseUsableAccount, selectScopes } from '../sync/index.ts';
import { checkTimes } from './cron.ts';
import { replaceNext } from './queue.ts';
import {
  findSchedule,
  hasInterval,
  isOfSource,
  isSchedule,
  type ScheduledSource,
  type ScheduleRow,
  toSchedule,
} from './store.ts';
import { schedules } from './tables.ts';
import { firstCronTime, firstTime, runsPerMonth } from './timetable.ts';

type NewRow = typeof schedules.$inferInsert;

/** Serialises changes of a user's schedules, so that their limits are exact. @throws AppError sync-outdated */
async function lockSchedules(tx: Queryable, connection: Connection): Promise<void> {
  await lockAccount(tx, connection.userId);
  if (!(await lockConnection(tx, connection)))
    throw new AppError('sync-outdated', 'The data was deleted at the same time. Save the schedule again.');
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${connection.userId}, 7))`);
}

/** @throws AppError limit-reached */
async function requireRoom(tx: Queryable, userId: string): Promise<void> {
  const [stored] = await tx.select({ n: count() }).from(schedules).where(eq(schedules.userId, userId));
  if ((stored?.n ?? 0) >= SCHEDULE_LIMITS.perUser)
    throw new AppError('limit-reached', `You have ${SCHEDULE_LIMITS.perUser} schedules. Delete one first.`);
}

/** Runs a month of a schedule, and how many the plan allows for its entity. */
interface NeededRuns {
  needed: number;
  allowed: number | null;
  /** Title of the entity, in lower case. */
  title: string;
  user: User;
}

/** Requires that the plan allows the runs of a schedule beside those of the entity's others. @throws AppError validation-failed */
async function requireRuns(
  tx: Queryable,
  source: ScheduledSource & { id: string },
  { needed, allowed, title, user }: NeededRuns,
): Promise<void> {
  const rows = await tx
    .select()
    .from(schedules)
    .where(and(isOfSource(source), ne(schedules.id, source.id)));
  const others = rows.reduce((total, row) => total + runsPerMonth(row, new Date()), 0);
  if (allowed === null || needed + others <= limitOf(allowed)) return;
  const beside = others === 0 ? '' : `, and its other schedules need ${others}`;
  const message = `This schedule needs ${needed} ${needed === 1 ? 'run' : 'runs'} a month; your plan has ${allowed} for ${title}${beside}. Choose fewer times. ${limitRemedy(user)}.`;
  throw new AppError('validation-failed', message, { fields: { cron: message } });
}

/** Stores a schedule with its job. */
async function store(context: Context, tx: Queryable, row: NewRow): Promise<ScheduleRow> {
  const { userId: _userId, id: _id, ...values } = row;
  const [saved] = await tx
    .insert(schedules)
    .values(row)
    .onConflictDoUpdate({ target: [schedules.userId, schedules.id], set: values })
    .returning();
  if (!saved) throw new Error('the schedule was not stored');
  await replaceNext(tx, context.jobs, saved);
  return saved;
}

/** What the runs of a schedule read: the scope of its settings, or a list of scopes. */
interface Selection {
  settings: Record<string, string>;
  scopes: string[] | null;
}

/** Checks what the runs of a schedule read. @throws AppError validation-failed */
async function selectionOf(
  context: Context,
  entity: EntityDefinition,
  request: Pick<UpdateSchedule, 'entitySettings' | 'scopes'> & { source: ScheduledSource },
): Promise<Selection> {
  const { settings, givenScopes } = await selectScopes(context.db, entity, request);
  // An empty list means the scopes that the source has at the time of each run.
  const isOfSource = request.scopes?.length === 0;
  return { settings, scopes: isOfSource ? [] : givenScopes };
}

/** Returns when the user was notified of a failure; null with other settings, whose failures are reported again. */
function failingSince(known: ScheduleRow | undefined, { settings, scopes }: Selection): Date | null {
  const isSame = known && isDeepStrictEqual([known.settings, known.scopes], [settings, scopes]);
  return isSame ? known.failingSince : null;
}

interface SaveRequest extends SaveSchedule {
  userId: string;
  providerId: string;
  entityLabel: string;
}

async function turnOff(
  context: Context,
  connector: Connector,
  { userId, account, entity }: { userId: string; account: string | undefined; entity: string },
): Promise<Schedule> {
  const connection = await chooseAccount(context.db, connector, { userId, entity, account });
  if (connection)
    await context.db
      .delete(schedules)
      .where(and(isOfSource({ userId, connectionId: connection.id, entity }), hasInterval));
  await publishInvalidation(context, userId, ['Schedules']);
  return {
    _id: null,
    providerId: connector.key,
    entityLabel: entity,
    account: connection?.account ?? '',
    every: 'off',
    cron: null,
    timeZone: 'UTC',
    entitySettings: {},
    nextAt: null,
    nextTimes: [],
    runsPerMonth: 0,
    blockedReason: null,
  };
}

/**
 * Sets the interval at which an entity is synchronised; its cron lines stay. Validates the settings like those of a
 * manual start.
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
  if (every === 'off') return turnOff(context, connector, { userId, account, entity: entity.id });
  const connection = await chooseUsableAccount(context.db, connector, { userId, entity: entity.id, account });
  const source = { userId, connectionId: connection.id, entity: entity.id };
  const selection = await selectionOf(context, entity, { ...request, source });
  const saved = await context.db.transaction(async (tx) => {
    await lockSchedules(tx, connection);
    const [known] = await tx
      .select()
      .from(schedules)
      .where(and(isOfSource(source), hasInterval));
    const keepsTime = known?.every === every && known.blockedReason === null;
    return store(context, tx, {
      ...source,
      id: known?.id ?? newId(),
      provider: providerId,
      every,
      ...selection,
      nextAt: keepsTime ? known.nextAt : firstTime(every, new Date()),
      blockedReason: null,
      failingSince: failingSince(known, selection),
    });
  });
  await publishInvalidation(context, userId, ['Schedules']);
  return toSchedule(saved, connection.account);
}

/** A schedule by a cron line to store: a new one, or one that is known. */
interface CronRequest extends UpdateSchedule {
  user: User;
  providerId: string;
  entityLabel: string;
  account?: string | undefined;
  known?: ScheduleRow;
}

async function saveCron(
  context: Context,
  registry: ConnectorRegistry,
  { user, providerId, entityLabel, account, known, ...request }: CronRequest,
): Promise<Schedule> {
  const userId = user.id;
  const entity = registry.entity(providerId, entityLabel);
  const times: ScheduleTimes = checkTimes(request, new Date());
  const connector = registry.connector(providerId);
  const connection = await chooseUsableAccount(context.db, connector, { userId, entity: entity.id, account });
  const source = { userId, connectionId: connection.id, entity: entity.id };
  const selection = await selectionOf(context, entity, { ...request, source });
  const { monthlyRuns: allowed } = entity.limits[user.plan];
  const saved = await context.db.transaction(async (tx) => {
    await lockSchedules(tx, connection);
    if (known && !(await findSchedule(tx, known))) throw notFound('This schedule');
    if (!known) await requireRoom(tx, userId);
    const row = {
      userId,
      id: known?.id ?? newId(),
      connectionId: connection.id,
      entity: entity.id,
      provider: providerId,
      every: 'cron' as const,
      ...times,
      ...selection,
      nextAt: firstCronTime(times, new Date()),
      blockedReason: null,
      failingSince: failingSince(known, selection),
    };
    const needed = runsPerMonth(row, new Date());
    await requireRuns(tx, row, { needed, allowed, title: entity.title.toLowerCase(), user });
    return store(context, tx, row);
  });
  await publishInvalidation(context, userId, ['Schedules']);
  return toSchedule(saved, connection.account);
}

/**
 * Adds a schedule by a cron line to an entity.
 * @throws AppError validation-failed also when the plan has fewer runs, not-connected, reconnect-needed, limit-reached
 */
export function createSchedule(
  context: Context,
  registry: ConnectorRegistry,
  request: CreateSchedule & { user: User },
): Promise<Schedule> {
  return saveCron(context, registry, request);
}

/** Reads a schedule of the user's shown accounts, with the name of its account. @throws AppError not-found */
async function requireSchedule(
  context: Context,
  userId: string,
  id: string,
): Promise<{ row: ScheduleRow; account: string }> {
  const row = isId(id) ? await findSchedule(context.db, { userId, id }) : undefined;
  const connection = row && (await findConnection(context.db, userId, row.connectionId));
  if (!row || !connection?.isShown) throw notFound('This schedule');
  return { row, account: connection.account };
}

/**
 * Changes the times and settings of a schedule; one with an interval gets a cron line instead.
 * @throws AppError not-found, validation-failed also when the plan has fewer runs, reconnect-needed
 */
export async function changeSchedule(
  context: Context,
  registry: ConnectorRegistry,
  request: UpdateSchedule & { user: User; id: string },
): Promise<Schedule> {
  const { id, ...change } = request;
  const { row: known, account } = await requireSchedule(context, request.user.id, id);
  const { provider: providerId, entity: entityLabel } = known;
  return saveCron(context, registry, { ...change, providerId, entityLabel, account, known });
}

/** Deletes a schedule. @throws AppError not-found */
export async function deleteSchedule(context: Context, userId: string, id: string): Promise<void> {
  const {
    row: { connectionId },
  } = await requireSchedule(context, userId, id);
  await context.db
    .delete(schedules)
    .where(and(isSchedule({ userId, id }), eq(schedules.connectionId, connectionId)));
  await publishInvalidation(context, userId, ['Schedules']);
}
