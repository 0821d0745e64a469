import type { EntityDefinition, SearchDefinition } from '@datadeck/connectors';
import type pg from 'pg';
import { inTransaction, type Within } from '../../platform/db/transaction.ts';
import { entryOf, quoted, REFUSALS, type SearchedEntity, searchedEntities } from './entry.ts';
import { prepareEntryFunction } from './past-entries.ts';

/** Returns the operator that finds records by their sender or author. */
export function personOperator({ words }: SearchDefinition): 'from' | 'author' {
  return 'from' in words ? 'from' : 'author';
}

/** Operators whose values completion does not offer: the values of `in` are labels, and each message has another id. */
const NOT_COMPLETED = ['in', 'rfc822msgid'];

/** Returns the operators whose values completion offers, with their `text[]` expressions over the row. */
function completedNames({ names }: SearchDefinition): [operator: string, list: string][] {
  return Object.entries(names).filter(([operator]) => !NOT_COMPLETED.includes(operator));
}

/**
 * Returns the statement that indexes rows of one user. Rows that are indexed already are replaced.
 * @param rows a table expression of the entity's rows called `r` @param owner an expression for the id of their user, by
 *   which the planner finds the partition of the user
 */
function indexStatement(entity: SearchedEntity, { rows, owner }: { rows: string; owner: string }): string {
  const { id, search } = entity;
  const { columns, tables } = entryOf(entity);
  const names = completedNames(search);
  const lists = names.map(([operator, list]) => `, ${list} as "${operator}"`).join('');
  const values = [
    `select ${quoted(personOperator(search))} as operator, unnest(people) as value`,
    ...names.map(([operator]) => `select ${quoted(operator)}, unnest("${operator}")`),
  ];
  return `with entries as materialized (
    select ${columns}${lists}
    from ${rows} ${tables}
  ), stored as (
    insert into search_entries (user_id, connection_id, entity, id, occurred_at, person, labels, facts, parts, size, conversation, terms)
    select user_id, connection_id, ${quoted(id)}, id, occurred_at, person, labels, facts, parts, size, conversation, terms from entries
    on conflict (user_id, connection_id, entity, id) do update set occurred_at = excluded.occurred_at,
      person = excluded.person, labels = excluded.labels, facts = excluded.facts, parts = excluded.parts,
      size = excluded.size, conversation = excluded.conversation, terms = excluded.terms
  )
  insert into search_values (user_id, connection_id, entity, operator, value)
  select * from (
    select distinct user_id, connection_id, ${quoted(id)} as entity, operator, left(value, 200) as value
    from entries cross join lateral (${values.join(' union all ')}) named where value <> ''
  ) found
  where not exists (select from search_values known where known.user_id = ${owner}
    and known.connection_id = found.connection_id and known.entity = found.entity and known.operator = found.operator
    and known.value = found.value offset 0)`;
}

/** Name and body of a trigger function, and the clauses of the trigger that calls it. */
interface Trigger {
  name: string;
  body: string;
  clauses: string;
}

/** Returns the name of the function that indexes stored records: `(owner uuid, source uuid, listed text[])`. */
export function indexFunctionOf({ table }: Pick<SearchedEntity, 'table'>): string {
  return `"${table.name}_search_index"`;
}

/**
 * Returns the function that indexes stored records by their ids. It divides the ids until a record that PostgreSQL refuses
 * to index is alone; such a record has no entry and is named in the database's log.
 */
function indexFunction(entity: SearchedEntity): string {
  const name = indexFunctionOf(entity);
  const rows = `(select * from "${entity.table.name}" where user_id = owner and connection_id = source and id = any(listed)) r`;
  const source = `begin
  begin
    ${indexStatement(entity, { rows, owner: 'owner' })};
  exception when ${REFUSALS} then
    if cardinality(listed) = 1 then
      delete from search_entries where user_id = owner and connection_id = source and entity = ${quoted(entity.id)} and id = listed[1];
      raise warning 'the record % of the connection % cannot be searched: %', left(listed[1], 200), source, left(sqlerrm, 200);
    else
      perform ${name}(owner, source, listed[:cardinality(listed) / 2]);
      perform ${name}(owner, source, listed[cardinality(listed) / 2 + 1:]);
    end if;
  end;
end`;
  return `create or replace function ${name}(owner uuid, source uuid, listed text[]) returns void language plpgsql as ${quoted(source)}`;
}

/**
 * Returns a loop that indexes the rows of each user, so that each run touches one partition. Rows of which PostgreSQL
 * refuses one are indexed again by `indexFunction`: a record is stored, even if it cannot be searched.
 */
function indexEachOwner(entity: SearchedEntity, rows: string): string {
  const statement = indexStatement(entity, { rows: `(${rows} where user_id = owner) r`, owner: 'owner' });
  return `for owner in select distinct user_id from new_rows loop
  begin
    ${statement};
  exception when ${REFUSALS} then
    for refused in select r.connection_id, array_agg(r.id) as ids from (${rows} where user_id = owner) r group by 1 loop
      perform ${indexFunctionOf(entity)}(owner, refused.connection_id, refused.ids);
    end loop;
  end;
  end loop`;
}

function triggersOf(entity: SearchedEntity): Trigger[] {
  const name = entity.table.name;
  const key = '(user_id, connection_id, id)';
  return [
    {
      name: `${name}_search_insert`,
      clauses: 'after insert on %s referencing new table as new_rows',
      body: indexEachOwner(entity, 'select * from new_rows'),
    },
    {
      name: `${name}_search_update`,
      clauses: 'after update on %s referencing new table as new_rows old table as old_rows',
      // Runs also update a row when only its scopes change.
      body: indexEachOwner(
        entity,
        `select n.* from (
          select n.* from new_rows n join old_rows o using ${key}
          where (n.hash, n.extraction) is distinct from (o.hash, o.extraction)) n`,
      ),
    },
    {
      name: `${name}_search_delete`,
      clauses: 'after delete on %s referencing old table as old_rows',
      // Row by row, by the primary key: the planner knows nothing of a transition table or of a table that just grew, and
      // read all entries of a user for each row.
      body: `for gone in select user_id, connection_id, id from old_rows loop
    delete from search_entries where user_id = gone.user_id and connection_id = gone.connection_id
      and entity = ${quoted(entity.id)} and id = gone.id;
  end loop`,
    },
  ];
}

const functionSource = ({ body }: Trigger) =>
  `declare\n  owner uuid;\n  gone record;\n  refused record;\nbegin\n  ${body};\n  return null;\nend`;

/** Returns whether the table has all triggers of this version. */
async function areCurrent(client: pg.ClientBase, entity: SearchedEntity): Promise<boolean> {
  const { rows } = await client.query<{ name: string; source: string }>(
    `select t.tgname as name, p.prosrc as source from pg_trigger t join pg_proc p on p.oid = t.tgfoid
    where t.tgrelid = to_regclass($1) and not t.tgisinternal`,
    [`"${entity.table.name}"`],
  );
  const sources = new Map(rows.map(({ name, source }) => [name, source]));
  return triggersOf(entity).every((trigger) => sources.get(trigger.name) === functionSource(trigger));
}

/** Replaces the triggers of an entity's table, and notes which sources have records that are not indexed in this way. */
async function replaceTriggers(client: pg.ClientBase, entity: SearchedEntity): Promise<void> {
  const table = `"${entity.table.name}"`;
  await client.query(indexFunction(entity));
  for (const trigger of triggersOf(entity)) {
    await client.query(
      `create or replace function "${trigger.name}"() returns trigger language plpgsql as ${quoted(functionSource(trigger))}`,
    );
    await client.query(
      `create or replace trigger "${trigger.name}" ${trigger.clauses.replace('%s', table)} for each statement execute function "${trigger.name}"()`,
    );
  }
  await client.query(
    `insert into search_pending (user_id, connection_id, entity)
    select user_id, connection_id, entity from record_versions where entity = $1 and records > 0
    on conflict (user_id, connection_id, entity) do update set after = ''`,
    [entity.id],
  );
}

/** Drops the functions of a table that was dropped. @param client a connection that holds the migration lock */
export async function dropSearch(client: pg.ClientBase, table: string): Promise<void> {
  for (const part of ['search_insert', 'search_update', 'search_delete', 'search_index', 'search_entry'])
    await client.query(`drop function if exists "${table}_${part}"`);
}

/**
 * Creates the functions that compute earlier entries, and the triggers that keep the search index, where they are missing or of
 * another version.
 * @param client a connection that holds the migration lock, after the record tables were prepared
 * @param within how the triggers of an entity are replaced at once
 */
export async function prepareSearch(
  client: pg.ClientBase,
  entities: readonly EntityDefinition[],
  within: Within = inTransaction,
): Promise<void> {
  for (const entity of searchedEntities(entities)) {
    await prepareEntryFunction(client, entity);
    if (await areCurrent(client, entity)) continue;
    await within(client, () => replaceTriggers(client, entity));
  }
}
