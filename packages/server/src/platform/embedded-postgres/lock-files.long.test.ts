import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  databaseFolder,
  databasePidOf,
  makeTemporaryFolder,
  removeDataFolder,
} from '../../../test-support/temporary-folder.ts';
import { canConnect, startEmbeddedPostgres } from './launcher.ts';

const SERVER = 'cluster/postmaster.pid';
const SOCKET = 'run/.s.PGSQL.5432.lock';

let dataDir: string;
/** Another embedded database, whose server is a PostgreSQL of the same user. */
let otherDir: string;
let other: Awaited<ReturnType<typeof startEmbeddedPostgres>>;
let sleeper: ChildProcess;
const lockOf = (name: string) => join(databaseFolder(dataDir), name);
const contents = new Map<string, string>();

/** Waits until a process has ended. */
async function untilGone(pid: number): Promise<void> {
  await vi.waitFor(() => expect(existsSync(`/proc/${pid}`)).toBe(false), { timeout: 20_000, interval: 50 });
}

beforeAll(async () => {
  dataDir = makeTemporaryFolder('datadeck-locks-');
  otherDir = makeTemporaryFolder('datadeck-other-');
  other = await startEmbeddedPostgres(otherDir);
  sleeper = spawn('sleep', ['600'], { stdio: 'ignore' });
  const crashed = await startEmbeddedPostgres(dataDir);
  for (const name of [SERVER, SOCKET]) contents.set(name, readFileSync(lockOf(name), 'utf8'));
  const pid = databasePidOf(dataDir);
  crashed.kill();
  await untilGone(pid);
}, 120_000);
afterAll(async () => {
  sleeper?.kill();
  await other?.stop();
  for (const folder of [dataDir, otherDir]) if (folder) removeDataFolder(folder);
});

/** Returns the id of a thread of this process, which the system treats as that of a live process. */
const threadId = () => readdirSync('/proc/self/task').find((id) => id !== String(process.pid)) ?? '';

/** First lines of a lock file after a crash, by what they name. */
const NAMED: [string, () => string][] = [
  ['nothing, because it is empty', () => ''],
  ['nothing readable', () => '\u0000\u0000\u0000\n'],
  ['a process that ended', () => '999999\n'],
  ['a live process', () => `${sleeper.pid}\n`],
  ['the product itself', () => `${process.pid}\n`],
  ['the first process', () => '1\n'],
  ['a thread', () => `${threadId()}\n`],
  ['the server of another data folder', () => `${databasePidOf(otherDir)}\n`],
];

/** Returns a lock file with the first line replaced. */
function damaged(name: string, first: string): string {
  const rest = (contents.get(name) ?? '').split('\n').slice(1).join('\n');
  return first === '' ? '' : first + rest;
}

describe.skipIf(!existsSync('/proc/self/cwd'))('an embedded database with a lock file of a crash', () => {
  const cases = [[SERVER], [SOCKET], [SERVER, SOCKET]].flatMap((files) =>
    NAMED.map(([what, first]) => [files.join(' and '), what, { files, first }] as const),
  );

  it.each(cases)(
    'starts when %s names %s',
    async (_files, _what, { files, first }) => {
      for (const name of [SERVER, SOCKET]) rmSync(lockOf(name), { force: true });
      for (const name of files) writeFileSync(lockOf(name), damaged(name, first()));
      const database = await startEmbeddedPostgres(dataDir);
      try {
        expect(database.adopted).toBe(false);
        expect(await canConnect(database.connection)).toBe(true);
      } finally {
        const pid = databasePidOf(dataDir);
        database.kill();
        await untilGone(pid);
      }
      expect(await canConnect(other.connection)).toBe(true);
    },
    60_000,
  );
});

describe.skipIf(!existsSync('/proc/self/cwd'))('an adopted database', () => {
  it('is started again after it dies', async () => {
    await startAndDie(dataDir);
    const events: string[] = [];
    const adopted = await startEmbeddedPostgres(dataDir, { onEvent: (event) => events.push(event) });
    try {
      expect(adopted.adopted).toBe(true);
      process.kill(databasePidOf(dataDir), 'SIGKILL');
      await vi.waitFor(() => expect(events).toContain('the embedded database is running again'), {
        timeout: 40_000,
        interval: 100,
      });
      expect(await canConnect(adopted.connection)).toBe(true);
    } finally {
      await adopted.stop();
    }
  }, 90_000);
});

/** Starts the database in another process, which is killed and leaves the server behind. */
async function startAndDie(folder: string): Promise<void> {
  const launcher = new URL('./launcher.ts', import.meta.url).href;
  const script = `const { startEmbeddedPostgres } = await import('${launcher}');
    await startEmbeddedPostgres('${folder}');
    process.kill(process.pid, 'SIGKILL');`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'inherit' });
  await once(child, 'exit');
}
