import type { Sort } from '@datadeck/contract';
import { type SQL, sql } from 'drizzle-orm';
import type { RecordSet, StoredEntity } from '../records/index.ts';
import { type Column, columnsOf, withAccounts } from './copied-columns.ts';
import type { OrderTerm } from './order.ts';

/** Returns the value of a column by which rows are sorted; undefined for lists. In few rows only the document has it. */
function sortValue({ kind, column, isUnknown, path }: Column): SQL | undefined {
  const names = sql`${sql.param(`{${path.map((name) => JSON.stringify(name)).join()}}`)}::text[]`;
  const inDocument = (type: string) =>
    sql`case json_typeof(r.data #> ${names}) when ${type} then r.data #>> ${names} end`;
  switch (kind) {
    case 'number':
      return sql`case when ${isUnknown} then (${inDocument('number')})::double precision else ${column}::double precision end`;
    case 'boolean':
      return sql`case when ${isUnknown} then (${inDocument('boolean')})::boolean else ${column} end`;
    case 'string':
      return sql`(case when ${isUnknown} then ${inDocument('string')} else ${column} end) collate "C"`;
    case 'instant':
      return column;
    default:
      return undefined;
  }
}

/** Returns the terms that sort documents by a field as `sortItems` does; undefined if no column copies the field. */
export function columnOrder(
  set: RecordSet,
  entity: StoredEntity,
  { path, isDescending }: Sort,
): readonly OrderTerm[] | undefined {
  const column = columnsOf(withAccounts(entity, set)).find(
    (one) => JSON.stringify(one.path) === JSON.stringify(path),
  );
  const value = column && sortValue(column);
  return value && [{ by: sql`(${value} is null)` }, { by: value, descending: isDescending }];
}
