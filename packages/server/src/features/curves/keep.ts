import { CURVE_LIMITS } from '@datadeck/contract';
import { and, count, eq, inArray, or } from 'drizzle-orm';
import { AppError } from '../../platform/app-error.ts';
import type { Context } from '../../platform/context/index.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { publishInvalidation } from '../notifications/index.ts';
import type { ChangeOfRecords } from '../sync/index.ts';
import { checkViewValues, lockView } from '../views/index.ts';
import { enqueuePoint } from './queue.ts';
import { curvePoints, curves } from './tables.ts';

export type CurveRow = typeof curves.$inferSelect;

/** Returns the condition for one curve. */
export function isCurve(userId: string, viewId: string) {
  return and(eq(curves.userId, userId), eq(curves.viewId, viewId));
}

/** Reads the curve of a view and locks it until the transaction ends. */
export async function lockCurve(
  tx: Queryable,
  userId: string,
  viewId: string,
): Promise<CurveRow | undefined> {
  const [row] = await tx.select().from(curves).where(isCurve(userId, viewId)).for('update');
  return row;
}

/** @throws AppError limit-reached */
async function requireRoom(tx: Queryable, userId: string): Promise<void> {
  const [stored] = await tx.select({ n: count() }).from(curves).where(eq(curves.userId, userId));
  if ((stored?.n ?? 0) >= CURVE_LIMITS.perUser)
    throw new AppError(
      'limit-reached',
      `The history of ${CURVE_LIMITS.perUser} views is kept. End that of another view first.`,
    );
}

/**
 * Keeps the numbers of a view from now on, for values of its parameters as JSON; undefined deletes those that were kept.
 * Different values begin a new curve.
 * @throws AppError not-found, validation-failed, limit-reached
 */
export async function keepCurve(
  context: Context,
  userId: string,
  { viewId, parameters, isKept }: { viewId: string; parameters?: string | undefined; isKept: boolean },
): Promise<void> {
  await checkViewValues(context.db, userId, { viewId, parameters });
  await context.db.transaction(async (tx) => {
    const { provider, entity } = await lockView(tx, userId, viewId);
    const before = await lockCurve(tx, userId, viewId);
    const values = parameters ?? null;
    if (isKept && before?.parameters === values) return;
    await deleteCurves(tx, userId, { viewId });
    if (!isKept) return;
    await requireRoom(tx, userId);
    const pending = { cause: 'start' as const, at: new Date().toISOString() };
    await tx.insert(curves).values({ userId, viewId, provider, entity, parameters: values, pending });
    await enqueuePoint(tx, context.jobs, { userId, viewId });
  });
  await publishInvalidation(context, userId, ['Curves']);
}

/** Deletes curves with their points: all of a user, or those of a view or provider. */
export async function deleteCurves(
  tx: Queryable,
  userId: string,
  which: Partial<Pick<CurveRow, 'viewId' | 'provider'>> = {},
): Promise<void> {
  const { viewId, provider } = which;
  // Waits for points that are being stored.
  const found = await tx
    .delete(curves)
    .where(
      and(
        eq(curves.userId, userId),
        viewId === undefined ? undefined : eq(curves.viewId, viewId),
        provider === undefined ? undefined : eq(curves.provider, provider),
      ),
    )
    .returning({ viewId: curves.viewId });
  for (const row of found)
    await tx
      .delete(curvePoints)
      .where(and(eq(curvePoints.userId, userId), eq(curvePoints.viewId, row.viewId)));
}

interface MarkedChange {
  userId: string;
  entity: string;
  change: ChangeOfRecords;
  joined: readonly string[];
}

/**
 * Notes that the curves of a changed entity need a point, and enqueues it. Marks the points of an undone run. Runs that end while a
 * point is being read share it.
 * @param marked `joined` has the ids of views with several bases that read the entity
 */
export async function markCurves(
  tx: Queryable,
  { jobs }: Pick<Context, 'jobs'>,
  marked: MarkedChange,
): Promise<void> {
  const { userId, entity, change, joined } = marked;
  const { cause, sync } = change;
  if (cause === 'upgrade') return;
  const isOf = or(eq(curves.entity, entity), inArray(curves.viewId, [...joined]));
  const ofEntity = and(eq(curves.userId, userId), isOf);
  const rows = await tx.select().from(curves).where(ofEntity).orderBy(curves.viewId).for('update');
  if (rows.length === 0) return;
  const pending = { cause, ...(sync && { sync }), at: new Date().toISOString() };
  await tx.update(curves).set({ pending }).where(ofEntity);
  for (const { viewId } of rows) {
    if (cause === 'undo' && sync)
      await tx
        .update(curvePoints)
        .set({ isUndone: true })
        .where(
          and(
            eq(curvePoints.userId, userId),
            eq(curvePoints.viewId, viewId),
            eq(curvePoints.syncId, sync.id),
            eq(curvePoints.cause, 'run'),
          ),
        );
    await enqueuePoint(tx, jobs, { userId, viewId });
  }
}
