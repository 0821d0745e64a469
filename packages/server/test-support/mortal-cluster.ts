import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '../src/app/http/listen.ts';
import { canConnect } from '../src/platform/embedded-postgres/launcher.ts';
import { makeTemporaryFolder, removeDataFolder } from './temporary-folder.ts';

const STARTS = 50;

function accountOf(user: string): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const [uid = 0, gid = 0] = ['-u', '-g'].map((which) =>
    Number(execFileSync('id', [which, user]).toString()),
  );
  return { uid, gid };
}

/** A PostgreSQL server of Debian's packages with one database, for tests that kill it; a child of this process. */
export class MortalCluster {
  readonly #bin: string;
  readonly #folder = makeTemporaryFolder('datadeck-cluster-');
  readonly #account = accountOf('postgres');
  #port = 0;
  #postmaster: ChildProcess | undefined;

  private constructor(bin: string) {
    this.#bin = bin;
  }

  /** Creates a cluster and starts it. @param bin folder of PostgreSQL's programs */
  static async make(bin: string): Promise<MortalCluster> {
    const cluster = new MortalCluster(bin);
    cluster.#port = await findFreePort('127.0.0.1');
    chmodSync(cluster.#folder, 0o700);
    if (cluster.#account) chownSync(cluster.#folder, cluster.#account.uid, cluster.#account.gid);
    const options = [
      '-D',
      cluster.#data,
      '-U',
      'postgres',
      '--auth=trust',
      '--encoding=UTF8',
      '--locale=C.UTF-8',
    ];
    execFileSync(join(bin, 'initdb'), options, {
      ...cluster.#account,
      cwd: cluster.#folder,
      stdio: 'ignore',
    });
    await cluster.start();
    return cluster;
  }

  get #data(): string {
    return join(this.#folder, 'cluster');
  }

  get url(): string {
    return `postgres://postgres@127.0.0.1:${this.#port}/postgres`;
  }

  /** Starts the server and waits until it responds; processes of a killed one may keep its shared memory for a moment. */
  async start(): Promise<void> {
    const settings = [
      `port=${this.#port}`,
      'listen_addresses=127.0.0.1',
      `unix_socket_directories=${this.#folder}`,
      'max_connections=100',
    ];
    for (let attempt = 0; attempt < STARTS; attempt++) {
      const child = spawn(
        join(this.#bin, 'postgres'),
        ['-D', this.#data, ...settings.flatMap((one) => ['-c', one])],
        {
          ...this.#account,
          cwd: this.#folder,
          stdio: 'ignore',
        },
      );
      this.#postmaster = child;
      while (child.exitCode === null) {
        if (await canConnect({ connectionString: this.url })) return;
        await sleep(30);
      }
      await sleep(100);
    }
    throw new Error('the cluster does not start');
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#postmaster;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    child.kill(signal);
    await exit;
  }

  /** Kills the main process with SIGKILL; the other processes then exit. */
  kill(): Promise<void> {
    return this.#end('SIGKILL');
  }

  /** Stops the server and removes its folder. */
  async remove(): Promise<void> {
    await this.#end('SIGQUIT');
    removeDataFolder(this.#folder);
  }
}
