import { z } from 'zod';
import type { Queryable } from '../../platform/db/database.ts';
import { type Jobs, type QueueDefinition, SHORT_JOBS } from '../../platform/jobs/jobs.ts';
import type { schedules } from './tables.ts';

/** One job for each schedule, delayed to its next time. */
export const SCHEDULE_QUEUE: QueueDefinition = {
  name: 'schedule',
  policy: 'exclusive',
  ...SHORT_JOBS,
};

/** The payload of a schedule's job. */
export const scheduleKeySchema = z.object({ userId: z.string(), scheduleId: z.string() });
type ScheduleKey = z.infer<typeof scheduleKeySchema>;

/** A schedule and its next time. */
export type DueSchedule = Pick<typeof schedules.$inferSelect, 'userId' | 'id' | 'nextAt'>;

function toJob({ userId, id, nextAt }: DueSchedule) {
  const data: ScheduleKey = { userId, scheduleId: id };
  return { data, singletonKey: `${userId}/${id}`, startAfter: nextAt };
}

/** Enqueues the next run of a schedule whose job is completed in the same transaction. */
export async function enqueueNext(tx: Queryable, jobs: Jobs, due: DueSchedule): Promise<void> {
  const { data, ...options } = toJob(due);
  await jobs.send(SCHEDULE_QUEUE.name, data, { ...options, db: tx });
}

/** Enqueues the next run of a schedule that its user saves. A worker on the replaced job can store nothing. */
export async function replaceNext(tx: Queryable, jobs: Jobs, due: DueSchedule): Promise<void> {
  const { data, ...options } = toJob(due);
  await jobs.replace(SCHEDULE_QUEUE.name, data, { ...options, db: tx });
}

/** Enqueues the next runs of schedules without a job. */
export async function enqueueMissing(jobs: Jobs, due: readonly DueSchedule[]): Promise<void> {
  await jobs.sendAll(SCHEDULE_QUEUE.name, due.map(toJob));
}
