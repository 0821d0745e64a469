import type { AlertChanges, AlertDelivery } from '@datadeck/contract';
import { notFound } from '../../platform/app-error.ts';
import type { Context } from '../../platform/context/index.ts';
import { newId } from '../../platform/ids.ts';
import { lockAccount } from '../accounts/index.ts';
import { announceNotice, publishInvalidation } from '../notifications/index.ts';
import { viewTitles } from '../views/index.ts';
import { openAddresses } from './channels.ts';
import { addAlertNotice } from './check-job.ts';
import { channelsOf, type DeliveryRow, insertDeliveries, toDelivery } from './deliveries.ts';
import { type Site, sendDelivery } from './send.ts';
import { findAlert, lockAlert } from './store.ts';

/** What a test reports. */
const EXAMPLE: AlertChanges = {
  appeared: 1,
  disappeared: 0,
  changed: 0,
  rows: [{ kind: 'appeared', key: 'example', row: { title: 'An example row' } }],
};

/** Sends a test by each channel of an alert, once, and adds the outcomes to the list. @throws AppError not-found */
export async function testAlert(
  context: Context,
  site: Site,
  { userId, id }: { userId: string; id: string },
): Promise<AlertDelivery[]> {
  const alert = await findAlert(context.db, userId, id);
  if (!alert) throw notFound('This alert');
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
        changes: JSON.stringify(EXAMPLE),
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
        message: 'This is a test. Nothing changed in your view.',
        advice: 'Nothing to do.',
      });
  });
  await publishInvalidation(context, userId, ['Alerts']);
  if (alert.bell) await announceNotice(context, userId);
  return sent.map(toDelivery);
}
