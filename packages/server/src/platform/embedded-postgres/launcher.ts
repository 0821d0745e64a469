import { type ChildProcess, execFile, spawn } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { StartError } from '../start-error.ts';
import { makePartialFolder, moveIntoPlace } from './atomic-folder.ts';
import { awaitDisconnects } from './await-disconnects.ts';
import { installBinaries } from './binaries.ts';
import { type ClusterPaths, chownTo, prepareFolders } from './cluster-paths.ts';
import { type DiskSpace, isDiskFull, isDiskLow, readDiskSpace, withDiskCheck } from './disk-space.ts';
import { Guard } from './guard.ts';
import { startLogRotation } from './log-rotation.ts';
import { readOrCreatePassword, requirePassword, writeAccessRules } from './password.ts';
import {
  clearSocketLock,
  readLock,
  removeLock,
  runningServer,
  serverLockOf,
  serverStateOf,
} from './server-lock.ts';

const run = promisify(execFile);
const DATABASE_USER = 'datadeck';
const LOCK_KEY = 7_238_119;
const DEFAULT_PORT = 5432;
/** File in a cluster whose creation was completed. */
const MARKER = 'datadeck-initialised';

/** Environment of the database's processes. */
const CHILD_ENV = { PATH: process.env.PATH ?? '', LC_ALL: 'C', TZ: 'UTC' };

const SERVER_SETTINGS = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  // The product is the superuser: SQL roles cannot take all connections. The listener for them has fewer than the rest.
  max_connections: '100',
  superuser_reserved_connections: '40',
  authentication_timeout: '20s',
  shared_buffers: '48MB',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '1GB',
  min_wal_size: '80MB',
  jit: 'off',
  log_min_messages: 'warning',
  // 64 MB: every role may NOTIFY, and messages stay while a listener has a transaction open.
  max_notify_queue_pages: '8192',
  idle_in_transaction_session_timeout: '60s',
};

/** A running embedded database. */
export interface EmbeddedPostgres {
  /** Connection settings for the `pg` driver. */
  connection: pg.PoolConfig;
  /** True when a server of an earlier process was still running and is used. */
  adopted: boolean;
  /** Returns whether its disk has too little space. */
  isDiskFull(): boolean;
  /** Returns whether its disk is almost full. */
  isDiskLow(): boolean;
  /** Returns the space of its disk. @throws Error when its folder is missing */
  diskSpace(): DiskSpace;
  /** Stops the server after its checkpoint. */
  stop(): Promise<void>;
  /** Stops the server immediately without a checkpoint; the next start recovers from the WAL. */
  kill(): void;
}

async function createCluster(paths: ClusterPaths, binaries: string): Promise<void> {
  const isComplete = () => existsSync(join(paths.cluster, MARKER));
  if (isComplete()) return;
  const partial = makePartialFolder(paths.cluster);
  chmodSync(partial, 0o700);
  chownTo(partial, paths.owner);
  const options = [
    '-D',
    partial,
    '-U',
    DATABASE_USER,
    '--auth=trust',
    '--encoding=UTF8',
    '--no-instructions',
  ];
  const locale = ['--locale-provider=builtin', '--locale=C.UTF-8', '--lc-collate=C', '--lc-ctype=C'];
  await run(join(binaries, 'bin', 'initdb'), [...options, ...locale], {
    ...paths.owner,
    cwd: paths.folder,
    env: CHILD_ENV,
  }).catch((error: Error & { stderr?: string }) => {
    throw new StartError(
      `The embedded database could not be created: ${(error.stderr ?? error.message).trim()}`,
      error,
    );
  });
  writeFileSync(join(partial, MARKER), '');
  chownTo(join(partial, MARKER), paths.owner);
  // Remove an incomplete cluster of an earlier version.
  if (!isComplete()) rmSync(paths.cluster, { recursive: true, force: true });
  moveIntoPlace(partial, paths.cluster);
}

function connectionTo(paths: ClusterPaths, dataDir: string): pg.PoolConfig {
  const password = readOrCreatePassword(dataDir);
  const port = runningServer(paths)?.port ?? DEFAULT_PORT;
  return { host: paths.socket, port, user: DATABASE_USER, database: 'datadeck', password };
}

/** Returns whether a server responds. */
export async function canConnect(connection: pg.PoolConfig): Promise<boolean> {
  const client = new pg.Client({ ...connection, database: 'postgres', connectionTimeoutMillis: 2000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * Adopts an earlier server that responds, or removes the lock files of a dead one. A lock file that lost its content counts
 * as that of a dead server unless one responds. @returns whether one was adopted
 */
async function adoptOrClearServer(paths: ClusterPaths, connection: pg.PoolConfig): Promise<boolean> {
  const file = serverLockOf(paths);
  for (let attempt = 0; attempt < 60; attempt++) {
    const { pid } = readLock(file) ?? {};
    const state = pid === undefined ? 'gone' : serverStateOf(pid, paths);
    if (state === 'running' && (await canConnect(connection))) return true;
    const isDead = pid !== undefined || !existsSync(file) || !(await canConnect(connection));
    if ((state === 'gone' && isDead) || (state === 'zombie' && attempt > 20)) {
      removeLock(file);
      clearSocketLock(paths, connection.port ?? DEFAULT_PORT);
      return false;
    }
    await sleep(100);
  }
  const { pid } = readLock(file) ?? {};
  throw new StartError(
    `A PostgreSQL server${pid === undefined ? '' : ` (process ${pid})`} uses ${paths.cluster} but does not respond. Stop it, remove ${file} if it is still there, and start Datadeck again. Its log is ${paths.log}.`,
  );
}

interface ServerOptions {
  /** Settings in place of the product's, by name. */
  settings?: Record<string, string>;
}

function settingsOf(
  paths: ClusterPaths,
  { port }: pg.PoolConfig,
  settings: ServerOptions['settings'],
): [name: string, value: string][] {
  return Object.entries({
    ...SERVER_SETTINGS,
    ...settings,
    unix_socket_directories: paths.socket,
    port: String(port),
  });
}

async function startServer(
  paths: ClusterPaths,
  binaries: string,
  { connection, settings: changed }: ServerOptions & { connection: pg.PoolConfig },
): Promise<ChildProcess> {
  const settings = settingsOf(paths, connection, changed);
  writeAccessRules(paths, String(connection.password));
  const log = openSync(paths.log, 'a');
  const { size: logged } = fstatSync(log);
  const child = spawn(
    join(binaries, 'bin', 'postgres'),
    ['-D', paths.cluster, ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    { ...paths.owner, cwd: paths.folder, env: CHILD_ENV, detached: true, stdio: ['ignore', log, log] },
  );
  closeSync(log);
  let failure: Error | undefined;
  child.on('error', (error) => {
    failure = error;
  });
  for (let attempt = 0; attempt < 600; attempt++) {
    if (await canConnect(connection)) {
      child.unref();
      return child;
    }
    if (failure || child.exitCode !== null || child.signalCode !== null) {
      const lines = readFileSync(paths.log)
        .subarray(logged)
        .toString()
        .trim()
        .split('\n')
        .slice(-3)
        .join('\n');
      throw new StartError(
        `The embedded database did not start: ${failure?.message ?? lines}\nIts log is ${paths.log}.`,
        failure,
      );
    }
    await sleep(30);
  }
  throw new StartError(`The embedded database did not respond within 20 s. Its log is ${paths.log}.`);
}

/** Locks the folder for this process by an advisory lock, which PostgreSQL releases when the process ends. */
async function acquireFolderLock(connection: pg.PoolConfig, dataDir: string): Promise<pg.Client> {
  const client = new pg.Client({
    ...connection,
    database: 'postgres',
    application_name: `datadeck:${process.pid}`,
    keepAlive: true,
  });
  client.on('error', () => undefined);
  await client.connect();
  for (let attempt = 0; attempt < 30; attempt++) {
    const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) locked', [
      LOCK_KEY,
    ]);
    if (rows[0]?.locked) return client;
    await sleep(100);
  }
  const { rows } = await client.query<{ holder: string }>(
    `select a.application_name holder from pg_locks l join pg_stat_activity a using (pid)
     where l.locktype = 'advisory' and l.granted and l.objid = $1`,
    [LOCK_KEY],
  );
  await client.end();
  const holder = rows[0]?.holder.replace('datadeck:', 'process ') ?? 'another process';
  throw new StartError(
    `The data folder ${dataDir} is in use by a running Datadeck (${holder}). Stop it, or set another DATA_DIR.`,
  );
}

/** Sends a signal to the server. @returns its process id; undefined when it is not running */
function signalServer(paths: ClusterPaths, signal: NodeJS.Signals): number | undefined {
  const pid = runningServer(paths)?.pid;
  if (pid === undefined) return undefined;
  try {
    process.kill(pid, signal);
    return pid;
  } catch {
    return undefined;
  }
}

async function stopServer(paths: ClusterPaths): Promise<void> {
  const pid = signalServer(paths, 'SIGINT');
  if (pid === undefined) return;
  for (let attempt = 0; attempt < 300 && serverStateOf(pid, paths) === 'running'; attempt++) await sleep(20);
}

interface EmbeddedOptions extends ServerOptions {
  /** Called with a message for each later event of the server. */
  onEvent?: (event: string) => void;
}

/**
 * Starts PostgreSQL from npm below `dataDir`: on a unix socket, as `nobody` when started by root.
 * Takes over a server that an earlier, killed process left running; starts it again when it dies (a full disk, a kill).
 * @throws StartError when the folder is unwritable, in use by another Datadeck, or the server does not start
 */
export async function startEmbeddedPostgres(
  dataDir: string,
  { onEvent = () => undefined, ...options }: EmbeddedOptions = {},
): Promise<EmbeddedPostgres> {
  if (process.platform === 'win32')
    throw new StartError('On Windows set DATABASE_URL to a PostgreSQL 15 or newer.');
  const paths = prepareFolders(dataDir);
  const connection = connectionTo(paths, dataDir);
  const started = await withDiskCheck(paths.folder, () =>
    startGuarded(paths, connection, { ...options, dataDir, onEvent }),
  );
  const stopLogRotation = startLogRotation(paths.log);
  return {
    connection,
    adopted: started.adopted,
    isDiskFull: () => isDiskFull(paths.folder),
    isDiskLow: () => isDiskLow(paths.folder),
    diskSpace: () => readDiskSpace(paths.folder),
    stop: async () => {
      stopLogRotation();
      started.guard.end();
      await awaitDisconnects(connection);
      await stopServer(paths);
      await started.guard.release();
    },
    kill: () => {
      stopLogRotation();
      started.guard.end();
      signalServer(paths, 'SIGQUIT');
    },
  };
}

async function startGuarded(
  paths: ClusterPaths,
  connection: pg.PoolConfig,
  { dataDir, onEvent, ...options }: ServerOptions & { dataDir: string; onEvent: (event: string) => void },
): Promise<{ guard: Guard; adopted: boolean }> {
  const binaries = installBinaries(paths.folder);
  if (paths.folder.startsWith('/var/lib/datadeck')) chmodSync('/var/lib/datadeck', 0o755);
  await createCluster(paths, binaries);
  const adopted = await adoptOrClearServer(paths, connection);
  const restart = () =>
    withDiskCheck(paths.folder, async () => {
      if (await adoptOrClearServer(paths, connection)) return undefined;
      return startServer(paths, binaries, { connection, ...options });
    });
  const server = adopted ? undefined : await startServer(paths, binaries, { connection, ...options });
  const guard = new Guard(restart, () => acquireFolderLock(connection, dataDir), onEvent);
  await guard.begin(server);
  await requirePassword(paths, connection);
  await createDatabase(connection);
  return { guard, adopted };
}

async function createDatabase(connection: pg.PoolConfig): Promise<void> {
  const client = new pg.Client({ ...connection, database: 'postgres' });
  await client.connect();
  const { rowCount } = await client.query("select 1 from pg_database where datname = 'datadeck'");
  if (rowCount === 0) await client.query('create database datadeck');
  // Roles of users need the product's database alone.
  for (const other of ['postgres', 'template1'])
    await client.query(`revoke connect on database ${other} from public`);
  await client.end();
}

/** Returns the connection settings of the embedded database if it is running for this folder; else undefined. */
export async function findRunningPostgres(dataDir: string): Promise<pg.PoolConfig | undefined> {
  const connection = connectionTo(prepareFolders(dataDir), dataDir);
  return (await canConnect(connection)) ? connection : undefined;
}
