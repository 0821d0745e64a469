import type { Context } from '../../platform/context/index.ts';
import type { JobAttempt } from '../../platform/jobs/jobs.ts';
import type { ConnectorRegistry } from '../connections/index.ts';
import { publishInvalidation, type Site, settleAttempt } from '../notifications/index.ts';
import { RECORDS_CHANGED_QUEUE } from '../sync/index.ts';
import { checkAlert, markChanged } from './check-job.ts';
import { findWaiting, updateDelivery } from './deliveries.ts';
import { ALERT_CHECK_QUEUE, ALERT_DELIVERY_QUEUE, deliveryKeySchema } from './queue.ts';
import { sendDelivery } from './send.ts';
import { findAlert } from './store.ts';

const CONCURRENCY = { changes: 2, checks: 2, deliveries: 4 } as const;
/** Delays before the second and later attempts, s. After the last one, the delivery has failed. */
const RETRY_DELAYS_S = [30, 120, 600, 3600];

/** Sends one delivery, unless it or its alert was deleted. */
async function deliver(context: Context, site: Site, job: JobAttempt): Promise<void> {
  const key = deliveryKeySchema.parse(job.data);
  const delivery = await findWaiting(context.db, key.userId, key.deliveryId);
  const alert = delivery && (await findAlert(context.db, key.userId, delivery.alertId));
  if (!delivery || !alert) return;
  const outcome = await sendDelivery(context, site, alert, delivery);
  await settleAttempt(context, job, {
    queue: ALERT_DELIVERY_QUEUE.name,
    next: key,
    attempts: delivery.attempts,
    delays: RETRY_DELAYS_S,
    outcome,
    store: (tx, isRetried) =>
      updateDelivery(tx, delivery, {
        attempts: delivery.attempts + 1,
        outcome: outcome.message,
        status: isRetried ? 'waiting' : outcome.isDelivered ? 'delivered' : 'failed',
        settledAt: isRetried ? null : new Date(),
      }),
  });
  await publishInvalidation(context, key.userId, ['Alerts']);
}

/** Compares the views of alerts after each change of the records, and sends deliveries, in this process. */
export async function workOnAlerts(context: Context, registry: ConnectorRegistry, site: Site): Promise<void> {
  const { jobs } = context;
  const { changes, checks, deliveries } = CONCURRENCY;
  await jobs.work(RECORDS_CHANGED_QUEUE.name, { concurrency: changes }, (job) => markChanged(context, job));
  await jobs.work(ALERT_CHECK_QUEUE.name, { concurrency: checks }, (job) =>
    checkAlert(context, registry, job),
  );
  await jobs.work(ALERT_DELIVERY_QUEUE.name, { concurrency: deliveries }, (job) =>
    deliver(context, site, job),
  );
}
