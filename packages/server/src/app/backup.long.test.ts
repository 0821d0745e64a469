import { execFile } from 'node:child_process';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { productSettings, type StartedSandbox, startSandbox } from '@datadeck/test-sandbox';
import { sql } from 'drizzle-orm';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ChildServer } from '../../test-support/child-server.ts';
import { MortalCluster } from '../../test-support/mortal-cluster.ts';
import { awaitEnd, readSync, runSync, startSync, until } from '../../test-support/syncing.ts';
import { digestTables, listColumns } from '../../test-support/table-digests.ts';
import { makeTemporaryFolder, removeDataFolder } from '../../test-support/temporary-folder.ts';
import { createEmptyDatabase } from '../../test-support/test-database.ts';
import { Client } from '../../test-support/test-server.ts';
import { withConnection } from '../../test-support/with-connection.ts';
import { recordTables } from '../features/records/index.ts';
import { writeBackupFile } from '../platform/backup/backup-file.ts';
import { createBackup, verifyBackup } from '../platform/backup/index.ts';
import type { Queryable } from '../platform/db/database.ts';
import { MIGRATIONS_TABLE } from '../platform/db/migrate.ts';
import { findRunningPostgres, startEmbeddedPostgres } from '../platform/embedded-postgres/launcher.ts';
import { parseSecretKey } from '../platform/encryption.ts';
import { OMITTED_TABLES } from './backup.ts';
import { findFreePort } from './http/listen.ts';

const USER = 'ada.nowak@sandbox.example';
const BACKUP_KEY = Buffer.alloc(32, 7).toString('base64');
const keys = { key: parseSecretKey(BACKUP_KEY, 'BACKUP_KEY') };
/** Programs of Debian's PostgreSQL, if it is installed. */
const [debian] = globSync('/usr/lib/postgresql/*/bin/initdb').map(dirname);

let sandbox: StartedSandbox;
let server: ChildServer;
let environment: Record<string, string>;
let folder: string;
let client: Client;
/** A run that was in progress at the snapshot. */
let runningId: string;
/** Digests of all tables as the snapshot held them, by table. */
let expected: Record<string, string>;
const file = () => join(folder, 'drill.backup');

/** Returns the digests of all tables but those of sessions. */
async function digestData(connection: Pick<pg.ClientBase, 'query'>): Promise<Record<string, string>> {
  const columns = await listColumns(connection);
  for (const name of OMITTED_TABLES) if (name !== MIGRATIONS_TABLE) columns.delete(name);
  return digestTables(connection, columns);
}

/** Reads an embedded database on which no Datadeck has started since. */
async function withEmbedded<T>(dataDir: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const embedded = await startEmbeddedPostgres(dataDir);
  try {
    return await withConnection(embedded.connection, work);
  } finally {
    await embedded.stop();
  }
}

/** Runs a command of `datadeck` on another database. */
function admin(settings: Record<string, string>, ...words: string[]): Promise<string> {
  return new ChildServer({ BACKUP_KEY, ...settings }).admin(...words);
}

/** Restores a backup into a new data folder. @returns the folder */
async function restoreInto(name: string, backup: string): Promise<string> {
  const dataDir = join(folder, name);
  await admin({ DATA_DIR: dataDir }, 'restore', backup);
  return dataDir;
}

/** Backs up while a sync and other writes run, and reads all tables again in the same snapshot. */
async function backUpUnderLoad(): Promise<void> {
  const connection = await findRunningPostgres(server.dataDir);
  if (connection === undefined) throw new Error('the database does not run');
  await withConnection(connection, (writer) =>
    writer.query(
      `insert into identities (issuer, subject, user_id, provider, email)
      select 'https://second.example', subject, user_id, 'second', email from identities`,
    ),
  );
  const writes = new AbortController();
  const writing = (async () => {
    for (let n = 0; !writes.signal.aborted; n++) {
      await client.post('/api/data/views/category', { title: `Category ${n}` });
      await sleep(5);
    }
  })();
  await withConnection(connection, async (reader) => {
    const listKeys = async (db: Queryable) => {
      const { rows } = await db.execute<{ id: string }>(sql`select pg_export_snapshot() as id`);
      await reader.query('begin isolation level repeatable read');
      await reader.query(`set transaction snapshot '${rows[0]?.id}'`);
      return [];
    };
    const keyFile = readFileSync(join(server.dataDir, 'encryption.key'), 'utf8');
    const listFurtherTables = recordTables;
    const source = {
      version: 'drill',
      omittedTables: OMITTED_TABLES,
      listFurtherTables,
      keyFile,
      listKeys,
    };
    await createBackup(connection, file(), { keys, source });
    expected = await digestData(reader);
    const { rows } = await reader.query<{ id: string }>("select id from syncs where status = 'started'");
    if (!rows[0]) throw new Error('the sync ended before the snapshot');
    runningId = rows[0].id;
  });
  writes.abort();
  await writing;
}

beforeAll(async () => {
  folder = makeTemporaryFolder('datadeck-drill-');
  sandbox = await startSandbox({ synthetic: { pulls: 3000 }, quotaScale: 0, latencyMs: 150 });
  environment = { ...productSettings(sandbox), GITHUB_POINTS_PER_MINUTE: '0', BACKUP_KEY };
  const PORT = String(await findFreePort('127.0.0.1'));
  server = new ChildServer({ ...environment, DATA_DIR: join(folder, 'first'), PORT });
  await server.start();
  client = await new Client(server).signIn(USER);
  await server.admin('plan', USER, 'pro');
  await client.connect('github', 'ada-nowak');
  await client.connect('google', USER);
  await runSync(client, 'gmail-labels');
  await runSync(client, 'gh-pulls', { owner: 'aurora-labs', repo: 'harbor' });
  const { _id } = await startSync(client, 'gh-pulls', { owner: 'bench', repo: 'pulls-3000' });
  await until(async () => ((await readSync(client, _id)).progress?.records ?? 0) > 100);
  await backUpUnderLoad();
}, 120_000);

afterAll(async () => {
  await server?.end('SIGTERM');
  await sandbox?.close();
  removeDataFolder(folder);
});

describe('a backup of a running Datadeck', () => {
  it('restores every row of its snapshot and no session', async () => {
    const dataDir = await restoreInto('second', file());
    const restored = await withEmbedded(dataDir, async (connection) => {
      const { rows } = await connection.query('select from sessions union all select from sign_in_tokens');
      expect(rows).toHaveLength(0);
      return digestData(connection);
    });
    expect(restored).toEqual(expected);
    expect(restored.gh_pulls).not.toMatch(/^0 /);
    expect(restored.syncs).toMatch(/^3 /);
  });

  it('lets the restored Datadeck continue the running sync, with the key from the backup', async () => {
    await server.end('SIGTERM');
    const PORT = String(await findFreePort('127.0.0.1'));
    const restored = new ChildServer({ ...environment, DATA_DIR: join(folder, 'second'), PORT });
    await restored.start();
    try {
      const stale = new Client(restored);
      stale.token = client.token;
      expect((await stale.call('GET', '/api/data/views/categories')).status).toBe(401);
      const again = await new Client(restored).signIn(USER);
      expect(await awaitEnd(again, runningId)).toMatchObject({
        status: 'finished',
        summary: { entitiesSynced: 3000 },
      });
    } finally {
      await restored.end('SIGTERM');
    }
  });

  it.skipIf(debian === undefined)('moves to an older PostgreSQL and back', async () => {
    const cluster = await MortalCluster.make(debian ?? '');
    try {
      const DATABASE_URL = cluster.url;
      const DATA_DIR = join(folder, 'elsewhere');
      await admin({ DATABASE_URL, DATA_DIR }, 'restore', file());
      const there = await withConnection({ connectionString: DATABASE_URL }, digestData);
      expect(there).toEqual(expected);
      const back = join(folder, 'back.backup');
      expect(await admin({ DATABASE_URL, DATA_DIR }, 'backup', back)).toMatch(
        /^Wrote .*back\.backup: \d+ rows/,
      );
      const embedded = await withEmbedded(await restoreInto('back', back), digestData);
      expect(embedded).toEqual(expected);
    } finally {
      await cluster.remove();
    }
  });
});

describe('datadeck verify', () => {
  it('prints version, time, tables and rows', async () => {
    const printed = await admin({}, 'verify', file());
    expect(printed).toMatch(/^ *3 {2}syncs$/m);
    expect(printed).toMatch(/Complete and unchanged: .* written by version drill with PostgreSQL 18/);
    expect(printed).not.toMatch(/sessions/);
  });
});

describe('datadeck restore', () => {
  it('refuses a wrong key, a damaged file and a newer version, and writes nothing', async () => {
    const dataDir = join(folder, 'refused');
    const settings = { DATA_DIR: dataDir };
    const wrongKey = { ...settings, BACKUP_KEY: Buffer.alloc(32, 8).toString('base64') };
    await expect(admin(wrongKey, 'restore', file())).rejects.toThrow('encrypted with another key');
    const cut = join(folder, 'cut.backup');
    writeFileSync(cut, readFileSync(file()).subarray(0, -1000));
    await expect(admin(settings, 'restore', cut)).rejects.toThrow('not a complete backup');
    const newer = join(folder, 'newer.backup');
    const { header } = await verifyBackup(file(), keys);
    const future = { ...header, migrations: [...header.migrations, 9e12], tables: [] };
    const readRows = () => Readable.from([]);
    await writeBackupFile(newer, { header: future, readRows }, { keys });
    await expect(admin(settings, 'restore', newer)).rejects.toThrow(/database this version does not know/);
    expect(existsSync(dataDir)).toBe(false);
  });

  it('refuses a database that is not empty', async () => {
    const database = await createEmptyDatabase();
    try {
      const settings = { DATABASE_URL: database.url, DATA_DIR: join(folder, 'nonempty') };
      await withConnection({ connectionString: database.url }, (one) => one.query('create table other ()'));
      await expect(admin(settings, 'restore', file())).rejects.toThrow(/not empty: it has the table other/);
    } finally {
      await database.drop();
    }
  });

  it('leaves an empty database when it is killed before it commits', async () => {
    const database = await createEmptyDatabase();
    try {
      const script = fileURLToPath(new URL('../../test-support/killed-restore.ts', import.meta.url));
      const killed = promisify(execFile)(process.execPath, [script, file(), database.url, BACKUP_KEY]);
      await expect(killed).rejects.toMatchObject({ signal: 'SIGKILL' });
      const tables = await withConnection({ connectionString: database.url }, digestData);
      expect(tables).toEqual({});
      const DATA_DIR = join(folder, 'again');
      await admin({ DATABASE_URL: database.url, DATA_DIR }, 'restore', file());
      const there = await withConnection({ connectionString: database.url }, digestData);
      expect(there).toEqual(expected);
    } finally {
      await database.drop();
    }
  });
});

describe('datadeck backup', () => {
  it('refuses to replace a file without --force', async () => {
    const settings = { DATA_DIR: join(folder, 'second') };
    await expect(admin(settings, 'backup', file())).rejects.toThrow(/exists\. Name another file/);
    await admin(settings, 'backup', file(), '--force');
    expect((await verifyBackup(file(), keys)).header.keys).toHaveLength(1);
  });
});
