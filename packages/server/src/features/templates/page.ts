import type { DocumentsTemplate } from '@datadeck/connectors';
import { PAGE_SIZES, type Results } from '@datadeck/contract';
import { sql } from 'drizzle-orm';
import type { Context } from '../../platform/context/index.ts';
import { readBounded } from '../../platform/db/bounded-read.ts';
import type { ConnectorRegistry } from '../connections/index.ts';
import { isRecordOf, type RecordSource, requirePrepared, tableOf } from '../sync/index.ts';
import { findTemplate, sourceOf } from './catalogue.ts';
import { orderOf } from './order.ts';
import { PAGE_MS, readRowsPage } from './rows-page.ts';

const SIZE = PAGE_SIZES.results;

/** Reads a page of whole documents, from the nearer end of the list. @param count of all documents */
async function readDocumentsPage(
  context: Context,
  source: RecordSource,
  { template, page, count }: { template: DocumentsTemplate; page: number; count: number },
): Promise<Results> {
  const begin = (page - 1) * SIZE;
  const length = Math.min(SIZE, count - begin);
  if (length <= 0) return { results: [], count };
  const behind = count - begin - length;
  const isReversed = behind < begin;
  const table = tableOf(source);
  // The ids alone come from the index; only the page's documents are read.
  const statement = sql`
    select json_agg(r.data order by k.place ${sql.raw(isReversed ? 'desc' : 'asc')}) as results
    from (
      select id, row_number() over () as place from (
        select id from ${table} r where ${isRecordOf(source)}
        order by ${orderOf(template.orderBy, isReversed)} limit ${length} offset ${isReversed ? behind : begin}) ids
    ) k join ${table} r on ${isRecordOf(source)} and r.id = k.id`;
  const { rows } = await readBounded(context.db, PAGE_MS, async (tx) => {
    // Statistics lag behind a table that just grew: the planner would sort all of it.
    await tx.execute(sql`set local enable_sort = off`);
    return tx.execute<{ results: Results['results'] | null }>(statement);
  });
  return { results: rows[0]?.results ?? [], count };
}

/** Reads a page of 20 of a template's rows, and the count of all. */
export async function readTemplatePage(
  context: Context,
  registry: ConnectorRegistry,
  request: { userId: string; entity: string; templateKey: string; page: number },
): Promise<Results> {
  const { entity, template } = findTemplate(registry, request);
  // A person who looks at rows is about to query them.
  context.evaluation.prepare();
  const source = await sourceOf(context, registry, request);
  if (!source) return { results: [], count: 0 };
  const { version, records } = await requirePrepared(context.db, source, { entity });
  const { page } = request;
  return template.kind === 'documents'
    ? readDocumentsPage(context, source, { template, page, count: records })
    : readRowsPage(context, source, { template, page, version });
}
