import type { DocumentsTemplate } from '@datadeck/connectors';
import { PAGE_SIZES } from '@datadeck/contract';
import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '../../platform/context/index.ts';
import { readBounded } from '../../platform/db/bounded-read.ts';
import type { ConnectorRegistry } from '../connections/index.ts';
import { isRecordOf, type RecordSource, requirePrepared, sourceOf, tableOf } from '../records/index.ts';
import { compileRecordSearch } from '../search/index.ts';
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
  source: RecordSource,
  { template, page, count }: DocumentsRequest,
): SQL | undefined {
  const offset = (page - 1) * PAGE_SIZE;
  const length = Math.min(PAGE_SIZE, count - offset);
  if (length <= 0) return undefined;
  const rowsAfter = count - offset - length;
  const isReversed = rowsAfter < offset;
  const table = tableOf(source);
  // The index provides the ids; only the page's documents are read.
  return sql`
    select json_agg(r.data order by k.row_index ${sql.raw(isReversed ? 'desc' : 'asc')})::text as text
    from (
      select id, row_number() over () as row_index from (
        select id from ${table} r where ${isRecordOf(source)}
        order by ${orderOf(template.orderBy, isReversed)} limit ${length} offset ${isReversed ? rowsAfter : offset}) ids
    ) k join ${table} r on ${isRecordOf(source)} and r.id = k.id`;
}

async function readDocumentsPage(
  context: Context,
  source: RecordSource,
  request: DocumentsRequest,
): Promise<TemplatePage> {
  const { count } = request;
  const statement = selectDocuments(source, request);
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
  source: RecordSource,
  { template, page, where }: Pick<DocumentsRequest, 'template' | 'page'> & { where: SQL },
): Promise<TemplatePage> {
  const table = tableOf(source);
  const order = orderOf(template.orderBy);
  const { rows } = await readBounded(context.db, PAGE_TIMEOUT_MS, (tx) =>
    tx.execute<{ count: number; text: string | null }>(sql`
      with found as materialized (
        select r.id, row_number() over (order by ${order}) as row_index from ${table} r where ${isRecordOf(source)} and ${where}
      )
      select (select count(*)::int from found) as count, (
        select json_agg(r.data order by f.row_index)::text from found f join ${table} r on ${isRecordOf(source)} and r.id = f.id
        where f.row_index > ${(page - 1) * PAGE_SIZE} and f.row_index <= ${page * PAGE_SIZE}
      ) as text`),
  );
  return { text: rows[0]?.text ?? '[]', count: rows[0]?.count ?? 0 };
}

/**
 * Reads a page of 20 rows of a template, or of those that a search finds, and their number.
 * @throws AppError not-found, unavailable; validation-failed for a search that cannot select rows of this template
 */
export async function readTemplatePage(
  context: Context,
  registry: ConnectorRegistry,
  request: { userId: string; entity: string; templateKey: string; page: number; search?: string | undefined },
): Promise<TemplatePage> {
  const found = findTemplate(registry, request);
  const { entity, template } = found;
  const { search = '' } = request;
  checkSearch(found, search);
  // A user who looks at rows will probably query them next.
  context.evaluation.prepare();
  const source = await sourceOf(context, registry, request);
  if (!source) return { text: '[]', count: 0 };
  const { version, records } = await requirePrepared(context.db, source, { entity });
  const { page } = request;
  if (template.kind === 'documents' && search !== '') {
    const { where } = await compileRecordSearch(context, registry, source, { entity, text: search });
    return readFoundPage(context, source, { template, page, where });
  }
  return template.kind === 'documents'
    ? readDocumentsPage(context, source, { template, page, count: records })
    : readRowsPage(context, source, {
        template,
        page,
        version: await rowsVersion(context.db, source, { template, version }),
      });
}
