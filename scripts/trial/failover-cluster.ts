import { type ChildProcess, execFileSync, type SpawnOptions, spawn } from 'node:child_process';
import { appendFileSync, chmodSync, chownSync, mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { processTree } from '../../bench/memory-of.ts';
import { findFreePort } from '../../packages/server/src/app/http/listen.ts';

const BIN = '/usr/lib/postgresql/15/bin';
const HEALTHY_MS = 180_000;
/** A node counts as lost after some seconds, as on a network that loses nothing. */
const MONITOR_SETTINGS = `
pgautofailover.health_check_period = 1000
pgautofailover.health_check_timeout = 1000
pgautofailover.health_check_max_retries = 1
pgautofailover.health_check_retry_delay = 500
pgautofailover.node_considered_unhealthy_timeout = 3000
pgautofailover.primary_demote_timeout = 3000
pgautofailover.startup_grace_period = 1000
`;

interface Node {
  name: string;
  port: number;
}

interface NodeState {
  name: string;
  reported: string;
  goal: string;
}

function postgresAccount(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (which: string) => Number(execFileSync('id', [which, 'postgres']).toString());
  return { uid: id('-u'), gid: id('-g') };
}

/** Bytes of PostgreSQL's protocol that ask a server for its role, for HAProxy's check. */
const CHECK = {
  startup: '00000029000300007573657200706f73746772657300646174616261736500646174616465636b0000',
  query: '510000002073656c6563742070675f69735f696e5f7265636f7665727928293b00',
  isPrimary: '440000000b00010000000166',
};

/** A primary and a synchronous standby of pg_auto_failover, and HAProxy that leads to the primary; all on loopback. */
export class FailoverCluster {
  readonly #folder: string;
  readonly #account = postgresAccount();
  readonly #services = new Map<string, ChildProcess>();
  readonly #nodes: Node[] = [];
  #monitorPort = 0;
  #proxyPort = 0;
  #isRemoved = false;

  constructor(folder: string) {
    this.#folder = folder;
    chmodSync(folder, 0o700);
    if (this.#account) chownSync(folder, this.#account.uid, this.#account.gid);
  }

  /** Address of the database behind HAProxy. */
  get url(): string {
    return `postgres://postgres@127.0.0.1:${this.#proxyPort}/datadeck`;
  }

  get #options(): SpawnOptions {
    const path = (name: string) => join(this.#folder, name);
    return {
      ...this.#account,
      cwd: this.#folder,
      env: {
        PATH: `${BIN}:${process.env.PATH}`,
        HOME: this.#folder,
        // Databases have the encoding of the locale.
        LC_ALL: 'C.UTF-8',
        PG_REGRESS_SOCK_DIR: this.#folder,
        XDG_CONFIG_HOME: path('config'),
        XDG_DATA_HOME: path('data'),
        XDG_RUNTIME_DIR: path('run'),
      },
    };
  }

  #autoctl(...words: string[]): void {
    const log = openSync(join(this.#folder, 'set-up.log'), 'a');
    execFileSync('pg_autoctl', words, { ...this.#options, stdio: ['ignore', log, log] });
  }

  #run(name: string, file: string, ...words: string[]): void {
    if (this.#isRemoved) throw new Error('the cluster is removed');
    const log = openSync(join(this.#folder, `${name}.log`), 'a');
    this.#services.set(name, spawn(file, words, { ...this.#options, stdio: ['ignore', log, log] }));
  }

  #runNode(name: string): void {
    this.#run(name, 'pg_autoctl', 'run', '--pgdata', join(this.#folder, name));
  }

  async #createMonitor(): Promise<void> {
    this.#monitorPort = await findFreePort('127.0.0.1');
    const data = join(this.#folder, 'monitor');
    const common = ['--pgctl', join(BIN, 'pg_ctl'), '--hostname', '127.0.0.1', '--auth', 'trust', '--no-ssl'];
    this.#autoctl('create', 'monitor', ...common, '--pgdata', data, '--pgport', String(this.#monitorPort));
    this.#autoctl('config', 'set', 'postgresql.listen_addresses', '127.0.0.1', '--pgdata', data);
    appendFileSync(join(data, 'postgresql.conf'), MONITOR_SETTINGS);
    this.#runNode('monitor');
    await this.#until(async () => (await this.#states()).length >= 0, 'the monitor does not start');
  }

  async #createNode(name: string): Promise<void> {
    const port = await findFreePort('127.0.0.1');
    const monitor = `postgres://autoctl_node@127.0.0.1:${this.#monitorPort}/pg_auto_failover`;
    const data = join(this.#folder, name);
    const common = ['--pgctl', join(BIN, 'pg_ctl'), '--hostname', '127.0.0.1', '--auth', 'trust', '--no-ssl'];
    this.#nodes.push({ name, port });
    const own = ['--pgdata', data, '--pgport', String(port), '--name', name, '--listen', '127.0.0.1'];
    const database = ['--pghost', this.#folder, '--username', 'postgres', '--dbname', 'datadeck'];
    this.#autoctl('create', 'postgres', ...common, ...own, ...database, '--monitor', monitor);
    this.#runNode(name);
  }

  async #startProxy(): Promise<void> {
    this.#proxyPort = await findFreePort('127.0.0.1');
    const file = join(this.#folder, 'haproxy.cfg');
    const servers = this.#nodes.map(({ name, port }) => `  server ${name} 127.0.0.1:${port} check`);
    writeFileSync(
      file,
      `global
  maxconn 500
defaults
  mode tcp
  timeout connect 2s
  timeout client 1h
  timeout server 1h
  timeout check 1s
listen postgres
  bind 127.0.0.1:${this.#proxyPort}
  option tcp-check
  tcp-check connect
  tcp-check send-binary ${CHECK.startup}
  tcp-check expect binary 5a
  tcp-check send-binary ${CHECK.query}
  tcp-check expect binary ${CHECK.isPrimary}
  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${servers.join('\n')}
`,
    );
    chmodSync(file, 0o644);
    this.#run('haproxy', 'haproxy', '-db', '-f', file);
  }

  /** Creates and starts everything; takes about a minute. */
  async start(): Promise<void> {
    for (const name of ['config', 'data', 'run']) {
      mkdirSync(join(this.#folder, name));
      if (this.#account) chownSync(join(this.#folder, name), this.#account.uid, this.#account.gid);
    }
    await this.#createMonitor();
    await this.#createNode('node1');
    await this.#until(
      async () => (await this.#states()).some(({ reported }) => reported === 'single'),
      'node1 does not start',
    );
    await this.#createNode('node2');
    await this.#startProxy();
    await this.awaitHealthy();
  }

  async #query<T extends pg.QueryResultRow>(port: number, database: string, text: string): Promise<T[]> {
    const client = new pg.Client({
      host: '127.0.0.1',
      port,
      user: 'postgres',
      database,
      connectionTimeoutMillis: 2000,
      query_timeout: 2000,
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return (await client.query<T>(text)).rows;
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  #states(): Promise<NodeState[]> {
    return this.#query<NodeState>(
      this.#monitorPort,
      'pg_auto_failover',
      'select nodename as name, reportedstate::text as reported, goalstate::text as goal from pgautofailover.node',
    );
  }

  async #until(isSo: () => Promise<boolean>, message: string): Promise<void> {
    for (const begun = Date.now(); !(await isSo().catch(() => false)); await sleep(200))
      if (Date.now() - begun > HEALTHY_MS) throw new Error(message);
  }

  /** Waits for a primary with a synchronous standby, to which the proxy leads. */
  async awaitHealthy(): Promise<void> {
    const wanted = ['primary', 'secondary'];
    await this.#until(async () => {
      const states = await this.#states();
      const isSettled = states.every(({ reported, goal }) => reported === goal);
      const has = states.map(({ reported }) => reported).sort();
      if (!isSettled || has.join() !== wanted.join()) return false;
      const rows = await this.#query(
        this.#proxyPort,
        'datadeck',
        "select from pg_stat_replication where sync_state in ('sync', 'quorum')",
      );
      return rows.length === 1;
    }, 'the cluster does not become healthy');
  }

  /** Kills all processes of the primary's node with SIGKILL. @returns its name */
  async killPrimary(): Promise<string> {
    const primary = (await this.#states()).find(({ reported }) => reported === 'primary');
    const root = this.#services.get(primary?.name ?? '')?.pid;
    if (!primary || root === undefined) throw new Error('there is no primary');
    for (const pid of processTree(root))
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It ended with its parent.
      }
    return primary.name;
  }

  /** Starts a killed node again; it becomes the standby. */
  revive(name: string): void {
    this.#runNode(name);
  }

  /** Kills all processes and removes the folder. */
  async remove(): Promise<void> {
    this.#isRemoved = true;
    for (const name of ['haproxy', 'node1', 'node2', 'monitor']) {
      const child = this.#services.get(name);
      const pids = child?.pid === undefined ? [] : processTree(child.pid);
      for (const pid of pids)
        try {
          process.kill(pid, 'SIGKILL');
        } catch {
          // It ended with its parent.
        }
    }
    await sleep(500);
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
