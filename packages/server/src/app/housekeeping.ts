import {
  deleteExpiredAttempts,
  deleteExpiredSessions,
  deleteExpiredSignInTokens,
  deleteOldAuditEntries,
} from '../features/accounts/index.ts';
import { deleteOldDeliveries } from '../features/alerts/index.ts';
import { announceExpiringTokens, markExpiredTokens } from '../features/connections/index.ts';
import { deleteOldRecordings } from '../features/connectors/index.ts';
import { deleteIdleDemoWorkspaces } from '../features/deletion/index.ts';
import { BACKFILL_QUEUE, deleteListedIdsOfEndedRuns, sendMissingJobs } from '../features/sync/index.ts';
import { deleteOldPages } from '../features/templates/index.ts';
import { deleteOldTokenUses } from '../features/tokens/index.ts';
import type { QueueDefinition } from '../platform/jobs/jobs.ts';
import { finishDeletedConnectors } from './deleted-connectors.ts';
import type { Product } from './product.ts';

export const HOUSEKEEPING_QUEUE: QueueDefinition = {
  name: 'housekeeping',
  expireInSeconds: 600,
  retryLimit: 2,
  retryDelay: 5,
};

/** Warns the operator before the disk is full. */
async function warnOfLowDisk({ context, isDiskLow }: Product): Promise<void> {
  if (isDiskLow())
    context.log.warn(
      'less than 1 GB is free on the disk of the database; syncs stop when it is full, so free some space',
    );
}

/** A housekeeping step, with the name that is logged when it fails. */
export type HousekeepingStep = readonly [name: string, run: (product: Product) => Promise<void>];

/** The steps that delete expired and unused data, and announce tokens that expire. */
const STEPS: readonly HousekeepingStep[] = [
  ['expired sessions', ({ context }) => deleteExpiredSessions(context)],
  ['unfinished authorisations', ({ context }) => deleteExpiredAttempts(context)],
  ['expired sign-in tokens', ({ context }) => deleteExpiredSignInTokens(context)],
  ['old calls by tokens', ({ context }) => deleteOldTokenUses(context.db)],
  ['old entries of the audit log', ({ context }) => deleteOldAuditEntries(context.db)],
  ['old deliveries of alerts', ({ context }) => deleteOldDeliveries(context.db)],
  ['idle demo workspaces', deleteIdleDemoWorkspaces],
  ['old pages of templates', ({ context }) => deleteOldPages(context.db)],
  [
    'records of older versions',
    ({ context }) => context.jobs.send(BACKFILL_QUEUE.name, {}, { singletonKey: 'all' }),
  ],
  ['syncs without a job', ({ context }) => sendMissingJobs(context)],
  ['tokens that expire soon', ({ context, registry }) => announceExpiringTokens(context, registry)],
  ['expired tokens', ({ context }) => markExpiredTokens(context)],
  ['deleted connectors', finishDeletedConnectors],
  ['old recordings of connectors', ({ context }) => deleteOldRecordings(context.db)],
  ['free disk space', warnOfLowDisk],
  ['ids listed by ended syncs', ({ context }) => deleteListedIdsOfEndedRuns(context.db)],
];

/** Runs all steps. Logs a failing step and continues with the next. */
export async function runHousekeeping(product: Product, steps = STEPS): Promise<void> {
  for (const [step, run] of steps) {
    try {
      await run(product);
    } catch (error) {
      product.context.log.error(
        { err: error, step },
        'a housekeeping step failed; the next run tries it again',
      );
    }
  }
}

/** Schedules housekeeping every 15 minutes, in one worker at a time. */
export async function scheduleHousekeeping(product: Product): Promise<void> {
  await product.context.jobs.work(HOUSEKEEPING_QUEUE.name, { concurrency: 1 }, () =>
    runHousekeeping(product),
  );
  await product.context.jobs.schedule(HOUSEKEEPING_QUEUE.name, '*/15 * * * *');
}
