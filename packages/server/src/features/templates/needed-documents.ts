import { hash } from 'node:crypto';
import { type RowSource, rowFields, rowFilter } from '@datadeck/jsonata';
import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../platform/db/database.ts';
import { type DataSet, MAX_LOADED_BYTES } from '../../platform/evaluation/index.ts';
import { documentOf, isRecordIn, type RecordSet, type StoredEntity, tableOf } from '../records/index.ts';
import type { PastRecords } from './as-of.ts';
import { withAccounts } from './copied-columns.ts';
import { type Size, sizeOf } from './document-size.ts';
import { type ComparedKeys, keyCondition } from './key-condition.ts';
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

/** An expression over the documents of a set. */
interface DocumentsRequest {
  entity: StoredEntity;
  expression: string;
  bindings: Record<string, unknown>;
  /** Where the documents are in the expression; absent: its input. */
  source?: RowSource | undefined;
  /** If set, documents that the expression compares with other keys are left out. */
  keys?: ComparedKeys | undefined;
  /** The order of the documents. */
  order: SQL;
  searched: SearchedDocuments | undefined;
  /** All documents of the set, and the version of its data. */
  records: number;
  version: number | string;
  /** Where the documents are read as they were; absent: now. */
  past?: Pick<PastRecords, 'within'> | undefined;
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

/** Finds which documents an expression needs, and which of their fields. */
export async function neededDocuments(
  db: Database,
  set: RecordSet,
  request: DocumentsRequest,
): Promise<NeededDocuments> {
  const { expression, bindings, source, keys, order, searched, records, version, past } = request;
  const entity = withAccounts(request.entity, set);
  const all = searched
    ? sql`from ${tableOf(set)} r where ${isRecordIn(set)} and ${searched.where}`
    : sql`from ${tableOf(set)} r where ${isRecordIn(set)}`;
  const ast = parseSmall(expression);
  // Other conditions and filters are found for the input alone.
  const ofInput = () =>
    ast && source === undefined
      ? (rowCondition(ast, bindings, entity) ?? rowSlice(ast, entity, { rows: all, order }))
      : undefined;
  const condition = keys ? keyCondition(keys, entity) : ofInput();
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
    const key = `${set.userId}/${set.key}/${set.entity}@${version}/${searched?.version ?? ''}/${nameOf(name)}`;
    return sizeOf(db, set, { name: key, records, where, row, past });
  };
  const fields = ast && rowFields(ast, Object.keys(bindings), source);
  const whole: RowProjection = { row: documentOf(set), name: '' };
  const columns = fields && columnProjection(fields, entity, whole.row);
  if (columns) return needed(columns, await measure(columns));
  const wholeDocuments = needed(whole, await measure(whole));
  if ((wholeDocuments.size?.bytes ?? 0) <= MAX_LOADED_BYTES) return wholeDocuments;
  return fields
    ? withFields(fieldProjection(fields, set), measure, needed)
    : {
        ...wholeDocuments,
        ...(ast &&
          source === undefined &&
          rowFilter(ast) &&
          withFilter(expression, bindings, wholeDocuments.name)),
      };
}

async function withFields(
  projection: RowProjection,
  measure: (projection: RowProjection) => Promise<Size | undefined>,
  needed: (projection: RowProjection, size: Size | undefined) => NeededDocuments,
): Promise<NeededDocuments> {
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
