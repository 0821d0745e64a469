import { createHash } from 'node:crypto';
import type { TableDefinition } from '@datadeck/connectors';
import type pg from 'pg';
import { inTransaction } from '../../platform/db/transaction.ts';
import type { StoredEntity } from '../records/index.ts';
import { revokeFromPublic } from './rights.ts';
import { SQL_SCHEMA } from './schema.ts';

/**
 * Returns the query of an entity's view: the rows of the user of the session's role.
 *
 * `session_user` is the role of the login, which no statement of a role can change. `offset 0` keeps conditions outside:
 * inside, the planner would estimate them by the values of all users, which EXPLAIN shows.
 */
function viewQuery({ name, columns }: Pick<TableDefinition, 'name' | 'columns'>): string {
  const selected = ['connection_id', 'id', 'occurred_at', ...Object.keys(columns), 'data'];
  return `select ${selected.map((column) => `r."${column}"`).join(', ')} from public."${name}" r
    where r.user_id = (select s.user_id from public.sql_roles s where s.role = session_user::text) offset 0`;
}

/** Creates the view of an entity, unless it exists in this form. */
async function prepareView(client: pg.ClientBase, { table }: StoredEntity): Promise<void> {
  const view = `${SQL_SCHEMA}."${table.name}"`;
  const query = viewQuery(table);
  const comment = `Records of the user of this role (${createHash('sha256').update(query).digest('hex').slice(0, 16)})`;
  const { rows } = await client.query<{ stored: boolean; comment: string | null }>(
    `select to_regclass($1) is not null as stored, obj_description(to_regclass($2), 'pg_class') as comment`,
    [`public."${table.name}"`, view],
  );
  if (rows[0]?.stored !== true || rows[0].comment === comment) return;
  await client.query(`drop view if exists ${view} cascade`);
  await client.query(`create view ${view} with (security_barrier) as ${query}`);
  await client.query(`comment on view ${view} is '${comment}'`);
  // A role without a user sees no row, so that roles need no rights of their own and can be dropped at any time.
  await client.query(`grant select on ${view} to public`);
}

/** Creates the schema and the views of entities. @param client a connection of the owner of the record tables */
export async function createSqlViews(
  client: pg.ClientBase,
  entities: readonly StoredEntity[],
): Promise<void> {
  await inTransaction(client, async () => {
    await client.query(`create schema if not exists ${SQL_SCHEMA}`);
    await client.query(`grant usage on schema ${SQL_SCHEMA} to public`);
    for (const entity of entities) await prepareView(client, entity);
  });
}

/**
 * Creates missing views and replaces those of another version, if SQL access is used. In the embedded database, it also takes
 * rights from PUBLIC that an earlier version left.
 * @param client a connection that holds the migration lock, after the record tables were prepared
 */
export async function prepareSqlAccess(
  client: pg.ClientBase,
  entities: readonly StoredEntity[],
  { isEmbedded }: { isEmbedded: boolean },
): Promise<void> {
  const { rowCount } = await client.query('select from pg_namespace where nspname = $1', [SQL_SCHEMA]);
  if (rowCount === 0) return;
  await inTransaction(client, async () => {
    for (const entity of entities) await prepareView(client, entity);
  });
  if (isEmbedded) await revokeFromPublic(client, { isEmbedded });
}
