import { ACCOUNT_FIELDS } from '@datadeck/contract';
import type { RowFields } from '@datadeck/jsonata';
import { type SQL, sql } from 'drizzle-orm';
import { accountOf, accountsOf, type RecordSet, textArray } from '../records/index.ts';
import { type Column, columnsOf, type QueriedEntity } from './copied-columns.ts';

/*
 * Reduces rows to the fields that an expression reads. If columns copy all of them, rows are built from the columns: about
 * a tenth of the bytes, and less to parse. Otherwise the fields are taken from the documents.
 */

type Path = readonly string[];

/** Builds a JSON object from columns by their paths. */
function objectOf(columns: readonly { path: Path; value: SQL }[]): SQL {
  const names = [...new Set(columns.map(({ path }) => path[0] ?? ''))];
  const members = names.map((name) => {
    const below = columns.filter(({ path }) => path[0] === name);
    const [only] = below;
    const value =
      only?.path.length === 1
        ? only.value
        : objectOf(below.map(({ path, value }) => ({ path: path.slice(1), value })));
    return sql`${name}::text, ${value}`;
  });
  return sql`json_build_object(${sql.join(members, sql`, `)})`;
}

/** Selects a row `r` reduced to the fields that an expression reads. */
export interface RowProjection {
  row: SQL;
  /** Cache key: equal names mean equal rows in the same data version. */
  name: string;
}

/**
 * Returns the projection to columns; undefined if no column copies one of the fields. A row stays whole if one of its
 * columns `isUnknown`.
 * @param document expression: the whole document
 */
export function columnProjection(
  { paths, arePlain }: RowFields,
  entity: QueriedEntity,
  document: SQL,
): RowProjection | undefined {
  if (!arePlain) return undefined;
  const known = columnsOf(entity);
  const names = [...new Set(paths.map((path) => JSON.stringify(path)))].sort();
  const columns: Column[] = [];
  for (const name of names) {
    const column = known.find(({ path }) => JSON.stringify(path) === name);
    if (!column) return undefined;
    columns.push(column);
  }
  const isUnknownRow = sql.join([sql`false`, ...columns.map(({ isUnknown }) => isUnknown)], sql` or `);
  return {
    row: sql`case when ${isUnknownRow} then ${document} else ${objectOf(columns)}::text end`,
    name: `columns ${names.join()}`,
  };
}

/** Returns the projection to fields of the documents, which costs more than one to columns. */
export function fieldProjection({ paths }: RowFields, set: RecordSet): RowProjection {
  const names = [...new Set(paths.map(([name = '']) => name))].sort();
  const added = {
    account: sql`to_json(${accountOf(set)})`,
    accounts: sql`array_to_json(${accountsOf(set)})`,
  };
  const read = ACCOUNT_FIELDS.filter((name) => names.includes(name) && (name === 'account' || set.globalIds));
  const fields = [
    ...read.map((name) => sql`select ${name}::text as key, ${added[name]} as value`),
    sql`select key, value from json_each(r.data) where key = any(${textArray(names)})`,
  ];
  return {
    row: sql`(select coalesce(json_object_agg(key, value), '{}')::text from (${sql.join(fields, sql` union all `)}) fields)`,
    name: `fields ${JSON.stringify(names)}`,
  };
}
