import { HOUSEKEEPING_QUEUE, scheduleHousekeeping } from './app/housekeeping.ts';
import type { Product } from './app/product.ts';
import { BACKUP_QUEUE, scheduleBackups } from './app/scheduled-backups.ts';
import { ALERT_CHECK_QUEUE, ALERT_DELIVERY_QUEUE, workOnAlerts } from './features/alerts/index.ts';
import { BOARD_MAIL_QUEUE, workOnBoardMails } from './features/boards/index.ts';
import { CURVE_POINT_QUEUE, workOnCurves } from './features/curves/index.ts';
import { WEBHOOK_QUEUE, workOnWebhooks } from './features/notifications/index.ts';
import { SCHEDULE_QUEUE, workOnSchedules } from './features/schedules/index.ts';
import { SEARCH_INDEX_QUEUE, workOnSearchIndex } from './features/search/index.ts';
import { SQL_ROLE_QUEUE, scheduleSqlRoleGuard } from './features/sql-access/index.ts';
import {
  BACKFILL_QUEUE,
  RECORDS_CHANGED_QUEUE,
  SCHEDULED_FAILURE_QUEUE,
  SYNC_QUEUE,
  SyncWorker,
  workOnBackfills,
} from './features/sync/index.ts';

/** The queues of all background work. */
export const QUEUES = [
  SYNC_QUEUE,
  HOUSEKEEPING_QUEUE,
  SQL_ROLE_QUEUE,
  WEBHOOK_QUEUE,
  SCHEDULE_QUEUE,
  SCHEDULED_FAILURE_QUEUE,
  BACKFILL_QUEUE,
  SEARCH_INDEX_QUEUE,
  BACKUP_QUEUE,
  RECORDS_CHANGED_QUEUE,
  ALERT_CHECK_QUEUE,
  ALERT_DELIVERY_QUEUE,
  CURVE_POINT_QUEUE,
  BOARD_MAIL_QUEUE,
];

/** What a stop does, in reverse order. */
export type Cleanups = (() => Promise<unknown> | unknown)[];

/** Starts the background workers of this process. @param isOnlyProcess true when no other process uses the database */
export async function startWorkers(
  product: Product,
  { isOnlyProcess, cleanups }: { isOnlyProcess: boolean; cleanups: Cleanups },
): Promise<void> {
  const { context, background, registry, schedulers } = product;
  const worker = new SyncWorker(background, { registry, schedulers });
  await worker.start(isOnlyProcess);
  cleanups.push(() => worker.stop());
  product.deletions.start();
  await workOnBackfills(background, registry);
  await workOnSearchIndex(background, registry);
  await workOnWebhooks(context, product);
  await workOnSchedules(background, registry);
  await workOnCurves(background, registry);
  await workOnAlerts(background, registry, product);
  await workOnBoardMails(background, registry, product);
  await scheduleHousekeeping(product);
  await scheduleSqlRoleGuard(context);
  await scheduleBackups(product);
}
