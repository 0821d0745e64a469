/**
 * `node bench/backups.ts [--megabytes N] [--check]`: writes, verifies and restores a backup of a table of 300 MB, without
 * encryption and with a key: time, size of the file and peak memory of the command, beside the same on an empty table.
 * `--check` fails when the memory grows by more than 100 MB.
 */
import { spawn } from 'node:child_process';
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { migrateDatabase } from '../packages/server/src/platform/db/migrate.ts';
import { startEmbeddedPostgres } from '../packages/server/src/platform/embedded-postgres/launcher.ts';
import { CLI } from '../packages/server/test-support/child-server.ts';
import { addressOf } from '../packages/server/test-support/shared-postgres.ts';
import { makeTemporaryFolder, removeDataFolder } from '../packages/server/test-support/temporary-folder.ts';
import { peakMemory } from './memory-of.ts';

const { values } = parseArgs({
  options: { megabytes: { type: 'string', default: '300' }, check: { type: 'boolean', default: false } },
});
/** Largest growth of a command's memory over that on an empty table, MB. */
const GOAL_MB = 100;
const SAMPLE_MS = 20;
/** Size of a row, bytes: half of it is left after compression. */
const ROW_BYTES = 3200;
const WAYS: [string, Record<string, string>][] = [
  ['plain', {}],
  ['BACKUP_KEY', { BACKUP_KEY: Buffer.alloc(32, 7).toString('base64') }],
];

interface Measured {
  seconds: number;
  /** Peak memory, MB. */
  peak: number;
}

/** Runs a command of `datadeck`. @throws Error when it fails */
async function measure(words: string[], settings: Record<string, string>): Promise<Measured> {
  const begun = performance.now();
  const env = { ...process.env, ...settings };
  const child = spawn(process.execPath, [CLI, ...words], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, peakMemory([child.pid ?? 0]));
  }, SAMPLE_MS);
  const code = await new Promise((resolve) => child.on('close', resolve));
  clearInterval(timer);
  if (code !== 0) throw new Error(`datadeck ${words.join(' ')} ended with ${code}`);
  return { seconds: (performance.now() - begun) / 1000, peak };
}

/** Stores saved queries of one user until the table has this size. */
async function fill(pool: pg.Pool, megabytes: number): Promise<void> {
  await pool.query(
    `insert into saved_queries (user_id, id, title, expression)
    select id, gen_random_uuid(), 'q', (select string_agg(md5(n || ' ' || m), '') from generate_series(1, ${ROW_BYTES / 32}) m)
    from users, generate_series(1, $1::int) n`,
    [Math.round((megabytes * 1e6) / ROW_BYTES)],
  );
}

const folder = makeTemporaryFolder('datadeck-backups-');
const server = await startEmbeddedPostgres(join(folder, 'database'), { settings: { fsync: 'off' } });
const admin = new pg.Pool({ ...server.connection, max: 1 });
const urlOf = (database: string) => addressOf({ ...server.connection, database });
let [missed, restores] = [0, 0];

/** Writes, verifies and restores a backup. @returns what each command took */
async function runCommands(settings: Record<string, string>): Promise<{ size: number; steps: Measured[] }> {
  const file = join(folder, 'a.tar.gz');
  const target = `restored_${++restores}`;
  await admin.query(`create database ${target}`);
  const on = (database: string) => ({
    ...settings,
    DATABASE_URL: urlOf(database),
    DATA_DIR: join(folder, database),
  });
  const steps = [
    await measure(['backup', '--force', file], on('filled')),
    await measure(['verify', file], on('filled')),
    await measure(['restore', file], on(target)),
  ];
  const { size } = statSync(file);
  await admin.query(`drop database ${target}`);
  rmSync(file);
  return { size, steps };
}

try {
  await admin.query('create database filled');
  const pool = new pg.Pool({ connectionString: urlOf('filled'), max: 1 });
  await migrateDatabase(pool);
  await pool.query(
    "insert into users (id, email, name, plan) values (gen_random_uuid(), 'a@b.c', 'A', 'pro')",
  );
  const empty = new Map<string, Measured[]>();
  for (const [name, settings] of WAYS) empty.set(name, (await runCommands(settings)).steps);
  await fill(pool, Number(values.megabytes));
  await pool.end();
  for (const [name, settings] of WAYS) {
    const { size, steps } = await runCommands(settings);
    console.log(`${name}: ${values.megabytes} MB of rows in a file of ${(size / 1e6).toFixed(0)} MB`);
    for (const [at, { seconds, peak }] of steps.entries()) {
      const before = empty.get(name)?.[at]?.peak ?? 0;
      if (peak - before > GOAL_MB) missed++;
      console.log(
        `  ${['backup', 'verify', 'restore'][at]?.padEnd(8)} ${seconds.toFixed(1).padStart(5)} s  RSS at most ${peak.toFixed(0)} MB, of an empty table ${before.toFixed(0)} MB`,
      );
    }
  }
} finally {
  await admin.end();
  await server.stop();
  removeDataFolder(folder);
}
console.log(`${missed === 0 ? 'reached' : 'MISSED'}: memory grows by at most ${GOAL_MB} MB`);
if (values.check && missed > 0) process.exitCode = 1;
