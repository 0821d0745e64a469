import { Readable } from 'node:stream';
import { CURVE_LIMITS, type Curve, type CurvePoint, type DownloadFormat } from '@datadeck/contract';
import { and, asc, count, desc, eq, gt, inArray, sql } from 'drizzle-orm';
import { notFound } from '../../platform/app-error.ts';
import type { Context } from '../../platform/context/index.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { currentFairQueue } from '../../platform/fair-queue.ts';
import { jsonArray, writeFile } from '../../platform/files/index.ts';
import { isId } from '../../platform/ids.ts';
import { viewTitles } from '../views/index.ts';
import { isCurve } from './keep.ts';
import { curvePoints, curves } from './tables.ts';

type PointRow = typeof curvePoints.$inferSelect;

/** Points that a download reads at once. */
const BATCH = 500;

const NO_CURVE: Curve = {
  isKept: false,
  since: null,
  parameters: null,
  kind: null,
  problem: null,
  count: 0,
  points: [],
};

/** Returns the condition for the points of a curve. */
function arePointsOf(userId: string, viewId: string) {
  return and(eq(curvePoints.userId, userId), eq(curvePoints.viewId, viewId));
}

function toPoint(row: PointRow): CurvePoint {
  const { at, cause, syncId, syncNumber, isUndone, isRedefined, values } = row;
  const sync = syncId === null || syncNumber === null ? null : { _id: syncId, number: syncNumber };
  return { at: at.toISOString(), cause, sync, isUndone, isRedefined, values };
}

/** @returns the title of the view @throws AppError not-found */
async function requireView(db: Queryable, userId: string, viewId: string): Promise<string> {
  const title = isId(viewId) ? (await viewTitles(db, userId, [viewId])).get(viewId) : undefined;
  if (title === undefined) throw notFound('This view');
  return title;
}

async function countPoints(db: Queryable, userId: string, viewId: string): Promise<number> {
  const [row] = await db.select({ n: count() }).from(curvePoints).where(arePointsOf(userId, viewId));
  return row?.n ?? 0;
}

/** Reads evenly spread points, oldest first, with the first and last, and the least and greatest of the sum of groups. */
async function drawnPoints(db: Queryable, userId: string, viewId: string): Promise<CurvePoint[]> {
  const most = CURVE_LIMITS.drawn - 4;
  const { rows } = await db.execute<{ place: number }>(sql`
    select place from (
      select place, row_number() over (order by place) as n, count(*) over () as total,
        row_number() over (order by sum, place) as least, row_number() over (order by sum desc, place) as greatest
      from (
        select place, (select sum(v.value::numeric) from json_each_text(values) v) as sum
        from curve_points where user_id = ${userId} and view_id = ${viewId}
      ) summed
    ) p
    where n = 1 or n = total or least = 1 or greatest = 1 or n * ${most}::bigint / total > (n - 1) * ${most}::bigint / total`);
  const places = rows.map(({ place }) => place);
  if (places.length === 0) return [];
  const points = await db
    .select()
    .from(curvePoints)
    .where(and(arePointsOf(userId, viewId), inArray(curvePoints.place, places)))
    .orderBy(asc(curvePoints.place));
  return points.map(toPoint);
}

/** Reads the curve of a view, thinned for a drawing. @throws AppError not-found */
export async function readCurve({ db }: Context, userId: string, viewId: string): Promise<Curve> {
  await requireView(db, userId, viewId);
  const [row] = await db.select().from(curves).where(isCurve(userId, viewId));
  if (!row) return NO_CURVE;
  return {
    isKept: true,
    since: row.createdAt.toISOString(),
    parameters: row.parameters,
    kind: row.kind,
    problem: row.problem,
    count: await countPoints(db, userId, viewId),
    points: await drawnPoints(db, userId, viewId),
  };
}

/** Reads a page of the points of a curve, newest first. @throws AppError not-found */
export async function listCurvePoints(
  { db }: Context,
  userId: string,
  { viewId, page }: { viewId: string; page: number },
): Promise<{ results: CurvePoint[]; count: number }> {
  await requireView(db, userId, viewId);
  const rows = await db
    .select()
    .from(curvePoints)
    .where(arePointsOf(userId, viewId))
    .orderBy(desc(curvePoints.place))
    .limit(CURVE_LIMITS.page)
    .offset((page - 1) * CURVE_LIMITS.page);
  return { results: rows.map(toPoint), count: await countPoints(db, userId, viewId) };
}

/** Yields the numbers of a curve as lines of JSON, oldest first. */
async function* linesOf({ db }: Context, userId: string, viewId: string): AsyncGenerator<string> {
  for (let after = 0; ; ) {
    const rows = await db
      .select()
      .from(curvePoints)
      .where(and(arePointsOf(userId, viewId), gt(curvePoints.place, after)))
      .orderBy(asc(curvePoints.place))
      .limit(BATCH);
    if (rows.length === 0) return;
    after = rows.at(-1)?.place ?? 0;
    const lines = rows.flatMap((row) => {
      const { values, sync, ...point } = toPoint(row);
      return Object.entries(values).map(([group, number]) =>
        JSON.stringify({ ...point, sync: sync?.number ?? null, group, number }),
      );
    });
    yield lines.map((line) => `${line}\n`).join('');
  }
}

/** Returns the points of a curve as a file. The caller must read or destroy it. @throws AppError not-found, rate-limited */
export async function downloadCurve(
  context: Context,
  userId: string,
  { viewId, format }: { viewId: string; format: DownloadFormat | 'exact-csv' },
): Promise<{ title: string; file: Readable }> {
  const title = await requireView(context.db, userId, viewId);
  const open = () => Readable.from(linesOf(context, userId, viewId), { objectMode: false });
  if (format === 'ndjson') return { title, file: open() };
  if (format === 'json') return { title, file: jsonArray(open()) };
  return { title, file: writeFile(format, open, currentFairQueue()) };
}
