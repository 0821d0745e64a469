import type { RowsTemplate } from '@datadeck/connectors';
import { PAGE_SIZES, type Results } from '@datadeck/contract';
import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '../../platform/context/index.ts';
import { readBounded } from '../../platform/db/bounded-read.ts';
import { isReadOnly, isStorageFull } from '../../platform/db/failures.ts';
import type { Queryable } from '../../platform/db/pool.ts';
import { type RecordSource, textArray, withSourceRecords } from '../sync/index.ts';

/** Longest statement for a page of a template, ms. */
export const PAGE_MS = 15_000;
const SIZE = PAGE_SIZES.results;
/** Rows of a result that are kept at most, and their bytes. Further pages are computed when they are asked for. */
const KEPT_ROWS = 10_000;
const KEPT_BYTES = 4_000_000;
/** How long rows that depend on the current time are kept. */
const KEPT_FOR = sql.raw("interval '1 minute'");

interface RowsRequest {
  template: RowsTemplate;
  page: number;
  /** Of the records. */
  version: number;
}

/** A page of a result; its rows are JSON text, null where the result is empty or the page was not asked for. */
type KeptPage = { page: number; count: number; rows: string | null };

/**
 * Settings for the statements that aggregate all records of a user: memory for their groups and sorts, and rows handed
 * over by parallel workers at a tenth of the default cost. Measured over a million records, see decision 76.
 */
const AGGREGATE_SETTINGS = "set local work_mem = '16MB'; set local parallel_tuple_cost = 0.01";

/** Computes something over all records in one snapshot. */
function aggregate<T>(context: Context, task: (tx: Queryable) => Promise<T>): Promise<T> {
  return readBounded(context.db, PAGE_MS, async (tx) => {
    await tx.execute(sql.raw(AGGREGATE_SETTINGS));
    return task(tx);
  });
}

/** The condition that selects the kept pages of a template. */
function keptOf({ userId, connectionId }: RecordSource, { key }: RowsTemplate): SQL {
  return sql`user_id = ${userId} and connection_id = ${connectionId} and template = ${key}`;
}

/** Finds a page among the kept ones; undefined when it must be computed. */
async function findKept(
  db: Queryable,
  source: RecordSource,
  { template, page, version }: RowsRequest,
): Promise<Results | 'beyond' | undefined> {
  const isFresh = template.changesWithTime ? sql` and computed_at > now() - ${KEPT_FOR}` : sql``;
  const { rows } = await db.execute<KeptPage>(sql`
    select page, count, case when page = ${page} then rows::text end as rows from template_pages
    where ${keptOf(source, template)} and page in (1, ${page}) and version = ${version}${isFresh}`);
  return pick(rows, page);
}

/** Picks a page of a result whose first page is kept, too. */
function pick(kept: readonly KeptPage[], page: number): Results | 'beyond' | undefined {
  const first = kept.find((one) => one.page === 1);
  if (!first) return undefined;
  const found = kept.find((one) => one.page === page);
  if (found) return { results: JSON.parse(found.rows ?? '[]') as Results['results'], count: found.count };
  return first.count <= (page - 1) * SIZE ? { results: [], count: first.count } : 'beyond';
}

type ComputedPage = KeptPage & { version: string };

/** Computes the first pages of a result. It only reads, so that the database may use several processes. */
async function computePages(
  context: Context,
  source: RecordSource,
  template: RowsTemplate,
): Promise<ComputedPage[]> {
  const { userId, connectionId, entity } = source;
  const statement = withSourceRecords(
    source,
    sql`, result as materialized (select t as row, row_number() over () as place from (${sql.raw(template.sql)}) t
    ), pages as (
      select (place - 1) / ${SIZE}::int + 1 as page, '[' || string_agg(row_to_json(row)::text, ',' order by place) || ']' as rows
      from result where place <= ${KEPT_ROWS} group by 1
    ), sized as (
      select page, rows, sum(octet_length(rows)) over (order by page) as bytes from pages
    )
    select coalesce(s.page, 1)::int as page, s.rows, (select count(*)::int from result) as count, (
      select version from record_versions where user_id = ${userId} and connection_id = ${connectionId} and entity = ${entity}
    ) as version
    from (select) one left join sized s on s.bytes <= ${KEPT_BYTES} or s.page = 1 order by 1`,
  );
  return aggregate(context, async (tx) => (await tx.execute<ComputedPage>(statement)).rows);
}

/** Keeps the pages of a result for all processes, in place of those of an earlier version. */
async function keepPages(
  context: Context,
  { userId, connectionId, entity }: RecordSource,
  { template, pages }: { template: RowsTemplate; pages: readonly ComputedPage[] },
): Promise<void> {
  const [first] = pages;
  await context.db.execute(sql`
    with stale as (
      delete from template_pages where ${keptOf({ userId, connectionId, entity }, template)} and page > ${pages.length}
    )
    insert into template_pages (user_id, connection_id, template, page, entity, version, count, rows)
    select ${userId}, ${connectionId}, ${template.key}, page, ${entity}, ${first?.version ?? 0}, ${first?.count ?? 0}, rows::json
    from unnest(${sql.param(pages.map(({ page }) => page))}::int[], ${textArray(pages.map(({ rows }) => rows))}) p(page, rows)
    order by page
    on conflict (user_id, connection_id, template, page) do update
    set version = excluded.version, computed_at = now(), count = excluded.count, rows = excluded.rows`);
}

/** Results that this process computes or stores at the moment: further requests wait for the same result. */
const computing = new Map<string, Promise<KeptPage[]>>();

/** Computes a result once. Its first pages are kept while the answer is already on its way. */
function computeOnce(
  context: Context,
  source: RecordSource,
  { template, version }: RowsRequest,
): Promise<KeptPage[]> {
  const key = `${source.userId}/${source.connectionId}/${template.key}@${version}`;
  const running = computing.get(key);
  if (running) return running;
  const result = computePages(context, source, template);
  computing.set(key, result);
  const done = () => computing.delete(key);
  result
    .then((pages) => keepPages(context, source, { template, pages }).catch((error) => report(context, error)))
    .then(done, done);
  return result;
}

/** Logs that pages could not be kept, except in a database that takes no writes or has no room. */
function report({ log }: Context, error: unknown): void {
  if (!isReadOnly(error) && !isStorageFull(error)) log.error({ err: error }, 'pages were not kept');
}

/** Computes a page alone: it lies beyond the kept ones, or nothing can be kept. */
async function computePage(
  context: Context,
  source: RecordSource,
  { template, page }: RowsRequest,
): Promise<Results> {
  const statement = withSourceRecords(
    source,
    sql`, result as materialized (select t as row from (${sql.raw(template.sql)}) t)
    select (select count(*)::int from result) as count,
      (select json_agg(row_to_json(row)) from (select row from result limit ${SIZE} offset ${(page - 1) * SIZE}) page) as results`,
  );
  const { rows } = await aggregate(context, (tx) =>
    tx.execute<{ count: number; results: Results['results'] | null }>(statement),
  );
  return { results: rows[0]?.results ?? [], count: rows[0]?.count ?? 0 };
}

/** Reads a page of a template's rows, which are computed once for each version of the records. */
export async function readRowsPage(
  context: Context,
  source: RecordSource,
  request: RowsRequest,
): Promise<Results> {
  if (request.version === 0) return { results: [], count: 0 };
  const kept = await findKept(context.db, source, request).catch((error: unknown) => {
    if (isReadOnly(error)) return undefined;
    throw error;
  });
  if (typeof kept === 'object') return kept;
  if (kept === 'beyond') return computePage(context, source, request);
  const found = pick(await computeOnce(context, source, request), request.page);
  return typeof found === 'object' ? found : computePage(context, source, request);
}

/** Deletes kept pages that are older than a day. */
export async function deleteOldPages(db: Queryable): Promise<void> {
  await db.execute(sql`delete from template_pages where computed_at < now() - interval '1 day'`);
}
