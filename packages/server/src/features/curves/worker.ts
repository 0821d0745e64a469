import type { Context } from '../../platform/context/index.ts';
import type { ConnectorRegistry } from '../connections/index.ts';
import { addPoint } from './add-point.ts';
import { CURVE_POINT_QUEUE } from './queue.ts';

const CONCURRENCY = 2;

/** Adds points to curves after changes of the records, in this process. */
export async function workOnCurves(context: Context, registry: ConnectorRegistry): Promise<void> {
  await context.jobs.work(CURVE_POINT_QUEUE.name, { concurrency: CONCURRENCY }, (job) =>
    addPoint(context, registry, job),
  );
}
