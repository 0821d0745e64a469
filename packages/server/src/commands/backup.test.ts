import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { generateIdentity, identityToRecipient } from 'age-encryption';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { CLI, COMPILE_CACHE } from '../../test-support/child-server.ts';
import { type EndedCommand, outputOf, runCommand } from '../../test-support/run-command.ts';
import { shareServer } from '../../test-support/shared-server.ts';
import { SmallDisk } from '../../test-support/small-disk.ts';
import { makeTemporaryFolder, removeDataFolder } from '../../test-support/temporary-folder.ts';
import { createEmptyDatabase, type TestDatabase } from '../../test-support/test-database.ts';
import type { TestServer } from '../../test-support/test-server.ts';
import { writeBackupFile } from '../platform/backup/backup-file.ts';
import { verifyBackup } from '../platform/backup/index.ts';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
/** Number of an advisory lock by which a test holds a restore. */
const HOLD = 471_101;

let server: TestServer;
let folder: string;
let environment: Record<string, string>;
/** A complete backup. */
let whole: string;
const disk = SmallDisk.mount(1);

beforeAll(async () => {
  server = await shareServer();
  folder = makeTemporaryFolder('datadeck-backup-command-');
  const { DATABASE_URL = '', DATABASE_DIRECT_URL = DATABASE_URL, DATA_DIR } = server.config;
  environment = { DATABASE_URL: DATABASE_DIRECT_URL, DATA_DIR };
  const { $client } = server.product.context.db;
  await $client.query(
    "insert into users (id, email, name, plan) values (gen_random_uuid(), 'a@b.c', 'A', 'pro')",
  );
  // Random, so that 320 KB are left after compression.
  await $client.query(
    `insert into saved_queries (user_id, id, title, expression)
    select id, gen_random_uuid(), 'q', (select string_agg(md5(random()::text), '') from generate_series(1, 100) where n > 0)
    from users, generate_series(1, 200) n`,
  );
  whole = join(folder, 'whole.backup');
  await outputOf(['backup', whole], environment);
});
afterAll(async () => {
  await server?.remove();
  removeDataFolder(folder);
  disk?.unmount();
});

interface Started {
  child: ChildProcess;
  ended: Promise<{ code: number | null; errors: string }>;
}

/** Runs a command of `datadeck`. @param settings in addition to those of the server */
function run(words: string[], settings: Record<string, string> = {}): Promise<EndedCommand> {
  return runCommand(words, { ...environment, ...settings });
}

/** Starts a command of `datadeck` in a process of its own, for signals. @param settings in addition to those of the server */
function start(words: string[], settings: Record<string, string> = {}): Started {
  const env = { ...process.env, ...COMPILE_CACHE, ...environment, ...settings };
  const child = spawn(process.execPath, [CLI, ...words], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  const ended = new Promise<{ code: number | null; errors: string }>((resolve) => {
    child.on('close', (code) => resolve({ code, errors }));
  });
  return { child, ended };
}

async function withConnection<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Waits until a statement of another connection waits for a lock. */
async function untilBlocked(client: Pick<pg.Pool, 'query'>): Promise<void> {
  await vi.waitFor(
    async () => {
      const { rows } = await client.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      expect(rows).not.toHaveLength(0);
    },
    { timeout: 180_000, interval: 50 },
  );
}

describe('datadeck backup', () => {
  it.each([
    ['SIGINT', {}],
    ['SIGTERM', {}],
    ['SIGINT', { BACKUP_KEY: Buffer.alloc(32, 1).toString('base64') }],
  ] as const)('leaves no file and says so after %s (%j)', async (signal, settings) => {
    const own = mkdtempSync(join(folder, signal));
    await withConnection(environment.DATABASE_URL ?? '', async (client) => {
      await client.query('begin; set local idle_in_transaction_session_timeout = 0');
      await client.query('lock table views in access exclusive mode');
      const { child, ended } = start(['backup', join(own, 'a.backup')], settings);
      await untilBlocked(server.product.context.db.$client);
      expect(readdirSync(own)).toEqual([expect.stringMatching(/^a\.backup\.partial\./)]);
      child.kill(signal);
      const { code, errors } = await ended;
      expect(code).toBe(1);
      expect(errors).toBe(`Interrupted by ${signal}. No backup was written. Run the command again.\n`);
      expect(readdirSync(own)).toEqual([]);
    });
  });

  it.skipIf(disk === undefined)('leaves no file on a full disk, and says what to do', async () => {
    const file = join(disk?.folder ?? '', 'a.backup');
    disk?.fill(0.1);
    const { code, stderr } = await run(['backup', file]);
    expect(code).toBe(1);
    expect(stderr).toBe(
      `The disk of ${disk?.folder} is full, so no backup was written. Free space there, or write it elsewhere.\n`,
    );
    expect(readdirSync(disk?.folder ?? '')).toEqual(['filler']);
  });

  it('leaves no file beyond the largest size of a file, and says what to do', async () => {
    const own = join(folder, 'limited');
    mkdirSync(own);
    const env = { ...process.env, ...environment };
    const command = 'ulimit -f 16 && exec "$@"';
    const words = [process.execPath, CLI, 'backup', join(own, 'a.backup')];
    const child = spawn('sh', ['-c', command, 'sh', ...words], { env, stdio: ['ignore', 'ignore', 'pipe'] });
    const errors = await child.stderr.toArray();
    expect(Buffer.concat(errors).toString()).toMatch(
      /^The backup is larger than a file in .* may be.*ulimit/,
    );
    expect(readdirSync(own)).toEqual([]);
  });

  it('encrypts for a recipient, and restores with the identity', async () => {
    const identity = await generateIdentity();
    const names = ['received.tar.gz.age', 'identity.txt', 'other.txt', 'wrong.txt'];
    const [file = '', own = '', other = '', wrong = ''] = names.map((name) => join(folder, name));
    writeFileSync(own, `# public key: age1\n${identity}\n`);
    writeFileSync(other, `${await generateIdentity()}\n`);
    writeFileSync(wrong, 'secret');
    const BACKUP_RECIPIENT = await identityToRecipient(identity);
    expect((await run(['backup', file], { BACKUP_RECIPIENT })).code).toBe(0);
    const cases: [string[], RegExp][] = [
      [[], /^The backup is encrypted for a recipient\. Name the file .* --identity FILE\.\n$/],
      [['-i', other], /^The backup is encrypted for another recipient than that of --identity\./],
      [['-i', join(folder, 'none.txt')], /^The file of --identity cannot be read \(ENOENT/],
      [['-i', wrong], /^The file of --identity holds no identity of age; expected a line/],
    ];
    for (const [options, message] of cases)
      expect(await run(['verify', ...options, file])).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(message),
      });
    expect((await run(['verify', '-i', own, file])).stdout).toMatch(/^ *200 {2}saved_queries$/m);
    const target = await createEmptyDatabase();
    const settings = { DATABASE_URL: target.url, DATA_DIR: join(folder, 'received') };
    expect((await run(['restore', '-i', own, file], settings)).stdout).toMatch(/^Restored the state of/);
    await target.drop();
  });

  it('refuses to replace a folder', async () => {
    const { code, stderr } = await run(['backup', '--force', folder]);
    expect(code).toBe(1);
    expect(stderr).toBe(`${folder} is not an ordinary file. Name another file.\n`);
  });

  it('says what to do when the database does not answer', async () => {
    const DATABASE_URL = 'postgres://u:hunter2@127.0.0.1:1/d';
    const { code, stderr } = await run(['backup', join(folder, 'none')], { DATABASE_URL });
    expect(code).toBe(1);
    expect(stderr).toBe(
      'The database cannot be used: connect ECONNREFUSED 127.0.0.1:1. Check DATABASE_URL, and that the server runs and lets this user in.\n',
    );
  });
});

/** Makes each restore wait at the first row of the last table, until the lock HOLD is free. */
const WAIT_FOR_LOCK = `
  create function wait_for_lock() returns trigger language plpgsql as
    $$ begin perform pg_advisory_xact_lock_shared(${HOLD}); return null; end $$;
  create function add_wait() returns event_trigger language plpgsql as $$ begin
    if to_regclass('public.users') is not null and not exists (select from pg_trigger where tgname = 'wait') then
      create trigger wait after insert on public.users execute function wait_for_lock();
    end if;
  end $$;
  create event trigger add_wait on ddl_command_end when tag in ('CREATE TABLE') execute function add_wait();`;

/** Makes each restore fail at its first saved query, with PostgreSQL's error for a full disk. */
const FULL_DISK = `
  create function fail() returns trigger language plpgsql as
    $$ begin raise 'no space left' using errcode = 'disk_full'; end $$;
  create function add_failure() returns event_trigger language plpgsql as $$ begin
    if to_regclass('public.saved_queries') is not null and not exists (select from pg_trigger where tgname = 'fail') then
      create trigger fail before insert on public.saved_queries for each row execute function fail();
    end if;
  end $$;
  create event trigger add_failure on ddl_command_end when tag in ('CREATE TABLE') execute function add_failure();`;

const listTables = async (client: pg.Client) =>
  (
    await client.query(
      "select from pg_class where relkind = 'r' and relnamespace::regnamespace::text in ('public', 'drizzle')",
    )
  ).rows.length;

describe('datadeck restore', () => {
  let target: TestDatabase;
  beforeAll(async () => {
    target = await createEmptyDatabase();
    await withConnection(target.url, (client) => client.query(WAIT_FOR_LOCK));
  });
  afterAll(() => target?.drop());

  it.each(SIGNALS)('leaves an empty database and says so after %s', async (signal) => {
    const dataDir = join(folder, `restored-${signal}`);
    const settings = { DATABASE_URL: target.url, DATA_DIR: dataDir };
    await withConnection(target.url, async (client) => {
      await client.query(`select pg_advisory_lock(${HOLD})`);
      const { child, ended } = start(['restore', whole], settings);
      await untilBlocked(client);
      child.kill(signal);
      const { code, errors } = await ended;
      expect(code).toBe(1);
      expect(errors).toBe(`Interrupted by ${signal}. Nothing was restored. Run the command again.\n`);
      await client.query(`select pg_advisory_unlock(${HOLD})`);
      await vi.waitFor(async () => expect(await listTables(client)).toBe(0), 180_000);
      expect(existsSync(join(dataDir, 'encryption.key'))).toBe(false);
    });
  });

  it('says what to do when the disk of the database is full, and leaves it empty', async () => {
    const full = await createEmptyDatabase();
    try {
      await withConnection(full.url, (client) => client.query(FULL_DISK));
      const settings = { DATABASE_URL: full.url, DATA_DIR: join(folder, 'full') };
      const { code, stderr } = await run(['restore', whole], settings);
      expect(code).toBe(1);
      expect(stderr).toBe(
        'The disk of the database is full: no space left. Free space there, then run the command again.\n',
      );
      expect(await withConnection(full.url, listTables)).toBe(0);
    } finally {
      await full.drop();
    }
  });

  it('says which table has a row that the database refuses, and leaves it empty', async () => {
    const { header } = await verifyBackup(whole, {});
    const file = join(folder, 'edited.tar.gz');
    const readRows = ({ name }: { name: string }) =>
      Readable.from(name === 'users' ? [Buffer.from('x\n')] : []);
    await writeBackupFile(file, { header, readRows }, { keys: {} });
    const other = await createEmptyDatabase();
    const settings = { DATABASE_URL: other.url, DATA_DIR: join(folder, 'edited') };
    const { code, stderr } = await run(['restore', file], settings);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^The backup cannot be restored: PostgreSQL refuses a row of the table users \(.*\)\. Use another backup\.\n$/,
    );
    expect(await withConnection(other.url, listTables)).toBe(0);
    await other.drop();
  });

  it('restores all after an interrupted attempt', async () => {
    const settings = { DATABASE_URL: target.url, DATA_DIR: join(folder, 'restored') };
    expect((await run(['restore', whole], settings)).code).toBe(0);
    const { rows } = await withConnection(target.url, (client) =>
      client.query<{ count: string }>('select count(*) from saved_queries'),
    );
    expect(rows[0]?.count).toBe('200');
    expect((await verifyBackup(whole, {})).tables.find(({ name }) => name === 'saved_queries')?.rows).toBe(
      200,
    );
  });
});
