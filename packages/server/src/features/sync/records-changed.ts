import { z } from 'zod';
import type { Queryable } from '../../platform/db/database.ts';
import { type Jobs, type QueueDefinition, SHORT_JOBS } from '../../platform/jobs/jobs.ts';
import type { RecordSource } from '../records/index.ts';

/** Queue of sources whose records a run or an undo may have changed. */
export const RECORDS_CHANGED_QUEUE: QueueDefinition = {
  name: 'data-change',
  ...SHORT_JOBS,
};

/** The payload of a job for a changed source. */
export const recordsChangedSchema = z.object({
  userId: z.string(),
  connectionId: z.string(),
  entity: z.string(),
});

/**
 * Enqueues a job for a source when a run ends, with any outcome, or is undone: in the same transaction, unless it was
 * cancelled.
 */
export async function reportChangedRecords(tx: Queryable, jobs: Jobs, source: RecordSource): Promise<void> {
  const { userId, connectionId, entity } = source;
  await jobs.send(RECORDS_CHANGED_QUEUE.name, { userId, connectionId, entity }, { db: tx });
}
