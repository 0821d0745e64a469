import { z } from 'zod';
import type { Queryable } from '../../platform/db/database.ts';
import { type Jobs, type QueueDefinition, SHORT_JOBS } from '../../platform/jobs/jobs.ts';
import type { SyncRow } from './to-response.ts';

/** Queue of failed scheduled runs whose users are to be notified. */
export const SCHEDULED_FAILURE_QUEUE: QueueDefinition = {
  name: 'scheduled-failure',
  ...SHORT_JOBS,
};

/** The payload of a job for a failed scheduled run. */
export const scheduledFailureSchema = z.object({
  userId: z.string(),
  connectionId: z.string(),
  entity: z.string(),
  syncId: z.string(),
  /** The error message of the receipt. */
  message: z.string(),
  /** When it failed (ISO). */
  at: z.string(),
});
export type ScheduledFailure = z.infer<typeof scheduledFailureSchema>;

/** Enqueues the failure of a scheduled run, in the transaction that ends the run. Does nothing for other runs. */
export async function reportScheduledFailure(
  tx: Queryable,
  jobs: Jobs,
  { run, message }: { run: SyncRow; message: string },
): Promise<void> {
  if (!run.isScheduled) return;
  const { userId, connectionId, entity, id } = run;
  const failure: ScheduledFailure = {
    userId,
    connectionId,
    entity,
    syncId: id,
    message,
    at: new Date().toISOString(),
  };
  await jobs.send(SCHEDULED_FAILURE_QUEUE.name, failure, { db: tx });
}
