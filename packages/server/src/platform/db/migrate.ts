import { fileURLToPath } from 'node:url';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import type pg from 'pg';
import { StartError } from '../start-error.ts';
import { sqlState } from './failures.ts';

const FOLDER = fileURLToPath(new URL('../../../migrations', import.meta.url));
const LOCK_KEY = 7_238_120;

/** Table that lists the applied migrations. */
export const MIGRATIONS_TABLE = 'datadeck_migrations';

const MIGRATIONS = {
  migrationsFolder: FOLDER,
  migrationsSchema: 'public',
  migrationsTable: MIGRATIONS_TABLE,
};

/** @throws StartError for an unsupported server version or encoding */
async function requireSuitable(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ version: string; encoding: string }>(
    "select current_setting('server_version_num') as version, current_setting('server_encoding') as encoding",
  );
  if (Number(rows[0]?.version) < 150_000)
    throw new StartError(
      'The database is too old: Datadeck needs PostgreSQL 15 or newer. Set DATABASE_URL to one.',
    );
  if (rows[0]?.encoding !== 'UTF8')
    throw new StartError(
      `The database has the encoding ${rows[0]?.encoding}, which cannot store every text. Create a database with UTF8: createdb --encoding=UTF8 --template=template0 NAME`,
    );
}

/** Extensions that the schema uses; PostgreSQL's own, and trusted: the owner of a database may create them. */
const EXTENSIONS = ['unaccent', 'pg_trgm'] as const;

/** @throws StartError when the server lacks an extension */
async function requireExtensions(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    'select name from pg_available_extensions where name = any ($1)',
    [EXTENSIONS],
  );
  const missing = EXTENSIONS.filter((name) => !rows.some((row) => row.name === name));
  if (missing.length > 0)
    throw new StartError(
      `The database server has no extension ${missing.join(' and ')}. They are part of PostgreSQL: install the package postgresql-contrib, then start again.`,
    );
}

/** Returns the times of the applied migrations, ms, oldest first; an empty list for a database without any. */
export async function listAppliedMigrations(client: Pick<pg.ClientBase, 'query'>): Promise<number[]> {
  const { migrationsTable: table } = MIGRATIONS;
  const { rows: found } = await client.query<{ there: boolean }>(
    'select to_regclass($1) is not null as there',
    [`public.${table}`],
  );
  if (!found[0]?.there) return [];
  const { rows } = await client.query<{ at: string }>(
    `select created_at as at from ${table} order by created_at`,
  );
  return rows.map(({ at }) => Number(at));
}

/** Returns the times of the migrations of this version, ms, oldest first. */
export function listKnownMigrations(): number[] {
  return readMigrationFiles(MIGRATIONS).map(({ folderMillis }) => folderMillis);
}

/** Returns the names of all tables that the migrations of this version create or rename, including dropped ones. */
export function listMigratedTables(): string[] {
  const text = readMigrationFiles(MIGRATIONS)
    .flatMap(({ sql }) => sql)
    .join('\n');
  const named = /(?:CREATE (?:UNLOGGED )?TABLE|RENAME TO) "([a-z_]{1,63})"/g;
  return Array.from(text.matchAll(named), ([, name = '']) => name);
}

/** The schema of a database beside the one of this version. `empty`: there is none. */
export type SchemaState = 'empty' | 'older' | 'current' | 'newer';

/** Compares the schema of a database with the one of this version. */
export async function compareSchema(client: Pick<pg.ClientBase, 'query'>): Promise<SchemaState> {
  const newest = (await listAppliedMigrations(client)).at(-1);
  const known = Math.max(...listKnownMigrations());
  if (newest === undefined) return 'empty';
  if (newest === known) return 'current';
  return newest > known ? 'newer' : 'older';
}

/** @throws StartError for the schema of a newer version, which this version cannot use correctly */
async function requireKnown(client: pg.ClientBase): Promise<void> {
  if ((await compareSchema(client)) === 'newer')
    throw new StartError(
      'The database belongs to a newer version of Datadeck. Start that version, or restore the backup from before the upgrade.',
    );
}

/**
 * Creates the schema of an earlier state in the caller's transaction, as the migrations up to it leave it.
 * @param applied times of the migrations that make up the state, ms
 */
export async function createSchemaOf(client: pg.ClientBase, applied: readonly number[]): Promise<void> {
  const { migrationsTable: table } = MIGRATIONS;
  await client.query(`create table ${table} (id serial primary key, hash text not null, created_at bigint)`);
  for (const { sql, hash, folderMillis } of readMigrationFiles(MIGRATIONS)) {
    if (!applied.includes(folderMillis)) continue;
    for (const statement of sql) await client.query(statement);
    await client.query(`insert into ${table} (hash, created_at) values ($1, $2)`, [hash, folderMillis]);
  }
}

/**
 * Waits until no other process changes the schema, and keeps others from it until the connection is closed.
 * @throws StartError for an unsupported server
 */
export async function lockSchema(client: pg.ClientBase): Promise<void> {
  await requireSuitable(client);
  await requireExtensions(client);
  await client.query('select pg_advisory_lock($1)', [LOCK_KEY]);
  await client.query('set client_min_messages = warning');
}

/** Longest wait for a lock while the product runs, s: readers of the table wait as long. */
const SHORT_LOCK_TIMEOUT_S = 3;

/**
 * Keeps other changes of the schema away until the open transaction of a connection ends, e.g. the upgrade of another process. A lock
 * that is not free in time fails with SQLSTATE 55P03.
 */
export async function holdSchema(client: pg.ClientBase): Promise<void> {
  await client.query(
    `set local lock_timeout = '${SHORT_LOCK_TIMEOUT_S}s'; set local client_min_messages = warning`,
  );
  await client.query('select pg_advisory_xact_lock($1)', [LOCK_KEY]);
}

/** Wait for a lock after which a change of the schema is tried again from its start. */
const LOCK_TIMEOUT_S = 5;
/** SQLSTATE of a lock that was not free in time. */
const LOCK_NOT_AVAILABLE = '55P03';

interface MigrationOptions {
  /** Ends what may be ended of what holds up the changes, before each attempt. */
  makeWay?: (client: pg.ClientBase) => Promise<void>;
  /** Called every 5 s while another session holds a lock. @param seconds since the first attempt @param holder its session */
  onWait?: (seconds: number, holder: string) => void;
}

/** Returns the name of the other session whose transaction has been open longest. */
async function findHolder(client: pg.ClientBase): Promise<string> {
  const { rows } = await client.query<{ holder: string }>(
    `select format('%s, process %s%s', coalesce(usename, 'a session'), pid, ' ' || nullif(application_name, '')) as holder
      from pg_stat_activity
      where datname = current_database() and xact_start is not null and pid <> pg_backend_pid()
      order by xact_start limit 1`,
  );
  return rows[0]?.holder ?? 'another session';
}

/** Makes all changes. Begins again when a lock is not free in time, because all of them can be repeated. */
async function changeSchema(
  client: pg.PoolClient,
  extraChanges: (client: pg.ClientBase) => Promise<void>,
  { makeWay, onWait }: MigrationOptions,
): Promise<void> {
  await client.query(`set lock_timeout = '${LOCK_TIMEOUT_S}s'`);
  for (const begun = performance.now(); ; ) {
    try {
      await makeWay?.(client);
      await migrate(drizzle(client), MIGRATIONS);
      await extraChanges(client);
      return;
    } catch (error) {
      if (sqlState(error) !== LOCK_NOT_AVAILABLE) throw error;
      onWait?.(Math.round((performance.now() - begun) / 1000), await findHolder(client));
    }
  }
}

/**
 * Migrates the schema under an advisory lock, so that one process migrates at a time.
 * @param extraChanges further schema changes under the same lock, which may run several times
 * @throws StartError for an unsupported server or a newer schema
 */
export async function migrateDatabase(
  pool: pg.Pool,
  extraChanges: (client: pg.ClientBase) => Promise<void> = async () => undefined,
  options: MigrationOptions = {},
): Promise<void> {
  const client = await pool.connect();
  try {
    await lockSchema(client);
    await requireKnown(client);
    await changeSchema(client, extraChanges, options);
    await client.query('select pg_advisory_unlock($1)', [LOCK_KEY]);
  } finally {
    // Close the connection: it has its own settings, and still the lock after a failure.
    client.release(true);
  }
}
