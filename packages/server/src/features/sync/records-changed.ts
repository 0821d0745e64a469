import type { Connector } from '@datadeck/connectors';
import { z } from 'zod';
import type { Context } from '../../platform/context/index.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { type Jobs, type QueueDefinition, SHORT_JOBS } from '../../platform/jobs/jobs.ts';
import type { RecordSource } from '../records/index.ts';

/** Queue of sources whose records a run or an undo may have changed. */
export const RECORDS_CHANGED_QUEUE: QueueDefinition = {
  name: 'data-change',
  ...SHORT_JOBS,
};

const changeSchema = z.object({
  /** run: it ended · undo: it was undone · accounts: others are shown · upgrade: records were extracted again. */
  cause: z.enum(['run', 'undo', 'accounts', 'upgrade']),
  /** Of a run or an undo. */
  sync: z.object({ id: z.string(), number: z.number() }).optional(),
});

/** Why the records of an entity may have changed. */
export type ChangeOfRecords = z.infer<typeof changeSchema>;

/** The payload of a job for a changed entity. Jobs of earlier versions have no cause. */
export const recordsChangedSchema = z.object({
  userId: z.string(),
  entity: z.string(),
  change: changeSchema.default({ cause: 'run' }),
});

/**
 * Enqueues a job for a source when a run ends, with any outcome, or is undone: in the same transaction, unless it was
 * cancelled.
 */
export async function reportChangedRecords(
  tx: Queryable,
  jobs: Jobs,
  { userId, entity }: Pick<RecordSource, 'userId' | 'entity'>,
  change: ChangeOfRecords,
): Promise<void> {
  await jobs.send(RECORDS_CHANGED_QUEUE.name, { userId, entity, change }, { db: tx });
}

/** Enqueues a job for each entity of a provider after an account was added, disconnected or deleted: other records are shown. */
export async function reportChangedAccounts(
  { db, jobs }: Context,
  userId: string,
  { entities }: Pick<Connector, 'entities'>,
): Promise<void> {
  for (const { id: entity } of entities)
    await reportChangedRecords(db, jobs, { userId, entity }, { cause: 'accounts' });
}
