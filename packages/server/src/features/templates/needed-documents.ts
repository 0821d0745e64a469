import { hash } from 'node:crypto';
import { type RowFields, rowFields, rowFilter } from '@datadeck/jsonata';
import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../platform/db/database.ts';
import { type DataSet, MAX_LOADED_BYTES } from '../../platform/evaluation/index.ts';
import { isRecordOf, type RecordSource, type StoredEntity, tableOf } from '../records/index.ts';
import { type Size, sizeOf } from './document-size.ts';
import { parseSmall, type RowCondition, rowCondition } from './row-conditions.ts';
import { columnProjection, fieldProjection, type RowProjection } from './row-fields.ts';
import { rowSlice } from './row-slice.ts';

/** The documents that a search selects. */
export interface SearchedDocuments {
  where: SQL;
  /** Name of the search. */
  name: string;
  /** Changes when the search would select others in the same data version. */
  version: string;
}

/** An expression over the documents of a source. */
interface DocumentsRequest {
  entity: StoredEntity;
  expression: string;
  bindings: Record<string, unknown>;
  /** The order of the documents. */
  order: SQL;
  searched: SearchedDocuments | undefined;
  /** All documents of the source, and the version of its data. */
  records: number;
  version: number | string;
}

/** The documents that an expression needs. */
export interface NeededDocuments extends Pick<DataSet, 'filter'> {
  /** Reads the documents as the column `row`. */
  select: SQL;
  condition: RowCondition | undefined;
  /** Equal names mean equal rows in the same data version; empty for all documents. */
  name: string;
  size: Size | undefined;
}

const WHOLE: RowProjection = { row: sql`r.data::text`, name: '' };

/** Finds which documents an expression needs, and which of their fields. */
export async function neededDocuments(
  db: Database,
  source: RecordSource,
  request: DocumentsRequest,
): Promise<NeededDocuments> {
  const { entity, expression, bindings, order, searched, records, version } = request;
  const all = searched
    ? sql`from ${tableOf(source)} r where ${isRecordOf(source)} and ${searched.where}`
    : sql`from ${tableOf(source)} r where ${isRecordOf(source)}`;
  const ast = parseSmall(expression);
  const condition =
    ast && (rowCondition(ast, bindings, entity) ?? rowSlice(ast, entity, { rows: all, order }));
  const conditions = [searched?.where, condition?.where].filter((one) => one !== undefined);
  const where = conditions.length === 0 ? undefined : sql.join(conditions, sql` and `);
  const nameOf = (part: string) =>
    [searched?.name ?? '', condition?.name ?? '', part].join('|').replace(/^\|+$/, '');
  const needed = ({ row, name }: RowProjection, size: Size | undefined): NeededDocuments => ({
    select: sql`select ${row} as row ${all}${condition ? sql` and ${condition.where}` : sql``} order by ${order}`,
    condition,
    name: nameOf(name),
    size,
  });
  const measure = ({ row, name }: RowProjection) => {
    const key = `${source.userId}/${source.connectionId}/${source.entity}@${version}/${searched?.version ?? ''}/${nameOf(name)}`;
    return sizeOf(db, source, { name: key, records, where, row });
  };
  const fields = ast && rowFields(ast, Object.keys(bindings));
  const columns = fields && columnProjection(fields, entity);
  if (columns) return needed(columns, await measure(columns));
  const whole = needed(WHOLE, await measure(WHOLE));
  if ((whole.size?.bytes ?? 0) <= MAX_LOADED_BYTES) return whole;
  return fields
    ? withFields(fields, measure, needed)
    : { ...whole, ...(ast && rowFilter(ast) && withFilter(expression, bindings, whole.name)) };
}

async function withFields(
  fields: RowFields,
  measure: (projection: RowProjection) => Promise<Size | undefined>,
  needed: (projection: RowProjection, size: Size | undefined) => NeededDocuments,
): Promise<NeededDocuments> {
  const projection = fieldProjection(fields);
  return needed(projection, await measure(projection));
}

function withFilter(
  expression: string,
  bindings: Record<string, unknown>,
  name: string,
): Pick<NeededDocuments, 'filter' | 'name'> {
  const part = hash('sha256', JSON.stringify([expression, bindings]), 'base64url');
  return { filter: { expression, bindings }, name: `${name}|${part}` };
}
