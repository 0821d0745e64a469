import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '../src/app/http/listen.ts';
import { canConnect } from '../src/platform/embedded-postgres/launcher.ts';
import { makeTemporaryFolder } from './temporary-folder.ts';

const BINARY = ['/usr/sbin/pgbouncer', '/usr/local/bin/pgbouncer', '/opt/homebrew/bin/pgbouncer'].find(
  (path) => existsSync(path),
);

/** Reason why tests with PgBouncer cannot run here; undefined if they can. */
export const PGBOUNCER_MISSING =
  BINARY === undefined ? 'PgBouncer is not installed (Debian, Ubuntu: apt-get install pgbouncer)' : undefined;
if (PGBOUNCER_MISSING) console.warn(`Tests behind a connection pooler are skipped: ${PGBOUNCER_MISSING}`);

const NOBODY = 65_534;
const START_MS = 15_000;

/** Returns the user that may open the server's socket: PgBouncer refuses to run as root. */
function accountFor(host: string): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const { uid, gid } = host.startsWith('/') ? statSync(host) : { uid: NOBODY, gid: NOBODY };
  return uid === 0 ? { uid: NOBODY, gid: NOBODY } : { uid, gid };
}

/** PgBouncer in transaction mode on a private port, in front of all databases of one PostgreSQL server. */
export class PgBouncer {
  readonly #child: ChildProcess;
  readonly #folder: string;
  readonly #port: number;

  private constructor(child: ChildProcess, folder: string, port: number) {
    this.#child = child;
    this.#folder = folder;
    this.#port = port;
  }

  /** Starts it. @param server address of a database of the server, with a user who may do everything */
  static async start(server: string): Promise<PgBouncer> {
    const { username, password, hostname, port: serverPort } = new URL(server);
    const host = decodeURIComponent(hostname);
    const folder = makeTemporaryFolder('datadeck-pooler-');
    const port = await findFreePort('127.0.0.1');
    const target = `host=${host} port=${serverPort || 5432} user=${username} password=${decodeURIComponent(password)}`;
    const file = join(folder, 'pgbouncer.ini');
    // Few connections for each database and mode `transaction`: what needs a session fails.
    const settings = [
      `[databases]\n* = ${target}\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =`,
      'auth_type = any\npool_mode = transaction\ndefault_pool_size = 8\nmax_client_conn = 1000\nserver_idle_timeout = 5',
    ];
    writeFileSync(file, `${settings.join('\n')}\n`);
    chmodSync(file, 0o644);
    const child = spawn(BINARY ?? '', ['-q', file], { ...accountFor(host), stdio: 'ignore' });
    const bouncer = new PgBouncer(child, folder, port);
    await bouncer.#awaitStart();
    return bouncer;
  }

  async #awaitStart(): Promise<void> {
    for (const begun = Date.now(); !(await canConnect({ connectionString: this.url('postgres') })); ) {
      if (this.#child.exitCode !== null || Date.now() - begun > START_MS)
        throw new Error('PgBouncer does not start');
      await sleep(50);
    }
  }

  /** Returns the address of a database behind the pooler. */
  url(database: string): string {
    return `postgres://pooled@127.0.0.1:${this.#port}/${database}`;
  }

  async stop(): Promise<void> {
    const exit = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    if (this.#child.exitCode === null) await exit;
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
