import { type AlertChannel, NOTICE_ROWS } from '@datadeck/contract';
import { and, eq, inArray, or } from 'drizzle-orm';
import type { Context } from '../../platform/context/index.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { newId } from '../../platform/ids.ts';
import type { JobAttempt } from '../../platform/jobs/jobs.ts';
import type { ConnectorRegistry } from '../connections/index.ts';
import { markCurves } from '../curves/index.ts';
import { addNotice, announceNotice, type Notice, publishInvalidation } from '../notifications/index.ts';
import { recordsChangedSchema } from '../sync/index.ts';
import { isLasting, joinedViewsOf, viewTitles } from '../views/index.ts';
import { type AlertRow, openAddresses } from './channels.ts';
import { type Comparison, compareWithSnapshot } from './compare-with-snapshot.ts';
import { channelsOf, insertDeliveries } from './deliveries.ts';
import { noticeRowsOf, restOf, summaryOf } from './messages.ts';
import { alertKeySchema, enqueueCheck, enqueueDelivery } from './queue.ts';
import { isAlert, lockAlert } from './store.ts';
import { alertSnapshots, alerts } from './tables.ts';

/** Number of failed comparisons in a row after which an alert pauses. */
const MAX_FAILURES = 5;
/** Marks the alerts and curves of a changed source, and enqueues their comparisons and points. */
export async function markChanged({ db, jobs }: Context, job: JobAttempt): Promise<void> {
  const { userId, entity, change } = recordsChangedSchema.parse(job.data);
  await db.transaction(async (tx) => {
    const joined = await joinedViewsOf(tx, userId, entity);
    const isOf = or(eq(alerts.entity, entity), inArray(alerts.viewId, joined));
    const watching = and(eq(alerts.userId, userId), isOf, eq(alerts.isPaused, false));
    const rows = await tx.select().from(alerts).where(watching).orderBy(alerts.id).for('update');
    if (rows.length > 0) await tx.update(alerts).set({ isStale: true }).where(watching);
    for (const row of rows) await enqueueCheck(tx, jobs, row);
    await markCurves(tx, { jobs }, { userId, entity, change, joined });
    await job.complete(tx);
  });
}

/** Stores a notification about an alert, for the bell alone. */
export async function addAlertNotice(
  tx: Queryable,
  { jobs }: Context,
  alert: AlertRow,
  content: Pick<Notice, 'title' | 'message' | 'advice' | 'deliveryId' | 'rows'> & { event?: 'alert.failed' },
): Promise<void> {
  const { event = null, ...texts } = content;
  const { userId, provider, entity, viewId } = alert;
  const about = { userId, provider, entity, viewId, syncId: null };
  await addNotice(tx, jobs, { ...texts, ...about, event, at: new Date() });
}

/** Stores the deliveries of a change by all channels of its alert, with their jobs. */
async function storeDeliveries(
  tx: Queryable,
  context: Context,
  alert: AlertRow,
  { viewTitle: title, changes, newKeys }: Required<Pick<Comparison, 'viewTitle' | 'changes' | 'newKeys'>>,
): Promise<void> {
  const at = new Date();
  const { userId } = alert;
  const toRow = (channel: AlertChannel) => ({
    userId,
    id: newId(),
    alertId: alert.id,
    channel,
    createdAt: at,
    isTest: false,
    title,
    changes: JSON.stringify(changes),
    newKeys,
    // The notification is stored in this transaction.
    ...(channel === 'bell'
      ? { status: 'delivered' as const, attempts: 1, outcome: 'Shown in the bell.', settledAt: at }
      : { status: 'waiting' as const }),
  });
  const channels = channelsOf({ ...alert, ...openAddresses(context, alert) });
  if (channels.length === 0) return;
  const stored = await insertDeliveries(tx, userId, channels.map(toRow));
  for (const row of stored)
    if (row.status === 'waiting') await enqueueDelivery(tx, context.jobs, { userId, deliveryId: row.id });
  if (alert.bell)
    await addAlertNotice(tx, context, alert, {
      title: `${title} changed`,
      message: `${summaryOf(changes)}.`,
      advice: [...restOf(changes, NOTICE_ROWS), 'Open the view to see its rows.'].join(' '),
      deliveryId: stored.find(({ channel }) => channel === 'bell')?.id,
      rows: noticeRowsOf(changes),
    });
}

/** One attempt at comparing the view of an alert. */
class Check {
  readonly #context: Context;
  readonly #job: JobAttempt;

  constructor(context: Context, job: JobAttempt) {
    this.#context = context;
    this.#job = job;
  }

  /**
   * Completes the job with its effects in one transaction, unless the alert was deleted. If the records changed since the
   * comparison began, enqueues the next one. @throws JobLost
   */
  async #complete(
    { userId, id }: AlertRow,
    store: (tx: Queryable, alert: AlertRow) => Promise<void>,
  ): Promise<void> {
    const { db, jobs } = this.#context;
    await db.transaction(async (tx) => {
      // Locks the row before the job, in the same order as saving an alert does.
      const alert = await lockAlert(tx, userId, id);
      if (alert) await store(tx, alert);
      await this.#job.complete(tx);
      if (alert?.isStale) await enqueueCheck(tx, jobs, alert);
    });
  }

  async storeComparison(alert: AlertRow, comparison: Comparison | undefined): Promise<void> {
    const { userId, id } = alert;
    await this.#complete(alert, async (tx, current) => {
      const isThis = isAlert(userId, id);
      const success = { comparedAt: new Date(), problem: null, failures: 0 };
      await tx
        .update(alerts)
        .set({
          ...success,
          ...comparison?.compared,
          ...(comparison?.changes && { changedAt: success.comparedAt }),
        })
        .where(isThis);
      if (comparison?.snapshot) {
        const rows = comparison.snapshot;
        await tx
          .insert(alertSnapshots)
          .values({ userId, alertId: id, rows })
          .onConflictDoUpdate({ target: [alertSnapshots.userId, alertSnapshots.alertId], set: { rows } });
      }
      if (comparison?.changes)
        await storeDeliveries(tx, this.#context, current, { ...comparison, changes: comparison.changes });
    });
    await this.#announce(userId, alert.bell && comparison?.changes !== undefined);
  }

  /** Stores why a comparison failed. Notifies the user of the first failure in a row, and of the pause after the last. */
  async storeProblem(alert: AlertRow, problem: string): Promise<void> {
    const { userId, id, viewId } = alert;
    await this.#complete(alert, async (tx, current) => {
      const failures = current.failures + 1;
      const isPaused = failures >= MAX_FAILURES;
      await tx.update(alerts).set({ problem, failures, isPaused }).where(isAlert(userId, id));
      if (failures > 1 && !isPaused) return;
      const title = (await viewTitles(tx, userId, [viewId])).get(viewId) ?? 'a view';
      await addAlertNotice(tx, this.#context, current, {
        event: 'alert.failed',
        title: isPaused ? `The alert on ${title} is paused` : `The alert on ${title} failed`,
        message: problem,
        advice: isPaused
          ? `It failed ${failures} times in a row. Change the view or the alert, then resume the alert.`
          : 'Change the view or the alert. You are notified again only after a comparison has succeeded.',
      });
    });
    await this.#announce(userId, true);
  }

  async #announce(userId: string, hasNotice: boolean): Promise<void> {
    await publishInvalidation(this.#context, userId, ['Alerts']);
    if (hasNotice) await announceNotice(this.#context, userId);
  }
}

/**
 * Compares the view of an alert with its snapshot. One transaction stores the new snapshot and the deliveries of the
 * change, so that a killed worker neither loses nor repeats it.
 */
export async function checkAlert(
  context: Context,
  registry: ConnectorRegistry,
  job: JobAttempt,
): Promise<void> {
  const { userId, alertId } = alertKeySchema.parse(job.data);
  // From here on, a change of the records requires another comparison.
  const [alert] = await context.db
    .update(alerts)
    .set({ isStale: false })
    .where(and(isAlert(userId, alertId), eq(alerts.isPaused, false)))
    .returning();
  if (!alert) return;
  const check = new Check(context, job);
  let comparison: Comparison | undefined;
  try {
    comparison = await compareWithSnapshot(context, registry, alert, job.signal);
  } catch (error) {
    if (!isLasting(error)) throw error;
    return check.storeProblem(alert, error.message);
  }
  await check.storeComparison(alert, comparison);
}
