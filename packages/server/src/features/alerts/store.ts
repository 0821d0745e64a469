import {
  ALERT_LIMITS,
  type Alert,
  type Alerts,
  type CreateAlert,
  type SavedAlert,
  type UpdateAlert,
} from '@datadeck/contract';
import { and, asc, count, eq, inArray } from 'drizzle-orm';
import { AppError, notFound } from '../../platform/app-error.ts';
import type { Context } from '../../platform/context/index.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { newId } from '../../platform/ids.ts';
import { lockAccount } from '../accounts/index.ts';
import { mailAddressOf, publishInvalidation, requireMail } from '../notifications/index.ts';
import { checkViewValues, lockView, viewTitles } from '../views/index.ts';
import { type Addresses, type AlertRow, changeAddresses, openAddresses, sealAddresses } from './channels.ts';
import { readLastDeliveries } from './deliveries.ts';
import { replaceCheck } from './queue.ts';
import { checkRowText } from './row-texts.ts';
import { alertDeliveries, alertSnapshots, alerts } from './tables.ts';

interface WireParts {
  viewTitle: string;
  addresses: Addresses;
  lastDelivery: Alert['lastDelivery'] | undefined;
}

function toAlert(row: AlertRow, { viewTitle, addresses, lastDelivery = null }: WireParts): Alert {
  const { snoozedUntil } = row;
  return {
    _id: row.id,
    createdAt: row.createdAt.toISOString(),
    viewId: row.viewId,
    viewTitle,
    providerId: row.provider,
    entityLabel: row.entity,
    parameters: row.parameters,
    keyField: row.keyField,
    kinds: row.kinds,
    condition: row.condition,
    digest: row.digest,
    digestHour: row.digestHour,
    rowText: row.rowText,
    bell: row.bell,
    email: row.email,
    webhookUrl: addresses.webhookUrl,
    webhookFormat: row.webhookFormat,
    ntfyUrl: addresses.ntfyUrl,
    hasNtfyToken: addresses.ntfyToken !== '',
    comparedAt: row.comparedAt?.toISOString() ?? null,
    rowCount: row.rowCount,
    problem: row.problem,
    isPaused: row.isPaused,
    snoozedUntil: snoozedUntil !== null && snoozedUntil > new Date() ? snoozedUntil.toISOString() : null,
    changedAt: row.changedAt?.toISOString() ?? null,
    lastDelivery,
  };
}

/** Returns the condition for one alert. */
export function isAlert(userId: string, id: string) {
  return and(eq(alerts.userId, userId), eq(alerts.id, id));
}

/** Lists a user's alerts, oldest first. */
export async function listAlerts(context: Context, userId: string): Promise<Alerts> {
  const rows = await context.db
    .select()
    .from(alerts)
    .where(eq(alerts.userId, userId))
    .orderBy(asc(alerts.createdAt), asc(alerts.id));
  const titles = await viewTitles(
    context.db,
    userId,
    rows.map(({ viewId }) => viewId),
  );
  const last = await readLastDeliveries(context.db, userId);
  const results = rows.map((row) =>
    toAlert(row, {
      viewTitle: titles.get(row.viewId) ?? '',
      addresses: openAddresses(context, row),
      lastDelivery: last.get(row.id),
    }),
  );
  return { results, emailAddress: await mailAddressOf(context, userId) };
}

/** @throws AppError limit-reached */
async function requireRoom(tx: Queryable, userId: string): Promise<void> {
  const [stored] = await tx.select({ n: count() }).from(alerts).where(eq(alerts.userId, userId));
  if ((stored?.n ?? 0) >= ALERT_LIMITS.perUser)
    throw new AppError('limit-reached', `You have ${ALERT_LIMITS.perUser} alerts. Delete one first.`);
}

/** Returns the columns that a request sets. */
function columnsOf(
  request: Pick<
    UpdateAlert,
    | 'parameters'
    | 'keyField'
    | 'kinds'
    | 'condition'
    | 'digest'
    | 'digestHour'
    | 'rowText'
    | 'bell'
    | 'email'
    | 'webhookFormat'
  >,
) {
  const {
    parameters = null,
    keyField,
    kinds,
    condition,
    digest,
    digestHour,
    rowText,
    bell,
    email,
    webhookFormat,
  } = request;
  return {
    parameters,
    keyField: keyField || null,
    kinds: [...new Set(kinds)],
    condition,
    digest,
    digestHour: digest === 'daily' ? digestHour : null,
    rowText,
    bell,
    email,
    webhookFormat,
  };
}

/** Watches a view. The first comparison only stores its rows. @throws AppError not-found, validation-failed, limit-reached */
export async function createAlert(
  context: Context,
  userId: string,
  request: CreateAlert,
): Promise<SavedAlert> {
  const { viewId, parameters } = request;
  await checkViewValues(context.db, userId, { viewId, parameters });
  if (request.email) await requireMail(context, userId);
  await checkRowText(context, userId, request.rowText);
  const addresses = changeAddresses(undefined, request);
  const saved = await context.db.transaction(async (tx) => {
    const view = await lockView(tx, userId, viewId);
    await requireRoom(tx, userId);
    const { provider, entity } = view;
    const sealed = sealAddresses(context, userId, addresses);
    const values = { ...columnsOf(request), userId, id: newId(), viewId, provider, entity, sealed };
    const [row] = (await tx.insert(alerts).values(values).returning()) as [AlertRow];
    await replaceCheck(tx, context.jobs, row, { isNow: true });
    return toAlert(row, { viewTitle: view.title, addresses, lastDelivery: null });
  });
  await publishInvalidation(context, userId, ['Alerts']);
  return { ...saved, webhookSecret: addresses.webhookSecret || null };
}

/** Reads an alert of the user. */
export async function findAlert(db: Queryable, userId: string, id: string): Promise<AlertRow | undefined> {
  const [row] = await db.select().from(alerts).where(isAlert(userId, id));
  return row;
}

/** Reads an alert and locks it until the transaction ends. */
export async function lockAlert(tx: Queryable, userId: string, id: string): Promise<AlertRow | undefined> {
  const [row] = await tx.select().from(alerts).where(isAlert(userId, id)).for('update');
  return row;
}

/** Changes, pauses, resumes or snoozes an alert. @throws AppError not-found, validation-failed */
export async function updateAlert(
  context: Context,
  userId: string,
  { id, ...request }: UpdateAlert & { id: string },
): Promise<SavedAlert> {
  if (request.email) await requireMail(context, userId);
  await checkRowText(context, userId, request.rowText);
  const saved = await context.db.transaction(async (tx) => {
    await lockAccount(tx, userId);
    const row = await lockAlert(tx, userId, id);
    if (!row) throw notFound('This alert');
    const { parameters } = request;
    await checkViewValues(tx, userId, { viewId: row.viewId, parameters });
    const before = openAddresses(context, row);
    const addresses = changeAddresses(before, request);
    const { isPaused } = request;
    const { snoozedUntil: until } = request;
    const snoozedUntil = until === undefined ? row.snoozedUntil : until === null ? null : new Date(until);
    const isResumed = (row.isPaused && !isPaused) || (row.snoozedUntil !== null && snoozedUntil === null);
    const columns = columnsOf(request);
    const [changed] = (await tx
      .update(alerts)
      .set({
        ...columns,
        sealed: sealAddresses(context, userId, addresses),
        isPaused,
        snoozedUntil,
        isStale: true,
        ...(isResumed && { failures: 0 }),
      })
      .where(isAlert(userId, id))
      .returning()) as [AlertRow];
    const isNow = isResumed || columns.parameters !== row.parameters || columns.keyField !== row.keyField;
    await replaceCheck(tx, context.jobs, changed, { isNow });
    const viewTitle = (await viewTitles(tx, userId, [row.viewId])).get(row.viewId) ?? '';
    const isNewSecret = addresses.webhookSecret !== before.webhookSecret;
    const webhookSecret = (isNewSecret && addresses.webhookSecret) || null;
    const lastDelivery = (await readLastDeliveries(tx, userId)).get(id);
    return { ...toAlert(changed, { viewTitle, addresses, lastDelivery }), webhookSecret };
  });
  await publishInvalidation(context, userId, ['Alerts']);
  return saved;
}

/** Deletes an alert and its deliveries. @throws AppError not-found */
export async function deleteAlert(context: Context, userId: string, id: string): Promise<void> {
  await context.db.transaction(async (tx) => {
    if ((await deleteAlerts(tx, userId, { id })) === 0) throw notFound('This alert');
  });
  await publishInvalidation(context, userId, ['Alerts']);
}

/** Deletes alerts with their rows and deliveries: all of a user, one, or those of a view or provider. @returns their number */
export async function deleteAlerts(
  tx: Queryable,
  userId: string,
  which: Partial<Pick<AlertRow, 'id' | 'viewId' | 'provider'>> = {},
): Promise<number> {
  const { id, viewId, provider } = which;
  const chosen = and(
    eq(alerts.userId, userId),
    id === undefined ? undefined : eq(alerts.id, id),
    viewId === undefined ? undefined : eq(alerts.viewId, viewId),
    provider === undefined ? undefined : eq(alerts.provider, provider),
  );
  // Waits for comparisons, which hold the alert while they store deliveries.
  const found = await tx
    .select({ id: alerts.id })
    .from(alerts)
    .where(chosen)
    .orderBy(alerts.id)
    .for('update');
  if (found.length === 0) return 0;
  const ids = found.map((row) => row.id);
  await tx.delete(alerts).where(and(eq(alerts.userId, userId), inArray(alerts.id, ids)));
  await tx
    .delete(alertSnapshots)
    .where(and(eq(alertSnapshots.userId, userId), inArray(alertSnapshots.alertId, ids)));
  await tx
    .delete(alertDeliveries)
    .where(and(eq(alertDeliveries.userId, userId), inArray(alertDeliveries.alertId, ids)));
  return found.length;
}
