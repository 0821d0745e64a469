import { createHash } from 'node:crypto';
import type pg from 'pg';
import { inTransaction, type Within } from '../../platform/db/transaction.ts';
import type { StoredEntity } from '../records/index.ts';
import { revokeFromPublic } from './rights.ts';
import { SQL_SCHEMA } from './schema.ts';

/**
 * Returns the query of an entity's view: the rows of the shown accounts of the user of the session's role, as templates read them.
 *
 * `session_user` is the role of the login, which no statement of a role can change. `offset 0` keeps conditions outside:
 * inside, the planner would estimate them by the values of all users, which EXPLAIN shows.
 */
function viewQuery({
  table: { name, columns },
  globalIds,
}: Pick<StoredEntity, 'table' | 'globalIds'>): string {
  const system = ['connection_id', 'id', 'occurred_at', 'data'].map((name) => `r."${name}"`);
  const own = Object.entries(columns).map(([name, { shownAs = name }]) => `r."${name}" as "${shownAs}"`);
  const user = '(select s.user_id from public.sql_roles s where s.role = session_user::text)';
  const isShown = (account: string, row: string) =>
    `${account}.user_id = ${row}.user_id and ${account}.id = ${row}.connection_id and ${account}.is_shown`;
  const rank = (alias: string) =>
    `(coalesce(${alias}."${globalIds?.newestBy}", '-infinity'), ${alias}.connection_id)`;
  const isNewest =
    globalIds === undefined
      ? ''
      : ` and not exists (select from public."${name}" o join public.connections d on ${isShown('d', 'o')}
      where o.user_id = r.user_id and o.id = r.id and o.connection_id <> r.connection_id and ${rank('o')} > ${rank('r')})`;
  return `select ${[...system.slice(0, 3), ...own, ...system.slice(3)].join(', ')}, a.account from public."${name}" r
    join public.connections a on ${isShown('a', 'r')}
    where r.user_id = ${user}${isNewest} offset 0`;
}

/** Creates the view of an entity, unless it exists in this form. */
async function prepareView(client: pg.ClientBase, entity: StoredEntity): Promise<void> {
  const { table } = entity;
  const view = `${SQL_SCHEMA}."${table.name}"`;
  const query = viewQuery(entity);
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

/** Creates missing views and replaces those of another version, if SQL access is used. @returns whether it is */
export async function prepareViews(
  client: pg.ClientBase,
  entities: readonly StoredEntity[],
  within: Within = inTransaction,
): Promise<boolean> {
  const { rowCount } = await client.query('select from pg_namespace where nspname = $1', [SQL_SCHEMA]);
  if (rowCount === 0) return false;
  await within(client, async () => {
    for (const entity of entities) await prepareView(client, entity);
  });
  return true;
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
  const isUsed = await prepareViews(client, entities);
  if (isUsed && isEmbedded) await revokeFromPublic(client, { isEmbedded });
}
