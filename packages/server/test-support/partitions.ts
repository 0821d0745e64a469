import pg from 'pg';

/** Tables with a `user_id` that are found by a secret or an identity, before the user is known, or that belong to the server: one copy. */
export const COMMON_TABLES = [
  'identities',
  'sessions',
  'sign_in_tokens',
  'auth_attempts',
  'sql_roles',
  'connector_clients',
] as const;

/** Returns the name of a partition. */
const partitionOf = (table: string, index: number) => `${table}_part${index}`;

/** Returns the table and number of a partition; undefined for other tables. */
export function parsePartition(name: string): { table: string; index: number } | undefined {
  const [, table, index] = /^(.+)_part(\d+)$/.exec(name) ?? [];
  return table === undefined ? undefined : { table, index: Number(index) };
}

/** Lists the tables that hold rows of users, other than common ones. */
export async function listTenantTables(client: Pick<pg.ClientBase, 'query'>): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'user_id'
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and c.relname <> all ($1) order by 1`,
    [COMMON_TABLES],
  );
  return rows.map(({ name }) => name);
}

interface TableParts {
  isUnlogged: boolean;
  comment: string | null;
  /** Definitions of keys, in the order in which they can be created. */
  keys: { name: string; definition: string }[];
  /** Statements that create the other indexes. */
  indexes: string[];
}

async function readParts(client: pg.ClientBase, table: string): Promise<TableParts> {
  const { rows } = await client.query<TableParts>(
    `select c.relpersistence = 'u' as "isUnlogged", obj_description(c.oid, 'pg_class') as comment,
      coalesce((select json_agg(json_build_object('name', conname, 'definition', pg_get_constraintdef(oid)) order by contype desc)
        from pg_constraint where conrelid = c.oid and contype in ('p', 'u', 'f')), '[]') as keys,
      array(select pg_get_indexdef(i.indexrelid) from pg_index i where i.indrelid = c.oid
        and not exists (select from pg_constraint k where k.conindid = i.indexrelid and k.conrelid = c.oid)) as indexes
    from pg_class c where c.oid = to_regclass($1)`,
    [table],
  );
  const [parts] = rows;
  if (!parts) throw new Error(`there is no table ${table}`);
  return parts;
}

async function partition(client: pg.ClientBase, table: string, count: number): Promise<void> {
  const { isUnlogged, comment, keys, indexes } = await readParts(client, table);
  const name = pg.escapeIdentifier(table);
  await client.query(`alter table ${name} rename to whole_table`);
  await client.query(
    `create table ${name} (like whole_table including all excluding indexes excluding statistics) partition by hash (user_id)`,
  );
  await client.query('drop table whole_table cascade');
  for (const key of keys)
    await client.query(`alter table ${name} add constraint "${key.name}" ${key.definition}`);
  for (const statement of indexes) await client.query(statement);
  if (comment !== null) await client.query(`comment on table ${name} is ${pg.escapeLiteral(comment)}`);
  for (let index = 0; index < count; index++)
    await client.query(
      `create ${isUnlogged ? 'unlogged ' : ''}table ${partitionOf(table, index)} partition of ${name}
      for values with (modulus ${count}, remainder ${index})`,
    );
}

/**
 * Replaces each empty table of users by one that is partitioned by a hash of `user_id`, as databases distribute rows over
 * servers. Fails where a unique key or foreign key does not contain `user_id`.
 */
export async function partitionTenantTables(client: pg.ClientBase, count = 4): Promise<void> {
  await client.query('begin');
  for (const table of await listTenantTables(client)) {
    const { rows } = await client.query(`select from ${pg.escapeIdentifier(table)} limit 1`);
    if (rows.length > 0) throw new Error(`the table ${table} has rows`);
    await partition(client, table, count);
  }
  await client.query('commit');
}
