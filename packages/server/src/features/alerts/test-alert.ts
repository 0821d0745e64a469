import type { AlertChanges, AlertCondition, AlertDelivery, NumberChange } from '@datadeck/contract';
import { AppError, notFound } from '../../platform/app-error.ts';
import type { Context } from '../../platform/context/index.ts';
import { newId } from '../../platform/ids.ts';
import { lockAccount } from '../accounts/index.ts';
import type { ConnectorRegistry } from '../connections/index.ts';
import { announceNotice, publishInvalidation, type Site } from '../notifications/index.ts';
import { viewTitles } from '../views/index.ts';
import { openAddresses } from './channels.ts';
import { addAlertNotice } from './check-job.ts';
import { readFirstRows } from './compare-with-snapshot.ts';
import { channelsOf, type DeliveryRow, insertDeliveries, toDelivery } from './deliveries.ts';
import { noticeRowsOf, TEST_SENTENCE } from './messages.ts';
import { sendDelivery } from './send.ts';
import { findAlert, lockAlert } from './store.ts';

/** What a test reports. */
const EXAMPLE: AlertChanges = {
  appeared: 1,
  disappeared: 0,
  changed: 0,
  rows: [{ kind: 'appeared', key: 'example', row: { title: 'An example row' } }],
};

/** Returns a change that reaches a condition. */
function exampleOf(condition: AlertCondition): NumberChange {
  const { kind, value } = condition;
  const [before, now] =
    kind === 'above' ? [value, value + 1] : kind === 'below' ? [value, value - 1] : [0, value];
  return { ...condition, before, now };
}

/**
 * Sends a test by each channel of an alert, once, and adds the outcomes to the list.
 * @param request.rows an example row, or the first ones of the view
 * @throws AppError not-found, and for current rows like readFirstRows
 */
export async function testAlert(
  context: Context,
  { site, registry }: { site: Site; registry: ConnectorRegistry },
  { userId, id, rows }: { userId: string; id: string; rows: 'example' | 'current' },
): Promise<AlertDelivery[]> {
  const alert = await findAlert(context.db, userId, id);
  if (!alert) throw notFound('This alert');
  const isOfRows = alert.condition === null;
  const changes = alert.condition
    ? { ...EXAMPLE, appeared: 0, rows: [], number: exampleOf(alert.condition) }
    : rows === 'current'
      ? await readFirstRows(context, registry, alert)
      : EXAMPLE;
  if (isOfRows && changes.rows.length === 0)
    throw new AppError('validation-failed', 'The view has no rows now. Send a test with an example instead.');
  const title = (await viewTitles(context.db, userId, [alert.viewId])).get(alert.viewId) ?? '';
  const channels = channelsOf({ ...alert, ...openAddresses(context, alert) });
  const createdAt = new Date();
  const sent = await Promise.all(
    channels.map(async (channel): Promise<DeliveryRow> => {
      const row: DeliveryRow = {
        userId,
        id: newId(),
        alertId: id,
        createdAt,
        channel,
        isTest: true,
        title,
        changes: JSON.stringify(changes),
        newKeys: [],
        status: 'waiting',
        attempts: 1,
        outcome: null,
        settledAt: null,
      };
      const { isDelivered, message } = await sendDelivery(context, site, alert, row);
      return {
        ...row,
        status: isDelivered ? 'delivered' : 'failed',
        outcome: message,
        settledAt: new Date(),
      };
    }),
  );
  await context.db.transaction(async (tx) => {
    await lockAccount(tx, userId);
    const current = await lockAlert(tx, userId, id);
    if (!current) throw notFound('This alert');
    if (sent.length > 0) await insertDeliveries(tx, userId, sent);
    if (alert.bell)
      await addAlertNotice(tx, context, current, {
        title: `Test of the alert on ${title}`,
        message: TEST_SENTENCE,
        advice: 'Nothing to do.',
        ...(isOfRows && rows === 'current' && { rows: noticeRowsOf(changes) }),
      });
  });
  await publishInvalidation(context, userId, ['Alerts']);
  if (alert.bell) await announceNotice(context, userId);
  return sent.map(toDelivery);
}
