import { isStorable } from '@datadeck/connectors';
import { type JoinKeys, joinKeys, type RowSource } from '@datadeck/jsonata';
import { type SQL, sql } from 'drizzle-orm';
import type { ConnectorRegistry } from '../connections/index.ts';
import { textArray } from '../records/index.ts';
import { findTemplate } from './catalogue.ts';
import { type Column, columnsOf, nameOf, type QueriedEntity } from './copied-columns.ts';
import { nameOfSql, parseSmall, type RowCondition } from './row-conditions.ts';

/** The values (keys) with which an expression compares fields of the documents. Documents without such a value need not be read. */
export interface ComparedKeys {
  /** Paths of the fields. A document is needed if one of them may be among the keys. */
  fields: readonly (readonly string[])[];
  values: readonly (string | number)[];
}

/** Returns the column of each field that can select documents by keys; undefined unless each has one. */
function keyColumns(fields: ComparedKeys['fields'], entity: QueriedEntity): readonly Column[] | undefined {
  const known = columnsOf(entity).filter(({ kind }) => ['string', 'number', 'instant'].includes(kind));
  const columns = [...new Set(fields.map((path) => JSON.stringify(path)))].map((name) =>
    known.find(({ path }) => JSON.stringify(path) === name),
  );
  return columns.every((column) => column !== undefined) ? columns : undefined;
}

function isAmong({ kind, value, isUnknown }: Column, values: ComparedKeys['values']): SQL {
  // A text that the database cannot store is in no column.
  const texts = values.filter((key) => typeof key === 'string' && isStorable(key)) as string[];
  const numbers = values.filter((key) => typeof key === 'number');
  return kind === 'number'
    ? sql`(${value} = any(${sql.param(numbers)}::double precision[]) or ${isUnknown})`
    : sql`(${value} = any(${textArray(texts)}) or ${isUnknown})`;
}

/**
 * Returns the condition that keeps documents of which one field or more has one of the keys, or a value that its column cannot
 * hold. Undefined, so that all documents are read, when a field has no column.
 */
export function keyCondition(
  { fields, values }: ComparedKeys,
  entity: QueriedEntity,
): RowCondition | undefined {
  const columns = keyColumns(fields, entity);
  if (columns === undefined) return undefined;
  const parts = columns.map((column) => isAmong(column, values));
  const where = sql`(${sql.join(parts, sql` or `)})`;
  const text = columns.map((column) => `${nameOf(column)} in [${values.length} keys]`).join(' or ');
  return { where, text, name: nameOfSql(where) };
}

/**
 * Returns the keys with which an expression compares the documents of a template, if columns can select documents by them.
 * Undefined for other templates, and when the expression may need all documents.
 */
export function findJoinKeys(
  registry: ConnectorRegistry,
  request: { entity: string; templateKey: string; expression: string; source: RowSource },
): JoinKeys | undefined {
  const { entity, template } = findTemplate(registry, request);
  if (template.kind !== 'documents') return undefined;
  const ast = parseSmall(request.expression);
  const found = ast && joinKeys(ast, request.source);
  return found && keyColumns(found.fields, entity) ? found : undefined;
}
