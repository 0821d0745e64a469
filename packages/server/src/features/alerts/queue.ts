import type { AlertDigest } from '@datadeck/contract';
import { z } from 'zod';
import type { Queryable } from '../../platform/db/database.ts';
import { EVALUATION_JOBS, type Jobs, type QueueDefinition, SHORT_JOBS } from '../../platform/jobs/jobs.ts';
import { readTimeZone } from '../accounts/index.ts';
import { firstCronTime, nextTimeAfter } from '../schedules/index.ts';

/** One job for each alert whose view must be compared, delayed to the time of its digest. */
export const ALERT_CHECK_QUEUE: QueueDefinition = {
  name: 'alert-check',
  policy: 'exclusive',
  ...EVALUATION_JOBS,
};

/** Queue of deliveries. Rejections by the receiver are counted in the delivery's row. */
export const ALERT_DELIVERY_QUEUE: QueueDefinition = { name: 'alert-delivery', ...SHORT_JOBS };

/** The payload of a check. */
export const alertKeySchema = z.object({ userId: z.string(), alertId: z.string() });

/** The payload of a delivery. */
export const deliveryKeySchema = z.object({ userId: z.string(), deliveryId: z.string() });
export type DeliveryKey = z.infer<typeof deliveryKeySchema>;

interface CheckedAlert {
  userId: string;
  id: string;
  createdAt: Date;
  digest: AlertDigest;
  digestHour: number | null;
  /** Null before the first comparison, which is never delayed. */
  dataKey: string | null;
  snoozedUntil: Date | null;
}

/**
 * Returns when an alert is to be compared; 0 for at once. The first comparison is at once; then a snooze counts, even with
 * `isNow`, and last the digest. A digest without an hour is at the time of day (UTC), or at the minute, of `createdAt`.
 */
export function comparisonTime(
  { createdAt, digest, digestHour, dataKey, snoozedUntil }: Omit<CheckedAlert, 'userId' | 'id'>,
  { isNow, timeZone, now = new Date() }: { isNow: boolean; timeZone: string; now?: Date },
): Date | 0 {
  if (dataKey === null) return 0;
  if (snoozedUntil !== null && snoozedUntil > now) return snoozedUntil;
  if (digest === 'each' || isNow) return 0;
  if (digest === 'hourly' || digestHour === null) return nextTimeAfter(digest, createdAt, now);
  return firstCronTime({ cron: `0 ${digestHour} * * *`, timeZone }, now);
}

async function toJob(tx: Queryable, alert: CheckedAlert, isNow: boolean) {
  const { userId, id, digestHour } = alert;
  const timeZone = digestHour === null ? 'UTC' : await readTimeZone(tx, userId);
  const startAfter = comparisonTime(alert, { isNow, timeZone });
  return { data: { userId, alertId: id }, options: { singletonKey: `${userId}/${id}`, startAfter } };
}

/** Enqueues a check, unless one is waiting or running. The caller holds the row of the alert. */
export async function enqueueCheck(tx: Queryable, jobs: Jobs, alert: CheckedAlert): Promise<void> {
  const { data, options } = await toJob(tx, alert, false);
  await jobs.send(ALERT_CHECK_QUEUE.name, data, { ...options, db: tx });
}

/** Enqueues a check instead of one that is waiting or running, which can then store nothing. */
export async function replaceCheck(
  tx: Queryable,
  jobs: Jobs,
  alert: CheckedAlert,
  { isNow }: { isNow: boolean },
): Promise<void> {
  const { data, options } = await toJob(tx, alert, isNow);
  await jobs.replace(ALERT_CHECK_QUEUE.name, data, { ...options, db: tx });
}

/** Enqueues a delivery. */
export async function enqueueDelivery(tx: Queryable, jobs: Jobs, key: DeliveryKey): Promise<void> {
  await jobs.send(ALERT_DELIVERY_QUEUE.name, key, { db: tx });
}
