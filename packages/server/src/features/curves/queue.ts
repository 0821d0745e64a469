import { z } from 'zod';
import type { Queryable } from '../../platform/db/database.ts';
import { EVALUATION_JOBS, type Jobs, type QueueDefinition } from '../../platform/jobs/jobs.ts';

/** One job for each curve that lacks a point. */
export const CURVE_POINT_QUEUE: QueueDefinition = {
  name: 'curve-point',
  policy: 'exclusive',
  ...EVALUATION_JOBS,
};

/** The payload of a point's job. */
export const curveKeySchema = z.object({ userId: z.string(), viewId: z.string() });
export type CurveKey = z.infer<typeof curveKeySchema>;

/** Enqueues a point, unless one is waiting or being read. The caller holds the row of the curve. */
export async function enqueuePoint(tx: Queryable, jobs: Jobs, key: CurveKey): Promise<void> {
  const singletonKey = `${key.userId}/${key.viewId}`;
  await jobs.send(CURVE_POINT_QUEUE.name, key, { singletonKey, db: tx });
}
