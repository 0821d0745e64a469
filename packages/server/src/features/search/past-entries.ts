import { sql } from 'drizzle-orm';
import type pg from 'pg';
import type { DerivedRows } from '../records/index.ts';
import { entryOf, quoted, REFUSALS, type SearchedEntity } from './entry.ts';

/** The columns of an entry without those that name its record. */
const COLUMNS = ['occurred_at', 'person', 'labels', 'facts', 'parts', 'size', 'conversation', 'terms'];

function entryFunctionOf({ table }: Pick<SearchedEntity, 'table'>): string {
  return `"${table.name}_search_entry"`;
}

/** Returns the body of the function that computes the entry of a row from the undo log. */
function entrySource(entity: SearchedEntity): string {
  const { columns, tables } = entryOf(entity);
  const names = ['user_id', 'connection_id', 'id', ...COLUMNS];
  return `declare
  entry search_entries;
begin
  select ${quoted(entity.id)}, ${names.map((name) => `s.${name}`).join(', ')}
  into entry.entity, ${names.map((name) => `entry.${name}`).join(', ')}
  from (select ${columns}
    from json_populate_record(null::"${entity.table.name}", saved) r ${tables}) s;
  return entry;
exception when ${REFUSALS} then
  return null;
end`;
}

/**
 * Creates the function `(saved json)`, which computes the entry of a row from the undo log as the triggers do that of a stored
 * one; null for a row that PostgreSQL refuses to index.
 * @param client a connection that holds the migration lock
 */
export async function prepareEntryFunction(client: pg.ClientBase, entity: SearchedEntity): Promise<void> {
  const name = entryFunctionOf(entity);
  const source = entrySource(entity);
  const { rows } = await client.query<{ source: string }>(
    'select prosrc as source from pg_proc where oid = to_regproc($1)',
    [name],
  );
  // A start without an upgrade changes no system table.
  if (rows[0]?.source === source) return;
  await client.query(
    `create or replace function ${name}(saved json) returns search_entries language plpgsql stable as ${quoted(source)}`,
  );
}

/** Returns how the search index of an entity is read as it was: the entries of saved rows are computed, not stored. */
export function pastEntries(entity: Pick<SearchedEntity, 'id' | 'table'>): DerivedRows {
  return {
    table: 'search_entries',
    where: sql`d.entity = ${entity.id}`,
    ofSaved: (row) => sql`${sql.raw(entryFunctionOf(entity))}(${row})`,
  };
}
