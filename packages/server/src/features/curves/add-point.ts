import { createHash } from 'node:crypto';
import { CURVE_LIMITS } from '@datadeck/contract';
import { and, eq, sql } from 'drizzle-orm';
import type { Context } from '../../platform/context/index.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { JobAttempt } from '../../platform/jobs/jobs.ts';
import type { ConnectorRegistry } from '../connections/index.ts';
import { publishInvalidation } from '../notifications/index.ts';
import { isLasting, watchView } from '../views/index.ts';
import { type CurveRow, isCurve, lockCurve } from './keep.ts';
import { curveKeySchema, enqueuePoint } from './queue.ts';
import { type Numbers, readNumbers } from './read-numbers.ts';
import { curvePoints, curves } from './tables.ts';

const NO_NUMBER = 'The view yields no number. Change its expression to one that does, for example $count($).';

/** The numbers of a view, or why there are none. */
type Reading = { definition: string } & ({ numbers: Numbers } | { problem: string });

async function readView(
  context: Context,
  registry: ConnectorRegistry,
  { userId, viewId, parameters, kind, definition: known }: CurveRow,
  signal: AbortSignal,
): Promise<Reading> {
  const view = await watchView(context, registry, {
    userId,
    viewId,
    parameters: parameters ?? undefined,
    signal,
  });
  const definition = createHash('sha256').update(view.definition).digest('hex');
  const result = await view.rows();
  try {
    const numbers = await readNumbers(result, known === definition ? (kind ?? undefined) : undefined);
    return { definition, ...(numbers ? { numbers } : { problem: NO_NUMBER }) };
  } finally {
    result.release();
  }
}

/**
 * Deletes every second point of a curve that is full, but the first and last one, and the least and greatest number of each
 * group.
 */
export async function thinCurve(
  tx: Queryable,
  { userId, viewId, most = CURVE_LIMITS.points }: { userId: string; viewId: string; most?: number },
): Promise<void> {
  await tx.execute(sql`
    with points as materialized (
      select place, values, row_number() over (order by place) as n, count(*) over () as total
      from curve_points where user_id = ${userId} and view_id = ${viewId}
    ), extremes as (
      select (array_agg(place order by v.value::float8, place))[1] as least,
        (array_agg(place order by v.value::float8 desc, place))[1] as greatest
      from points cross join lateral json_each_text(values) v where total > ${most} group by v.key
    )
    delete from curve_points p using points o
    where p.user_id = ${userId} and p.view_id = ${viewId} and p.place = o.place
      and o.total > ${most} and o.n % 2 = 0 and o.n < o.total
      and o.place not in (select least from extremes union all select greatest from extremes)`);
}

/** Stores the point that follows what is pending. The caller holds the curve. */
async function storePoint(
  tx: Queryable,
  curve: CurveRow,
  { definition, numbers }: Reading & { numbers: Numbers },
) {
  const { userId, viewId, pending } = curve;
  if (!pending) return;
  const { cause, sync } = pending;
  const [last] = await tx
    .select({ place: sql<number>`coalesce(max(${curvePoints.place}), 0)` })
    .from(curvePoints)
    .where(and(eq(curvePoints.userId, userId), eq(curvePoints.viewId, viewId)));
  await tx.insert(curvePoints).values({
    userId,
    viewId,
    place: (last?.place ?? 0) + 1,
    at: new Date(),
    cause,
    syncId: sync?.id ?? null,
    syncNumber: sync?.number ?? null,
    isRedefined: curve.definition !== null && curve.definition !== definition,
    values: numbers.values,
  });
  await thinCurve(tx, curve);
}

/**
 * Reads the numbers of a view and stores them as a point of its curve, with the end of the job. If another change came in between,
 * stores nothing and enqueues the job again.
 */
export async function addPoint(
  context: Context,
  registry: ConnectorRegistry,
  job: JobAttempt,
): Promise<void> {
  const { db, jobs } = context;
  const { userId, viewId } = curveKeySchema.parse(job.data);
  const [curve] = await db.select().from(curves).where(isCurve(userId, viewId));
  if (!curve?.pending) return;
  let reading: Reading;
  try {
    reading = await readView(context, registry, curve, job.signal);
  } catch (error) {
    if (!isLasting(error)) throw error;
    reading = { definition: curve.definition ?? '', problem: error.message };
  }
  await db.transaction(async (tx) => {
    const current = await lockCurve(tx, userId, viewId);
    const isCurrent =
      current?.createdAt.getTime() === curve.createdAt.getTime() &&
      JSON.stringify(current.pending) === JSON.stringify(curve.pending);
    if (current && isCurrent) {
      if ('numbers' in reading) await storePoint(tx, current, reading);
      const state =
        'numbers' in reading
          ? { definition: reading.definition, kind: reading.numbers.kind, problem: null }
          : { problem: reading.problem };
      await tx
        .update(curves)
        .set({ ...state, pending: null })
        .where(isCurve(userId, viewId));
    }
    await job.complete(tx);
    if (current && !isCurrent && current.pending) await enqueuePoint(tx, jobs, { userId, viewId });
  });
  await publishInvalidation(context, userId, ['Curves']);
}
