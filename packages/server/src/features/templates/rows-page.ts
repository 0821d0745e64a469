import type { RowsTemplate } from '@datadeck/connectors';
import { PAGE_SIZES } from '@datadeck/contract';
import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '../../platform/context/index.ts';
import { readBounded } from '../../platform/db/bounded-read.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { isReadOnly, isStorageFull } from '../../platform/db/failures.ts';
import { connectionIdsOf, type RecordSet, textArray, withRecords } from '../records/index.ts';
import { othersOf } from './other-entities.ts';

/** Statement timeout for a page of a template, ms. */
export const PAGE_TIMEOUT_MS = 15_000;
const PAGE_SIZE = PAGE_SIZES.results;
/** Maximum number of cached rows of a result, and their bytes. Further pages are computed on demand. */
const MAX_CACHED_ROWS = 10_000;
const MAX_CACHED_BYTES = 4_000_000;
/** Time to live of cached rows that depend on the current time. */
const CACHE_TTL = sql.raw("interval '1 minute'");

/** A page of rows as the database wrote them. */
export interface TemplatePage {
  /** The rows as the text of a JSON array, which the server passes on without parsing. */
  text: string;
  /** Number of all rows. */
  count: number;
}

interface RowsRequest {
  template: RowsTemplate;
  page: number;
  /** The data version, of `rowsVersion`. */
  version: number;
}

/** A page of a result. `rows` is JSON text; null when the result is empty or the page was not requested. */
type CachedPage = { page: number; count: number; rows: string | null };

/**
 * Settings for statements that aggregate all records of a user: more memory for groups and sorts, and a tenth of the
 * default cost for rows from parallel workers. Measured with a million records, see decision 76.
 */
const AGGREGATE_SETTINGS = "set local work_mem = '16MB'; set local parallel_tuple_cost = 0.01";

/** Runs statements in a read-only snapshot with `AGGREGATE_SETTINGS`; each may take `PAGE_TIMEOUT_MS`. */
function withAggregateSettings<T>(context: Context, task: (tx: Queryable) => Promise<T>): Promise<T> {
  return readBounded(context.db, PAGE_TIMEOUT_MS, async (tx) => {
    await tx.execute(sql.raw(AGGREGATE_SETTINGS));
    return task(tx);
  });
}

/** Returns the condition for the cached pages of a template. */
function isCachedPageOf(set: RecordSet, { key }: RowsTemplate): SQL {
  return sql`user_id = ${set.userId} and accounts = ${set.key} and template = ${key}`;
}

/** Finds a cached page; returns undefined when the result must be computed, 'beyond' when only this page is not cached. */
async function findCachedPage(
  db: Queryable,
  set: RecordSet,
  { template, page, version }: RowsRequest,
): Promise<TemplatePage | 'beyond' | undefined> {
  const isFresh = template.changesWithTime ? sql` and computed_at > now() - ${CACHE_TTL}` : sql``;
  const { rows } = await db.execute<CachedPage>(sql`
    select page, count, case when page = ${page} then rows::text end as rows from template_pages
    where ${isCachedPageOf(set, template)} and page in (1, ${page}) and version = ${version}${isFresh}`);
  return pickPage(rows, page);
}

/** Picks a page from cached pages; returns undefined when not even the first page is cached. */
function pickPage(cached: readonly CachedPage[], page: number): TemplatePage | 'beyond' | undefined {
  const first = cached.find((one) => one.page === 1);
  if (!first) return undefined;
  const found = cached.find((one) => one.page === page);
  if (found) return { text: found.rows ?? '[]', count: found.count };
  return first.count <= (page - 1) * PAGE_SIZE ? { text: '[]', count: first.count } : 'beyond';
}

type ComputedPage = CachedPage & { version: string };

/** Computes the first pages of a result. Read-only, so that PostgreSQL can use parallel workers. */
async function computePages(
  context: Context,
  set: RecordSet,
  template: RowsTemplate,
): Promise<ComputedPage[]> {
  const { userId, entity } = set;
  const others = othersOf(template);
  const statement = withRecords(
    set,
    sql`, result as materialized (select t as row, row_number() over () as row_index from (${sql.raw(template.sql)}) t
    ), pages as (
      select (row_index - 1) / ${PAGE_SIZE}::int + 1 as page, '[' || string_agg(row_to_json(row)::text, ',' order by row_index) || ']' as rows
      from result where row_index <= ${MAX_CACHED_ROWS} group by 1
    ), sized as (
      select page, rows, sum(octet_length(rows)) over (order by page) as bytes from pages
    )
    select coalesce(s.page, 1)::int as page, s.rows, (select count(*)::int from result) as count, (
      select sum(version)::bigint from record_versions
      where user_id = ${userId} and connection_id = any(${connectionIdsOf(set)}) and entity = any(${textArray([entity, ...others])})
    ) as version
    from (select) one left join sized s on s.bytes <= ${MAX_CACHED_BYTES} or s.page = 1 order by 1`,
    others,
  );
  return withAggregateSettings(context, async (tx) => (await tx.execute<ComputedPage>(statement)).rows);
}

/** Caches the pages of a result for all processes, replacing those of an earlier version. */
async function cachePages(
  context: Context,
  set: RecordSet,
  { template, pages }: { template: RowsTemplate; pages: readonly ComputedPage[] },
): Promise<void> {
  const { userId, key, entity } = set;
  const [first] = pages;
  await context.db.execute(sql`
    with stale as (
      delete from template_pages where ${isCachedPageOf(set, template)} and page > ${pages.length}
    )
    insert into template_pages (user_id, accounts, template, page, entity, version, count, rows)
    select ${userId}, ${key}, ${template.key}, page, ${entity}, ${first?.version ?? 0}, ${first?.count ?? 0}, rows::json
    from unnest(${sql.param(pages.map(({ page }) => page))}::int[], ${textArray(pages.map(({ rows }) => rows))}) p(page, rows)
    order by page
    on conflict (user_id, accounts, template, page) do update
    set version = excluded.version, computed_at = now(), count = excluded.count, rows = excluded.rows`);
}

/** Results that this process is computing or storing. Concurrent requests share them. */
const computing = new Map<string, Promise<CachedPage[]>>();

/**
 * Returns the first pages of a result. Requests of this process for the same accounts, template and data version share
 * one computation. The pages are stored for later requests after they are returned.
 */
function computeOnce(
  context: Context,
  set: RecordSet,
  { template, version }: RowsRequest,
): Promise<CachedPage[]> {
  const key = `${set.userId}/${set.key}/${template.key}@${version}`;
  const running = computing.get(key);
  if (running) return running;
  const result = computePages(context, set, template);
  computing.set(key, result);
  const done = () => computing.delete(key);
  result
    .then((pages) =>
      cachePages(context, set, { template, pages }).catch((error) => logCacheError(context, error)),
    )
    .then(done, done);
  return result;
}

/** Logs a failure to cache pages, except on a read-only database or a full disk. */
function logCacheError({ log }: Context, error: unknown): void {
  if (!isReadOnly(error) && !isStorageFull(error))
    log.error({ err: error }, 'could not cache the pages of a template');
}

/** Computes a single page that is not among the cached ones or cannot be cached. */
async function computePage(
  context: Context,
  set: RecordSet,
  { template, page }: RowsRequest,
): Promise<TemplatePage> {
  const statement = withRecords(
    set,
    sql`, result as materialized (select t as row from (${sql.raw(template.sql)}) t)
    select (select count(*)::int from result) as count,
      (select json_agg(row_to_json(row))::text from (select row from result limit ${PAGE_SIZE} offset ${(page - 1) * PAGE_SIZE}) page) as text`,
    othersOf(template),
  );
  const { rows } = await withAggregateSettings(context, (tx) =>
    tx.execute<{ count: number; text: string | null }>(statement),
  );
  return { text: rows[0]?.text ?? '[]', count: rows[0]?.count ?? 0 };
}

/** Reads a page of a template's rows. The rows are computed once per data version. */
export async function readRowsPage(
  context: Context,
  set: RecordSet,
  request: RowsRequest,
): Promise<TemplatePage> {
  if (request.version === 0) return { text: '[]', count: 0 };
  const cached = await findCachedPage(context.db, set, request).catch((error: unknown) => {
    if (isReadOnly(error)) return undefined;
    throw error;
  });
  if (typeof cached === 'object') return cached;
  if (cached === 'beyond') return computePage(context, set, request);
  const found = pickPage(await computeOnce(context, set, request), request.page);
  return typeof found === 'object' ? found : computePage(context, set, request);
}

/** Deletes cached pages that are older than a day. */
export async function deleteOldPages(db: Queryable): Promise<void> {
  await db.execute(sql`delete from template_pages where computed_at < now() - interval '1 day'`);
}
