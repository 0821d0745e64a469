import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import pg from 'pg';
import copyStreams, { type CopyStreamQuery } from 'pg-copy-streams';
import { createSchemaOf, listKnownMigrations, lockSchema } from '../db/migrate.ts';
import { StartError } from '../start-error.ts';
import type { BackupKeys } from './age.ts';
import { requireAllowed } from './allowed.ts';
import { readBackupFile } from './backup-file.ts';
import { quoteColumns, quoteTable, TEXT_SETTINGS } from './create.ts';
import type { BackupHeader, BackupTable } from './manifest.ts';

interface RestoreOptions {
  keys: BackupKeys;
  /** Tables that backups leave out; one that contains them is refused. */
  omittedTables: readonly string[];
  /** Creates a table that no migration creates. @throws StartError when it does not know such a table */
  createFurtherTable(client: pg.ClientBase, table: BackupTable): Promise<void>;
  /** Called when all rows are stored, before they are committed. What it throws undoes the restore. */
  beforeCommit?(header: BackupHeader): void;
  /** Undoes a restore that is not committed. */
  signal?: AbortSignal;
}

/** @throws StartError for a backup whose schema this version cannot create */
export function requireKnownState({ version, migrations }: BackupHeader): void {
  const known = listKnownMigrations();
  if (migrations.some((at) => !known.includes(at)))
    throw new StartError(
      `The backup was written by version ${version}, whose database this version does not know. Restore it with that version or a newer one.`,
    );
}

/** @throws StartError when the database contains tables */
export async function requireEmptyDatabase(client: Pick<pg.ClientBase, 'query'>): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c
    where c.relkind in ('r', 'p') and c.relnamespace::regnamespace::text in ('public', 'pgboss', 'drizzle')
      and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
    order by 1 limit 1`,
  );
  if (rows[0])
    throw new StartError(
      `The database is not empty: it has the table ${rows[0].name}. Restore into an empty database: a new DATA_DIR, or a DATABASE_URL that names a new one.`,
    );
}

/** Requires that a table has all columns of the backup, with the same types. Creates it if no migration does. */
async function prepareTable(
  client: pg.ClientBase,
  table: BackupTable,
  createFurtherTable: RestoreOptions['createFurtherTable'],
): Promise<void> {
  const read = () =>
    client.query<{ name: string; type: string }>(
      `select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute
      where attrelid = to_regclass($1) and attnum > 0 and not attisdropped and attgenerated = ''`,
      [quoteTable(table.name)],
    );
  let { rows } = await read();
  if (rows.length === 0) {
    await createFurtherTable(client, table);
    ({ rows } = await read());
  }
  const wrong = table.columns.find(
    (column) => !rows.some(({ name, type }) => name === column.name && type === column.type),
  );
  if (wrong)
    throw new StartError(
      `The backup cannot be restored: this version has no column ${wrong.name} of the type ${wrong.type} in the table ${table.name}.`,
    );
}

/** Sets the sequences of a table's columns behind their largest value. */
async function advanceSequences(client: pg.ClientBase, table: BackupTable): Promise<void> {
  for (const { name } of table.columns) {
    const { rows } = await client.query<{ sequence: string | null }>(
      'select pg_get_serial_sequence($1, $2) as sequence',
      [quoteTable(table.name), name],
    );
    const sequence = rows[0]?.sequence;
    if (sequence)
      await client.query(`select setval($1, max("${name}")) from ${quoteTable(table.name)}`, [sequence]);
  }
}

/** Returns the sentence for a row that the database refuses; other errors are returned as they are. */
function refusedRow(table: BackupTable, error: unknown): unknown {
  // Classes of SQLSTATE: data exceptions and violated constraints.
  if (!(error instanceof pg.DatabaseError) || !/^2[23]/.test(error.code ?? '')) return error;
  return new StartError(
    `The backup cannot be restored: PostgreSQL refuses a row of the table ${table.name} (${error.message}). Use another backup.`,
    error,
  );
}

/** Rows on their way into one table. */
class TableLoad {
  readonly #stream: CopyStreamQuery;
  readonly #done: Promise<void>;
  #failure: unknown;

  constructor(client: pg.ClientBase, table: BackupTable) {
    this.#stream = client.query(
      copyStreams.from(`copy ${quoteTable(table.name)} (${quoteColumns(table)}) from stdin`),
    );
    this.#done = finished(this.#stream).catch((error: unknown) => {
      throw refusedRow(table, error);
    });
    // A failure is reported by `write` or `end`.
    this.#done.catch(() => undefined);
    this.#stream.once('error', (error) => {
      this.#failure = refusedRow(table, error);
    });
  }

  /** Throws the error of the database. A stream that failed throws another one when it is written to. */
  #throwIfFailed(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  async write(text: Buffer): Promise<void> {
    this.#throwIfFailed();
    if (!this.#stream.write(text)) await Promise.race([once(this.#stream, 'drain'), this.#done]);
  }

  /** @returns the number of stored rows */
  async end(): Promise<number> {
    this.#throwIfFailed();
    this.#stream.end();
    await this.#done;
    return this.#stream.rowCount;
  }
}

async function load(
  client: pg.ClientBase,
  file: string,
  { keys, omittedTables, createFurtherTable }: RestoreOptions,
): Promise<BackupHeader> {
  let header: BackupHeader | undefined;
  let current: TableLoad | undefined;
  for await (const event of readBackupFile(file, keys)) {
    if (event.type === 'header') {
      header = event.header;
      requireKnownState(header);
      requireAllowed(header, { omittedTables, isEncrypted: event.isEncrypted });
      await createSchemaOf(client, header.migrations);
    } else if (event.type === 'table') {
      await prepareTable(client, event.table, createFurtherTable);
      current = new TableLoad(client, event.table);
    } else if (event.type === 'rows') {
      await current?.write(event.text);
    } else {
      const stored = await current?.end();
      if (stored !== event.rows)
        throw new StartError(
          `The backup cannot be restored: PostgreSQL stored ${stored} of ${event.rows} rows of the table ${event.table.name}. Use another backup.`,
        );
      await advanceSequences(client, event.table);
    }
  }
  if (header === undefined) throw new Error('a backup without a header was accepted');
  return header;
}

/** Loads all rows, or closes the connection as soon as the signal is aborted, which rolls back. */
async function loadUnlessAborted(
  client: pg.PoolClient,
  file: string,
  options: RestoreOptions,
): Promise<BackupHeader> {
  const { signal } = options;
  const abort = () => client.end();
  signal?.throwIfAborted();
  signal?.addEventListener('abort', abort);
  try {
    const header = await load(client, file, options);
    signal?.throwIfAborted();
    return header;
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener('abort', abort);
  }
}

/**
 * Restores a backup into an empty database, in one transaction: after a failure or a kill the database is empty. The
 * schema is that of the backup; migrate it afterwards.
 * @throws StartError for a database that is not empty, a damaged file, a wrong key or a newer version's backup; the
 *   signal's reason
 */
export async function restoreBackup(
  pool: pg.Pool,
  file: string,
  options: RestoreOptions,
): Promise<BackupHeader> {
  const client = await pool.connect();
  try {
    await lockSchema(client);
    await requireEmptyDatabase(client);
    await client.query('begin');
    await client.query(TEXT_SETTINGS);
    const header = await loadUnlessAborted(client, file, options);
    options.beforeCommit?.(header);
    await client.query('commit');
    await client.query('analyze');
    return header;
  } finally {
    // Closing the connection rolls back after a failure, and releases the lock.
    client.release(true);
  }
}
