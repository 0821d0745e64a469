import { COLUMN_TYPES, SYSTEM_COLUMNS, type TableDefinition } from '@datadeck/connectors';
import { type SQL, sql } from 'drizzle-orm';
import type pg from 'pg';
import { type Queryable, queryableOf } from '../../platform/db/database.ts';
import { inTransaction, type Within } from '../../platform/db/transaction.ts';
import { StartError } from '../../platform/start-error.ts';
import type { RecordSource, StoredEntity, WriteTarget } from './source.ts';

/** Returns the table name of an entity, which equals the name in its declaration. */
export function tableNameOf(entity: string): string {
  return entity.replaceAll('-', '_');
}

/** Returns the quoted table name of an entity for a statement. */
export function tableOf({ entity }: Pick<RecordSource, 'entity'>): SQL {
  return sql`${sql.identifier(tableNameOf(entity))}`;
}

/** Returns the condition that a row of the entity's table belongs to the source. @param alias of the table, with a dot */
export function isRecordOf({ userId, connectionId }: RecordSource, alias: 'r.' | '' = 'r.'): SQL {
  const name = (column: string) => sql.raw(`${alias}${column}`);
  return sql`${name('user_id')} = ${userId} and ${name('connection_id')} = ${connectionId}`;
}

/** Returns the expression for the date by which the provider lists the record `r`. */
export function listedAt({ listedBy }: Pick<WriteTarget, 'listedBy'>): SQL {
  return listedBy === undefined
    ? sql`r.occurred_at`
    : sql`coalesce(r.${sql.identifier(listedBy)}, r.occurred_at)`;
}

/** Table comment that marks tables created from a declaration. */
const TABLE_COMMENT = 'Records of a synchronised entity';
const SYSTEM_COLUMNS_SQL = `user_id uuid not null, connection_id uuid not null, id text not null, scopes text[] not null,
  occurred_at timestamptz not null, hash text not null, extraction integer not null, created_sync uuid not null,
  changed_sync uuid not null`;

function createStatements({ name, columns }: Pick<TableDefinition, 'name' | 'columns'>): string[] {
  const declared = Object.entries(columns).map(([column, { type }]) => `"${column}" ${type}`);
  return [
    `create table "${name}" (${[SYSTEM_COLUMNS_SQL, ...declared].join(', ')}, data json not null, primary key (user_id, connection_id, id))`,
    // Ascending and scanned backwards: a descending index would have to repeat the NULLS order of each query.
    `create index "${name}_newest" on "${name}" (user_id, connection_id, occurred_at, id)`,
    // Stored uncompressed: reading speed matters more than disk space.
    `alter table "${name}" alter column data set storage external`,
    `comment on table "${name}" is '${TABLE_COMMENT}'`,
  ];
}

/**
 * Creates the missing extended statistics: of the expressions that templates group by, and of the keys. A connection
 * belongs to one user; without the latter the planner expects one row of a user among many, and reads all rows of the
 * connection for each id that it looks up.
 */
async function createMissingStatistics(
  client: pg.ClientBase,
  { name, groups = [] }: TableDefinition,
): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    'select stxname as name from pg_statistic_ext where stxrelid = to_regclass($1)',
    [`"${name}"`],
  );
  const stored = new Set(rows.map((row) => row.name));
  // Checked first, so that the server can start on a read-only database.
  for (const [index, expression] of groups.entries()) {
    const group = `${name}_group_${index}`;
    if (!stored.has(group))
      await client.query(`create statistics "${group}" on (${expression}) from "${name}"`);
  }
  const source = `${name}_source`;
  if (stored.has(source)) return;
  await client.query(`create statistics "${source}" (dependencies) on user_id, connection_id from "${name}"`);
  // Tables of earlier versions may not change enough to be analysed soon.
  await client.query(`analyze "${name}"`);
}

/** A relation of the database: its comment, and the types of its columns as `format_type` prints them. */
interface StoredTable extends Record<string, unknown> {
  comment: string | null;
  columns: Record<string, string>;
}

/** Reads the relation of a name: a table, or an index that has the name; undefined without one. */
async function storedTable(db: Queryable, name: string): Promise<StoredTable | undefined> {
  const { rows } = await db.execute<StoredTable>(sql`
    select obj_description(c.oid, 'pg_class') as comment,
      (select json_object_agg(attname, format_type(atttypid, atttypmod)) from pg_attribute
        where attrelid = c.oid and attnum > 0 and not attisdropped) as columns
    from pg_class c where c.oid = to_regclass(${`"${name}"`})`);
  return rows[0];
}

/** Returns whether records of an entity fit into the table that the database has for it, which may lack columns; also without one. */
export async function fitsStoredTable(
  db: Queryable,
  { table }: Pick<StoredEntity, 'table'>,
): Promise<boolean> {
  const stored = await storedTable(db, table.name);
  if (stored === undefined) return true;
  const isOfTypes = Object.entries(table.columns).every(([column, { type }]) => {
    const before = stored.columns[column];
    return before === undefined || isOfType(before, type);
  });
  return stored.comment === TABLE_COMMENT && isOfTypes;
}

/** Returns PostgreSQL's name of a declared type, as `format_type` prints it. */
const postgresTypeName = (type: string) => (type === 'timestamptz' ? 'timestamp with time zone' : type);

async function prepareTable(client: pg.ClientBase, entity: StoredEntity): Promise<void> {
  const { name, columns } = entity.table;
  const stored = await storedTable(queryableOf(client), name);
  if (stored === undefined) {
    for (const statement of createStatements(entity.table)) await client.query(statement);
    return;
  }
  if (stored.comment !== TABLE_COMMENT)
    throw new StartError(
      `The entity ${entity.id} cannot be stored: the database already has another table ${name}. Rename or remove that table, then start again.`,
    );
  for (const [column, { type }] of Object.entries(columns)) {
    const before = stored.columns[column];
    if (before === undefined) await client.query(`alter table "${name}" add column "${column}" ${type}`);
    else if (!isOfType(before, type))
      throw new StartError(
        `The column ${column} of the entity ${entity.id} is ${before} in the database and ${type} in its declaration. Give the new column another name.`,
      );
  }
}

/**
 * Creates the tables of entities and adds newly declared columns. Columns are never dropped.
 * @param client a connection that holds the migration lock
 * @param within how it is done in one transaction; a table without its comment would not be recognised later
 * @throws StartError when an existing table or column does not match its declaration
 */
export async function prepareRecordTables(
  client: pg.ClientBase,
  entities: readonly StoredEntity[],
  within: Within = inTransaction,
): Promise<void> {
  await within(client, async () => {
    for (const entity of entities) {
      await prepareTable(client, entity);
      await createMissingStatistics(client, entity.table);
    }
  });
}

/** What the database has under the name of an entity's table. */
export interface KnownTable {
  /** Whether it holds records; any other relation takes the name away. */
  isOfRecords: boolean;
  /** Types of the columns by name. */
  columns: ReadonlyMap<string, string>;
}

/** Reads what is stored under the name of an entity's table; undefined if nothing is. */
export async function readRecordTable(
  client: pg.ClientBase,
  entity: string,
): Promise<KnownTable | undefined> {
  const stored = await storedTable(queryableOf(client), tableNameOf(entity));
  if (stored === undefined) return undefined;
  return {
    isOfRecords: stored.comment === TABLE_COMMENT,
    columns: new Map(Object.entries(stored.columns ?? {})),
  };
}

/** Returns whether a column of the database has a declared type. */
export function isOfType(stored: string, declared: string): boolean {
  return stored === postgresTypeName(declared);
}

/** Returns whether an entity has no stored record, or no table. */
export async function isEmptyTable(client: pg.ClientBase, entity: string): Promise<boolean> {
  const name = tableNameOf(entity);
  const stored = await storedTable(queryableOf(client), name);
  if (stored?.comment !== TABLE_COMMENT) return true;
  const { rows } = await client.query<{ found: boolean }>(`select exists (select from "${name}") as found`);
  return rows[0]?.found !== true;
}

/**
 * Drops the table of an entity; its triggers and views go with it.
 * @param client a connection that holds the migration lock
 * @returns its name
 */
export async function dropRecordTable(client: pg.ClientBase, entity: string): Promise<string> {
  const name = tableNameOf(entity);
  const stored = await storedTable(queryableOf(client), name);
  if (stored?.comment === TABLE_COMMENT) await client.query(`drop table "${name}" cascade`);
  return name;
}

/** Names that need no quotes in SQL; declared names are among them. */
const NAME = /^[a-z][a-z0-9_]{0,40}$/;

/**
 * Creates an entity's table as a backup describes it: other versions of a connector declare other columns.
 * @param columns all columns with their types, as `format_type` prints them
 * @throws StartError when it is not the table of an entity
 */
export async function recreateRecordTable(
  client: pg.ClientBase,
  { name, columns }: { name: string; columns: readonly { name: string; type: string }[] },
): Promise<void> {
  const declared = columns.filter((column) => !(SYSTEM_COLUMNS as readonly string[]).includes(column.name));
  const definitions = declared.map((column) => {
    const type = COLUMN_TYPES.find((known) => postgresTypeName(known) === column.type);
    return [column.name, type && NAME.test(column.name) ? { type } : undefined] as const;
  });
  const isEntity = columns.length === declared.length + SYSTEM_COLUMNS.length && NAME.test(name);
  const wrong = definitions.find(([, definition]) => definition === undefined);
  if (!isEntity || wrong)
    throw new StartError(
      `The backup cannot be restored: its table ${name} is neither a table of this version nor that of an entity.`,
    );
  const known = definitions.flatMap(([column, definition]) => (definition ? [[column, definition]] : []));
  for (const statement of createStatements({ name, columns: Object.fromEntries(known) }))
    await client.query(statement);
}

/** Lists the tables created from declarations, including those of connectors that no longer exist. */
export async function recordTables(db: Queryable): Promise<string[]> {
  const { rows } = await db.execute<{ name: string }>(sql`
    select relname as name from pg_class
    where relkind in ('r', 'p') and not relispartition and pg_table_is_visible(oid) and obj_description(oid, 'pg_class') = ${TABLE_COMMENT} order by relname`);
  return rows.map(({ name }) => name);
}
