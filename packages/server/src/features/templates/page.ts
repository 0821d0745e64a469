import type { DocumentsTemplate } from '@datadeck/connectors';
import { PAGE_SIZES } from '@datadeck/contract';
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
import { orderOf } from './order.ts';
import { rowsVersion } from './other-entities.ts';
import { PAGE_TIMEOUT_MS, readRowsPage, type TemplatePage } from './rows-page.ts';

const PAGE_SIZE = PAGE_SIZES.results;

interface DocumentsRequest {
  template: Pick<DocumentsTemplate, 'orderBy'>;
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
  request: DocumentsRequest,
): Promise<TemplatePage> {
  const { count } = request;
  const statement = selectDocuments(set, request);
  if (statement === undefined) return { text: '[]', count };
  const { rows } = await readBounded(context.db, PAGE_TIMEOUT_MS, async (tx) => {
    // Statistics of a table that just grew are outdated: the planner would sort the whole table.
    await tx.execute(sql`set local enable_sort = off`);
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

/**
 * Reads a page of 20 rows of a template, or of those that a search finds, and their number.
 * @param request.account the account whose rows are read; absent or empty for all
 * @throws AppError not-found, unavailable; validation-failed for an unknown account and a search that cannot select rows of this
 *   template
 */
export async function readTemplatePage(
  context: Context,
  registry: ConnectorRegistry,
  request: {
    userId: string;
    entity: string;
    templateKey: string;
    account?: string | undefined;
    page: number;
    search?: string | undefined;
  },
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
  const { page } = request;
  if (template.kind === 'documents' && search !== '') {
    const { where } = await compileRecordSearch(context, registry, set, { entity, text: search });
    return readFoundPage(context, set, { template, page, where });
  }
  return template.kind === 'documents'
    ? readDocumentsPage(context, set, { template, page, count: records })
    : readRowsPage(context, set, {
        template,
        page,
        version: await rowsVersion(context.db, set, { template, version }),
      });
}
