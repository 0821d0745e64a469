import type { EntityDefinition } from '@datadeck/connectors';
import {
  type Plan,
  type Setting,
  type StartSync,
  type Sync,
  textOfSetting,
  validateSettings,
} from '@datadeck/contract';
import { and, eq, sql } from 'drizzle-orm';
import { AppError } from '../../platform/app-error.ts';
import type { Context } from '../../platform/context/index.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { newId } from '../../platform/ids.ts';
import { lockAccount } from '../accounts/index.ts';
import { type ConnectorRegistry, lockConnection } from '../connections/index.ts';
import type { RecordSource } from '../records/index.ts';
import { chooseUsableAccount } from './choose-account.ts';
import { cursorFor } from './cursors.ts';
import { findLastSync, toOneSync } from './list.ts';
import { lockStarts } from './lock-starts.ts';
import { publishSync } from './progress.ts';
import { announceWaitingSync, sendSyncJob } from './queue.ts';
import { checkScopes } from './resolve-scopes.ts';
import { findSource, storeSource } from './sources.ts';
import { isSyncStateOf } from './sync-state.ts';
import { syncNumbers, syncs } from './tables.ts';
import type { SyncRow } from './to-response.ts';
import { countRun } from './usage.ts';

/** The user who starts or plans a sync. */
export interface Requester {
  userId: string;
  plan: Plan;
}

function messageFor(setting: Setting, error: string): string {
  return error === 'Required' ? error : setting.errorText;
}

/**
 * Validates the settings of a request with the form's own rules and drops unknown settings. @throws AppError
 * validation-failed
 */
export function checkSettings(
  entity: EntityDefinition,
  given: StartSync['entitySettings'],
): Record<string, string> {
  if (entity.dependsOn.length > 0 && (given === null || given === undefined)) {
    throw new AppError('validation-failed', 'This entity cannot be synchronized without settings.', {
      fields: Object.fromEntries(entity.settings.map((setting) => [setting.propKey, 'Required'])),
    });
  }
  const values: Record<string, string> = {};
  for (const setting of entity.settings) values[setting.propKey] = textOfSetting(setting, given ?? {});
  const errors = validateSettings(entity.settings, values);
  const wrong = entity.settings.filter((setting) => errors[setting.propKey] !== undefined);
  if (wrong.length > 0) {
    const fields = wrong.map((setting) => [
      setting.propKey,
      messageFor(setting, errors[setting.propKey] ?? ''),
    ]);
    throw new AppError('validation-failed', 'The settings of the sync are not valid.', {
      fields: Object.fromEntries(fields),
    });
  }
  return values;
}

async function nextNumber(tx: Queryable, userId: string): Promise<number> {
  const [row] = await tx
    .insert(syncNumbers)
    .values({ userId, last: 1 })
    .onConflictDoUpdate({ target: syncNumbers.userId, set: { last: sql`${syncNumbers.last} + 1` } })
    .returning();
  return row?.last ?? 1;
}

async function checkIdle(
  tx: Queryable,
  source: RecordSource,
  prevSyncId: string | null | undefined,
): Promise<void> {
  const [running] = await tx
    .select({ id: syncs.id })
    .from(syncs)
    .where(and(isSyncStateOf(syncs, source), eq(syncs.status, 'started')));
  if (running)
    throw new AppError(
      'sync-running',
      'A sync of this entity is already running. Wait for it, or cancel it.',
    );
  if (prevSyncId === null || prevSyncId === undefined) return;
  const last = await findLastSync(tx, source);
  if ((last?.id ?? '') !== prevSyncId) {
    throw new AppError(
      'sync-outdated',
      'The data has been synchronized elsewhere since. Reload the page, then start the sync again.',
    );
  }
}

/** Options of a start by a schedule. */
export interface ScheduledStart {
  now: Date;
  /** Called in the transaction that stores the sync. If it throws, nothing is started or counted. */
  inTransaction(tx: Queryable, sync: { id: string; connectionId: string }): Promise<void>;
}

/**
 * Locks a source against concurrent starts and deletions until the transaction ends.
 * @throws AppError sync-outdated, sync-running
 */
async function lockForStart(
  tx: Queryable,
  source: RecordSource,
  prevSyncId: string | null | undefined,
): Promise<void> {
  const { userId, connectionId } = source;
  await lockAccount(tx, userId);
  // The connection's data was deleted after it was looked up.
  if (!(await lockConnection(tx, { userId, id: connectionId })))
    throw new AppError('sync-outdated', 'The data was deleted at the same time. Start the sync again.');
  await lockStarts(tx, source);
  await checkIdle(tx, source, prevSyncId);
}

/** The values of a new sync that the request determines. */
type NewSync = RecordSource &
  Pick<SyncRow, 'id' | 'provider' | 'scope' | 'cap' | 'isScheduled' | 'givenScopes' | 'since'> & {
    settings: Record<string, string>;
  };

/** Stores a sync as started, with its number, cursor and job. */
async function insertSync(context: Context, tx: Queryable, given: NewSync): Promise<SyncRow> {
  const values = {
    ...given,
    number: await nextNumber(tx, given.userId),
    status: 'started' as const,
    startCursor: given.givenScopes === null ? await cursorFor(tx, given, given) : null,
    counters: {},
    phase: 'queued',
    jobId: newId(),
  };
  const [row] = await tx.insert(syncs).values(values).returning();
  if (!row) throw new Error('a stored sync was not returned');
  await sendSyncJob(context, tx, values);
  return row;
}

/** What a sync reads: the scope of its settings, or a list of scopes. */
export interface SelectedScopes {
  settings: Record<string, string>;
  scope: string;
  /** Names and patterns; null for the scope of the settings. */
  givenScopes: string[] | null;
  since: string | null;
}

/**
 * Returns what a request to start or plan a sync means: its scopes, those of the source for an empty list, or the scope of its
 * settings.
 * @throws AppError validation-failed
 */
export async function selectScopes(
  db: Queryable,
  entity: EntityDefinition,
  request: Pick<StartSync, 'entitySettings' | 'scopes' | 'since'> & { source: RecordSource },
): Promise<SelectedScopes> {
  const { scopes, source } = request;
  if (scopes === null || scopes === undefined) {
    const settings = checkSettings(entity, request.entitySettings);
    return { settings, scope: entity.scopeOf(settings), givenScopes: null, since: request.since ?? null };
  }
  const stored = await findSource(db, source);
  const givenScopes = scopes.length > 0 ? checkScopes(entity, scopes) : (stored?.scopes ?? []);
  if (givenScopes.length === 0) {
    const message = `Choose ${entity.scopes?.many ?? 'what to synchronize'} first.`;
    throw new AppError('validation-failed', message, { fields: { scopes: message } });
  }
  return { settings: {}, scope: '', givenScopes, since: request.since ?? stored?.since ?? null };
}

/**
 * Starts a sync: validates the request, counts it towards the month, stores it with its job and notifies a worker.
 * @throws AppError validation-failed, not-connected, reconnect-needed, sync-running, sync-outdated, usage-exhausted
 */
export async function startSync(
  context: Context,
  registry: ConnectorRegistry,
  request: StartSync & { by: Requester; schedule?: ScheduledStart },
): Promise<Sync> {
  const { userId, plan } = request.by;
  const { schedule } = request;
  const connector = registry.connector(request.providerId);
  const entity = registry.entity(request.providerId, request.entityLabel);
  registry.requireOffered(connector.key);
  const connection = await chooseUsableAccount(context.db, connector, {
    userId,
    entity: entity.id,
    account: request.account,
  });
  const { cap } = entity.limits[plan];
  const id = newId();
  const source = { userId, connectionId: connection.id, entity: entity.id };
  const selection = await selectScopes(context.db, entity, { ...request, source });
  const started = await context.db.transaction(async (tx) => {
    await lockForStart(tx, source, request.prevSyncId);
    const given = { ...source, ...selection, id, provider: connector.key, cap };
    const row = await insertSync(context, tx, { ...given, isScheduled: schedule !== undefined });
    // A failed run is uncounted by the month of `created_at`, so it is counted by that too: clocks of server and
    // database may differ.
    await countRun(tx, { userId, entity, plan }, schedule?.now ?? row.createdAt);
    await schedule?.inTransaction(tx, { id, connectionId: connection.id });
    // A person who chose scopes wants to read them again.
    if (request.scopes?.length && !schedule && selection.givenScopes)
      await storeSource(tx, source, { scopes: selection.givenScopes, since: selection.since });
    return row;
  });
  const [sync] = await Promise.all([
    toOneSync(context.db, started),
    announceWaitingSync(context),
    publishSync(context, userId, id),
  ]);
  return sync;
}
