import type { EntityDefinition, TemplateDefinition } from '@datadeck/connectors';
import { PAGE_SIZES, type Sort } from '@datadeck/contract';
import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '../../platform/context/index.ts';
import { readBounded } from '../../platform/db/bounded-read.ts';
import type { ConnectorRegistry } from '../connections/index.ts';
import {
  documentOf,
  isRecordIn,
  matchesKey,
  openRecords,
  orderedRecordsOf,
  type RecordSet,
  tableOf,
} from '../records/index.ts';
import { compileRecordSearch, findSearchedSet } from '../search/index.ts';
import { checkSearch, findTemplate } from './catalogue.ts';
import { columnOrder } from './column-order.ts';
import { type OrderTerm, orderOf } from './order.ts';
import { rowsVersion } from './other-entities.ts';
import { templateRows } from './rows.ts';
import { PAGE_TIMEOUT_MS, readRowsPage, type TemplatePage } from './rows-page.ts';

const PAGE_SIZE = PAGE_SIZES.results;

/** A request for a page of a template. */
interface TemplateRequest {
  userId: string;
  entity: string;
  templateKey: string;
  /** The account whose rows are read; absent or empty for all. */
  account?: string | undefined;
  page: number;
  /** Selects rows of a template of records; absent or empty: all. */
  search?: string | undefined;
  /** Absent: the order of the template. */
  sort?: Sort | undefined;
}

interface DocumentsRequest {
  template: { orderBy: readonly OrderTerm[] };
  page: number;
  /** Number of all documents. */
  count: number;
}

/** Selects a page of whole documents, scanning from the nearer end of the list; undefined beyond its end. */
export function selectDocuments(
  set: RecordSet,
  { template, page, count }: DocumentsRequest,
): SQL | undefined {
  const offset = (page - 1) * PAGE_SIZE;
  const length = Math.min(PAGE_SIZE, count - offset);
  if (length <= 0) return undefined;
  const rowsAfter = count - offset - length;
  const isReversed = rowsAfter < offset;
  const order = orderOf(set, template.orderBy, isReversed);
  // The index provides the ids; only the page's documents are read.
  return sql`
    select '[' || string_agg(${documentOf(set)}, ', ' order by k.row_index ${sql.raw(isReversed ? 'desc' : 'asc')}) || ']' as text
    from (
      select connection_id, id, row_number() over () as row_index from (
        select connection_id, id from ${orderedRecordsOf(set, order)}
        order by ${order} limit ${length} offset ${isReversed ? rowsAfter : offset}) ids
    ) k join ${tableOf(set)} r on ${matchesKey(set)}`;
}

async function readDocumentsPage(
  context: Context,
  set: RecordSet,
  request: DocumentsRequest & { isSorted: boolean },
): Promise<TemplatePage> {
  const { count } = request;
  const statement = selectDocuments(set, request);
  if (statement === undefined) return { text: '[]', count };
  const { rows } = await readBounded(context.db, PAGE_TIMEOUT_MS, async (tx) => {
    // Statistics of a table that just grew are outdated: the planner would sort the whole table.
    if (!request.isSorted) await tx.execute(sql`set local enable_sort = off`);
    return tx.execute<{ text: string | null }>(statement);
  });
  return { text: rows[0]?.text ?? '[]', count };
}

/** Reads a page of the documents that a search finds. */
async function readFoundPage(
  context: Context,
  set: RecordSet,
  { template, page, where }: Pick<DocumentsRequest, 'template' | 'page'> & { where: SQL },
): Promise<TemplatePage> {
  const table = tableOf(set);
  const order = orderOf(set, template.orderBy);
  const { rows } = await readBounded(context.db, PAGE_TIMEOUT_MS, (tx) =>
    tx.execute<{ count: number; text: string | null }>(sql`
      with found as materialized (
        select r.connection_id, r.id, row_number() over (order by ${order}) as row_index from ${table} r where ${isRecordIn(set)} and ${where}
      )
      select (select count(*)::int from found) as count, (
        select '[' || string_agg(${documentOf(set)}, ', ' order by k.row_index) || ']' from found k join ${table} r on ${matchesKey(set)}
        where k.row_index > ${(page - 1) * PAGE_SIZE} and k.row_index <= ${page * PAGE_SIZE}
      ) as text`),
  );
  return { text: rows[0]?.text ?? '[]', count: rows[0]?.count ?? 0 };
}

/** Returns the order of a template's documents; undefined if the rows are none, or the database cannot sort them by a field. */
function documentsOrder(
  set: RecordSet,
  {
    entity,
    template,
    sort,
  }: { entity: EntityDefinition; template: TemplateDefinition; sort: Sort | undefined },
): readonly OrderTerm[] | undefined {
  if (template.kind !== 'documents') return undefined;
  if (!sort) return template.orderBy;
  const order = columnOrder(set, entity, sort);
  return order && [...order, ...template.orderBy];
}

/** Reads a page of rows that an evaluating process sorts. */
async function readSortedPage(
  context: Context,
  registry: ConnectorRegistry,
  { page, sort, ...request }: TemplateRequest & { sort: Sort },
): Promise<TemplatePage> {
  const { set: rows } = await templateRows(context, registry, { ...request, expression: '$' });
  const { text, count } = await context.evaluation.page(
    { userId: request.userId, rows, chain: ['$'], sort, urgency: 'live' },
    { offset: (page - 1) * PAGE_SIZE, limit: PAGE_SIZE },
  );
  return { text, count };
}

/**
 * Reads a page of 20 rows of a template, or of those that a search finds, and their number.
 * @throws AppError not-found, unavailable; validation-failed for an unknown account, a search that cannot select rows of this
 *   template, and a field that cannot sort them
 */
export async function readTemplatePage(
  context: Context,
  registry: ConnectorRegistry,
  request: TemplateRequest,
): Promise<TemplatePage> {
  const found = findTemplate(registry, request);
  const { entity, template } = found;
  const { search = '' } = request;
  checkSearch(found, search);
  // A user who looks at rows will probably query them next.
  context.evaluation.prepare();
  const shown = await findSearchedSet(context, registry, request);
  if (!shown) return { text: '[]', count: 0 };
  const { set, version, records } = await openRecords(context.db, shown, { entity });
  const { page, sort } = request;
  const orderBy = documentsOrder(set, { entity, template, sort });
  if (sort && !orderBy) return readSortedPage(context, registry, { ...request, sort });
  if (orderBy && search !== '') {
    const { where } = await compileRecordSearch(context, registry, set, { entity, text: search });
    return readFoundPage(context, set, { template: { orderBy }, page, where });
  }
  return template.kind === 'documents'
    ? readDocumentsPage(context, set, {
        template: { orderBy: orderBy ?? template.orderBy },
        page,
        count: records,
        isSorted: sort !== undefined,
      })
    : readRowsPage(context, set, {
        template,
        page,
        version: await rowsVersion(context.db, set, { template, version }),
      });
}
