import { type ChildProcess, spawn } from 'node:child_process';
import { openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '../../packages/server/src/app/http/listen.ts';

const START_MS = 10_000;

/** HAProxy in front of several web processes, on loopback. */
export class HttpProxy {
  readonly #folder: string;
  #child: ChildProcess | undefined;
  #statisticsPort = 0;
  url = '';

  /** @param folder for the configuration and the log */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Chooses its port. @returns its URL, which the web processes need as PUBLIC_URL before they start */
  async reserve(): Promise<string> {
    this.url = `http://127.0.0.1:${await findFreePort('127.0.0.1')}`;
    return this.url;
  }

  /** Starts it and waits until all servers are up. */
  async start(ports: readonly number[]): Promise<void> {
    this.#statisticsPort = await findFreePort('127.0.0.1');
    const file = join(this.#folder, 'haproxy.cfg');
    const servers = ports.map((port, index) => `  server web${index + 1} 127.0.0.1:${port} check`);
    writeFileSync(
      file,
      `global
  maxconn 500
defaults
  mode http
  timeout connect 2s
  timeout client 1h
  timeout server 1h
  timeout check 1s
listen datadeck
  bind ${this.url.slice('http://'.length)}
  balance roundrobin
  option httpchk GET /readyz
  # A request that a dead process never received goes to the other one; one that it may have received does not.
  option redispatch 1
  retries 3
  retry-on conn-failure
  default-server inter 500ms fall 1 rise 1 on-marked-down shutdown-sessions
${servers.join('\n')}
listen statistics
  bind 127.0.0.1:${this.#statisticsPort}
  stats enable
  stats uri /
`,
    );
    const log = openSync(join(this.#folder, 'haproxy.log'), 'a');
    this.#child = spawn('haproxy', ['-db', '-f', file], { stdio: ['ignore', log, log] });
    for (const begun = Date.now(); !(await this.#areUp(ports.length)); await sleep(100))
      if (Date.now() - begun > START_MS) throw new Error(`HAProxy does not start: ${this.#folder}`);
  }

  /** Returns a column of its statistics for each web process. */
  async #column(name: string): Promise<string[]> {
    const text = await (await fetch(`http://127.0.0.1:${this.#statisticsPort}/;csv`)).text();
    const [header = '', ...rows] = text.trim().split('\n');
    const index = header.split(',').indexOf(name);
    return rows.filter((row) => row.startsWith('datadeck,web')).map((row) => row.split(',')[index] ?? '');
  }

  async #areUp(count: number): Promise<boolean> {
    const states = await this.#column('status').catch(() => []);
    return states.filter((state) => state.startsWith('UP')).length === count;
  }

  /** Returns the number of requests that were cut off while a web process worked on them, with open event streams. */
  async cutOff(): Promise<number> {
    return (await this.#column('eresp')).reduce((sum, count) => sum + Number(count), 0);
  }

  stop(): void {
    this.#child?.kill('SIGKILL');
  }
}
