import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ChildServer } from '../../test-support/child-server.ts';
import { PRODUCT_ENTITIES } from '../../test-support/product-entities.ts';
import { RELEASE, readFacts, unpackFixture } from '../../test-support/release-fixture.ts';
import { addressOf } from '../../test-support/shared-postgres.ts';
import { until } from '../../test-support/syncing.ts';
import { digestTables, listColumns } from '../../test-support/table-digests.ts';
import { killEmbeddedDatabase, removeDataFolder } from '../../test-support/temporary-folder.ts';
import { UpgradeSteps } from '../../test-support/upgrade-steps.ts';
import { withConnection } from '../../test-support/with-connection.ts';
import { prepareRecordTables } from '../features/records/index.ts';
import { listAppliedMigrations, listKnownMigrations, migrateDatabase } from '../platform/db/migrate.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../platform/embedded-postgres/launcher.ts';
import { findFreePort } from './http/listen.ts';

/** Times of the migrations since the previous release. A new one is tested without a change here. */
const pending = listKnownMigrations().filter((at) => at > readFacts().migrated);
/** Migrations in whose middle it is killed: the newest, which a change adds, and as many of the others. KILLED_UPGRADES=all: each. */
const SHARE = process.env.KILLED_UPGRADES === 'all' ? pending.length : 4;
const others = pending.slice(0, -SHARE);
const killed = [
  ...others.filter((_, index) => index % Math.ceil(others.length / SHARE) === 0),
  ...pending.slice(-SHARE),
];
/** An entity's table that is removed before the upgrade, as if this version were the first one with the entity. */
const NEW_TABLE = 'imap_messages';

let folder: string;
let postgres: EmbeddedPostgres;
/** The columns of the previous release's tables that still exist, and the digests of their rows. */
let columns: Map<string, string[]>;
let before: Record<string, string>;
/** The schema of a new database of this version. */
let fresh: unknown[];
/** The steps of an upgrade that nobody disturbs. */
let steps: string[];

const isRecord = (step: string) => /^\d+$/.test(step);
const urlOf = (database: string) => addressOf({ ...postgres.connection, database });

const withDatabase = <T>(database: string, work: (client: pg.Client) => Promise<T>) =>
  withConnection({ connectionString: urlOf(database) }, work);

// A copy of files, so that the recovery after a kill need not repeat it.
const create = (database: string, template = 'datadeck') =>
  withDatabase('postgres', (client) =>
    client.query(`create database ${database} template ${template} strategy file_copy`),
  );

async function createWithoutTable(database: string): Promise<void> {
  await create(database);
  await withDatabase(database, (client) => client.query(`drop table ${NEW_TABLE}`));
}

/** Upgrades a database in this process. */
async function upgrade(database: string): Promise<void> {
  const pool = new pg.Pool({ connectionString: urlOf(database), max: 1 });
  await migrateDatabase(pool, (client) => prepareRecordTables(client, PRODUCT_ENTITIES));
  await pool.end();
}

/** Returns all columns, indexes, constraints and statistics of the product's tables. */
async function describeSchema(client: pg.ClientBase): Promise<unknown[]> {
  const { rows } = await client.query(`
    select c.relname || '.' || attname || ' ' || format_type(atttypid, atttypmod) || ' ' || attnotnull || ' ' || attstorage::text
        || ' ' || coalesce(pg_get_expr(adbin, adrelid), '') as line
      from pg_class c join pg_attribute a on a.attrelid = c.oid and attnum > 0 and not attisdropped
      left join pg_attrdef on adrelid = c.oid and adnum = attnum
      where relnamespace = 'public'::regnamespace and relkind = 'r'
    union all select indexdef from pg_indexes where schemaname = 'public'
    union all select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) from pg_constraint
      where connamespace = 'public'::regnamespace
    union all select pg_get_statisticsobjdef(oid) from pg_statistic_ext
    order by 1`);
  return rows;
}

/** Returns the columns of the previous release that an upgraded database still has. A table that is missing there fails. */
async function keptColumns(upgraded: pg.ClientBase): Promise<Map<string, string[]>> {
  const now = await listColumns(upgraded);
  const kept = Array.from(columns, ([table, names]): [string, string[]] => [
    table,
    names.filter((name) => now.get(table)?.includes(name) ?? true),
  ]);
  return new Map(kept.filter(([table]) => table !== 'datadeck_migrations'));
}

/** Returns the last step of a migration before its record, so that its earlier statements were executed. */
function middleOf(at: number): string {
  const record = steps.indexOf(String(at));
  const statement = steps[record - 1];
  return statement === undefined || isRecord(statement) ? String(at) : statement;
}

beforeAll(async () => {
  folder = unpackFixture(RELEASE);
  postgres = await startEmbeddedPostgres(folder);
  await withDatabase('postgres', async (client) => {
    // What a killed process has written is in the system's cache, so no commit need wait for the disk.
    await client.query('alter system set fsync = off');
    await client.query('select pg_reload_conf()');
  });
  await create('fresh', 'template0');
  await upgrade('fresh');
  fresh = await withDatabase('fresh', describeSchema);
  columns = await withDatabase('datadeck', listColumns);
  const recorded = await UpgradeSteps.connect(urlOf('datadeck'));
  await recorded.install();
  await recorded.close();
  await createWithoutTable('undisturbed');
  await upgrade('undisturbed');
  const undisturbed = await UpgradeSteps.connect(urlOf('undisturbed'));
  steps = await undisturbed.list();
  await undisturbed.close();
  columns = await withDatabase('undisturbed', keptColumns);
  before = await withDatabase('datadeck', (client) => digestTables(client, columns));
});
afterAll(async () => {
  await postgres?.stop();
  if (folder) removeDataFolder(folder);
});

/** Creates a server without workers on a database of the cluster; workers would change rows after the upgrade. */
async function serverOn(database: string): Promise<ChildServer> {
  return new ChildServer({
    DATABASE_URL: urlOf(database),
    DATA_DIR: folder,
    PORT: String(await findFreePort('127.0.0.1')),
    ROLE: 'web',
    SANDBOX: 'off',
  });
}

/** Starts an upgrade and waits until it is held before the step. */
async function startHeld(
  database: string,
  step: string,
): Promise<{ server: ChildServer; held: UpgradeSteps }> {
  const held = await UpgradeSteps.connect(urlOf(database));
  await held.hold(step);
  const server = await serverOn(database);
  const started = server.start().then(async () => {
    await server.end('SIGKILL');
    throw new Error(`${database} was upgraded without this step: ${step}`);
  });
  await Promise.race([held.held(), started]);
  // The kill ends the start.
  started.catch(() => undefined);
  return { server, held };
}

async function killServer(database: string, step: string): Promise<void> {
  const { server, held } = await startHeld(database, step);
  await server.end('SIGKILL');
  await held.release();
  await held.close();
}

async function killEverything(database: string, step: string): Promise<void> {
  const { server, held } = await startHeld(database, step);
  const processes = await held.processIds();
  killEmbeddedDatabase(folder);
  for (const pid of processes) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has followed the main process.
    }
  }
  await server.end('SIGKILL');
  await held.close();
  await until(() => withDatabase(database, async () => true).catch(() => false), 150_000);
}

// The folder was written on Linux; other systems lack its locale.
describe.skipIf(process.platform !== 'linux')('an upgrade of the previous release', () => {
  it('completes after kill -9 in the middle of new migrations and of a new table', async () => {
    const ofTable = steps.find((step) => step.startsWith(`comment on table "${NEW_TABLE}"`)) ?? 'none';
    await createWithoutTable('killed');
    for (const step of [...killed.map(middleOf), ofTable]) {
      await killEverything('killed', step);
      await killServer('killed', step);
    }
    const last = await UpgradeSteps.connect(urlOf('killed'));
    await last.release();

    const server = await serverOn('killed');
    await server.start();
    expect(await server.end('SIGTERM')).toBe(0);

    await last.remove();
    await last.close();
    await withDatabase('killed', async (client) => {
      expect(await listAppliedMigrations(client)).toEqual(listKnownMigrations());
      expect(await describeSchema(client)).toEqual(fresh);
      expect(await digestTables(client, columns)).toEqual({ ...before, [NEW_TABLE]: '0 ' });
    });
  }, 600_000);
});
