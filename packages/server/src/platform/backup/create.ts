import pg from 'pg';
import copyStreams from 'pg-copy-streams';
import { type Queryable, queryableOf } from '../db/database.ts';
import { listAppliedMigrations, listMigratedTables } from '../db/migrate.ts';
import { StartError } from '../start-error.ts';
import type { BackupKeys } from './age.ts';
import { writeBackupFile } from './backup-file.ts';
import type { BackupHeader, BackupTable } from './manifest.ts';

/** What the product says about its database. */
export interface BackupSource {
  /** Version of the product. */
  version: string;
  /** Tables whose rows are left out, e.g. sessions. */
  omittedTables: readonly string[];
  /** Lists the tables that no migration creates. */
  listFurtherTables(db: Queryable): Promise<readonly string[]>;
  /** Lists the ids of the keys that encrypt secrets in the rows. */
  listKeys(db: Queryable): Promise<readonly string[]>;
  /** Content of the generated key file, if the secrets are encrypted with it. Written to encrypted backups only. */
  keyFile?: string | undefined;
}

/** A written backup. */
export interface WrittenBackup {
  header: BackupHeader;
  /** Number of rows by table. */
  rows: ReadonlyMap<string, number>;
}

interface CreateOptions {
  source: BackupSource;
  /** Encrypt the file, if there are any. */
  keys: BackupKeys;
  /** Replaces an existing file. */
  isForced?: boolean;
  signal?: AbortSignal | undefined;
}

/** Quotes the name of a table in the product's schema. */
export const quoteTable = (name: string) => `public.${pg.escapeIdentifier(name)}`;
/** Quotes the names of a table's columns. */
export const quoteColumns = ({ columns }: BackupTable) =>
  columns.map(({ name }) => pg.escapeIdentifier(name)).join(', ');

/** Settings that make texts of values the same on every server. */
export const TEXT_SETTINGS = `set local datestyle = 'ISO, YMD'; set local intervalstyle = 'iso_8601'; set local timezone = 'UTC';
  set local extra_float_digits = 1; set local bytea_output = 'hex'; set local search_path = public;
  set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0`;

/** Lists stored tables with their columns; a table follows those that it refers to. Unlogged tables are left out. */
async function listTables(client: pg.ClientBase, names: readonly string[]): Promise<BackupTable[]> {
  const { rows } = await client.query<BackupTable & { refers_to: string[] }>(
    `select c.relname as name,
      (select json_agg(json_build_object('name', attname, 'type', format_type(atttypid, atttypmod)) order by attnum)
        from pg_attribute where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns,
      array(select distinct r.relname::text from pg_constraint f join pg_class r on r.oid = f.confrelid
        where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid) as refers_to
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and c.relpersistence = 'p' and c.relname = any ($1)
    order by c.relname`,
    [names],
  );
  const ordered = new Map<string, BackupTable>();
  const add = ({ name, columns, refers_to }: (typeof rows)[number]) => {
    if (ordered.has(name)) return;
    for (const other of rows) if (refers_to.includes(other.name)) add(other);
    ordered.set(name, { name, columns });
  };
  for (const row of rows) add(row);
  return [...ordered.values()];
}

async function describe(
  client: pg.ClientBase,
  source: BackupSource,
  isEncrypted: boolean,
): Promise<BackupHeader> {
  const migrations = await listAppliedMigrations(client);
  if (migrations.length === 0) throw new StartError('The database is empty, so there is nothing to back up.');
  const names = [...listMigratedTables(), ...(await source.listFurtherTables(queryableOf(client)))];
  const tables = await listTables(
    client,
    names.filter((name) => !source.omittedTables.includes(name)),
  );
  const { rows } = await client.query<{ at: Date; server: string }>(
    "select now() as at, current_setting('server_version') as server",
  );
  return {
    version: source.version,
    createdAt: (rows[0]?.at ?? new Date()).toISOString(),
    server: rows[0]?.server ?? '',
    migrations,
    keys: [...(await source.listKeys(queryableOf(client)))],
    ...(isEncrypted && source.keyFile !== undefined && { keyFile: source.keyFile }),
    tables,
  };
}

/**
 * Writes all tables into a file, as one transaction sees them. Others may read and write at the same time.
 * @param connection of a user who may read all tables; a separate connection is opened
 * @throws StartError for an existing file, a full disk or an unwritable folder
 */
export async function createBackup(
  connection: pg.ClientConfig,
  file: string,
  { source, keys, isForced = false, signal }: CreateOptions,
): Promise<WrittenBackup> {
  const client = new pg.Client({
    ...connection,
    password: connection.password,
    application_name: 'backup',
    query_timeout: 0,
  });
  client.on('error', () => undefined);
  await client.connect();
  // A copy may wait for a lock: only a closed connection ends it at once.
  const abort = () => client.end().catch(() => undefined);
  signal?.addEventListener('abort', abort);
  try {
    await client.query('begin isolation level repeatable read read only');
    await client.query(TEXT_SETTINGS);
    const isEncrypted = keys.key !== undefined || keys.recipient !== undefined;
    const header = await describe(client, source, isEncrypted);
    const rows = new Map<string, number>();
    const readRows = (table: BackupTable) =>
      client.query(
        // A query, because the name of a partitioned table is refused here.
        copyStreams.to(`copy (select ${quoteColumns(table)} from ${quoteTable(table.name)}) to stdout`),
      );
    const onTable = (table: BackupTable, count: number) => rows.set(table.name, count);
    await writeBackupFile(file, { header, readRows, onTable }, { keys, isForced, signal });
    return { header, rows };
  } finally {
    signal?.removeEventListener('abort', abort);
    // Closes the connection also when a copy is still running.
    await Promise.race([
      client.end().catch(() => undefined),
      new Promise((resolve) => setTimeout(resolve, 2000).unref()),
    ]);
  }
}
