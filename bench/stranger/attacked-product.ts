import { fork } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '../../packages/server/src/app/http/listen.ts';
import { ChildServer } from '../../packages/server/test-support/child-server.ts';
import { runSync } from '../../packages/server/test-support/syncing.ts';
import {
  makeTemporaryFolder,
  removeDataFolder,
} from '../../packages/server/test-support/temporary-folder.ts';
import { Client } from '../../packages/server/test-support/test-server.ts';
import {
  COLLECT_ON_SIGNAL,
  collectGarbage,
  evaluatorsOf,
  processTree,
  proportionalMemory,
} from '../memory-of.ts';
import { type SandboxProcess, startSandboxProcess } from '../sandbox-process.ts';
import { OTHER_MACHINE_NICENESS } from './attack.ts';
import type { Answers, AttackOrder } from './attackers.ts';
import type { Figures, Memory } from './report.ts';
import { type Probe, startProbe } from './start-probe.ts';

const MESSAGES = 60;
const DEMOS = 8;
const WARM_UP_ROUNDS = 10;
/** Adding up a process's pages stops it for milliseconds, so memory is not measured more often. */
const MEMORY_EVERY_MS = 2000;
const HEALTH_EVERY_MS = 20;
const PAGE_EVERY_MS = 50;
/** Memory is given so long to return. */
const REST_MS = 90_000;
const PAGES = [
  '/api/integrations/entities/aggregation/gh-pulls/pulls-all?page=1',
  '/api/integrations/entities/aggregation/gmail-messages/messages-all?page=1',
  '/api/integrations/synchronizations?providers=google,github',
  '/api/integrations/providers',
  '/api/data/views',
];

/** Memory by kind of process; evaluators end by themselves, and PostgreSQL keeps its buffers. */
function memoryOf(server: number, database: number): Memory {
  const evaluators = new Set(evaluatorsOf(server));
  const memory = { server: 0, evaluators: 0, database: 0, total: 0 };
  const ofDatabase = new Set(processTree(database));
  for (const pid of new Set([...processTree(server), ...ofDatabase])) {
    const size = proportionalMemory(pid);
    const kind = ofDatabase.has(pid) ? 'database' : evaluators.has(pid) ? 'evaluators' : 'server';
    memory[kind] += size;
    memory.total += size;
  }
  return memory;
}

/** The `nth` user of the sandbox. */
const emailOf = (nth: number) => `bench-${MESSAGES}${nth === 0 ? '' : `-${nth + 1}`}@sandbox.example`;

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true }).map(String);
}

/** Files that a process holds open without a name. */
function namelessFilesOf(pid: number | undefined): string[] {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).flatMap((name) => {
    try {
      const target = readlinkSync(join(folder, name));
      return target.startsWith('/') && target.endsWith('(deleted)') ? [target] : [];
    } catch {
      return [];
    }
  });
}

/** A product with a signed-in victim, users for attackers, and threads that read while it is attacked. */
export class AttackedProduct {
  readonly #folder = makeTemporaryFolder('datadeck-stranger-');
  readonly #temporary = join(this.#folder, 'tmp');
  readonly #data = join(this.#folder, 'data');
  readonly #server: ChildServer;
  readonly #sandbox: SandboxProcess;
  readonly #attackers = fork(fileURLToPath(new URL('attackers.ts', import.meta.url)));
  #probes: { health: Probe; pages: Probe } | undefined;
  #aims: AttackOrder['aims'] = {};
  #files: string[] = [];

  private constructor(sandbox: SandboxProcess, { port, sqlPort }: { port: number; sqlPort: number }) {
    for (const folder of [this.#temporary, this.#data]) mkdirSync(folder, { mode: 0o755 });
    chmodSync(this.#temporary, 0o1777);
    this.#sandbox = sandbox;
    this.#server = new ChildServer({
      ...sandbox.providers,
      ...COLLECT_ON_SIGNAL,
      DATA_DIR: this.#data,
      TMPDIR: this.#temporary,
      PORT: String(port),
      TRUSTED_PROXIES: 'loopback',
      CONNECT_HOSTS: '127.0.0.1',
      SQL_LISTEN: `127.0.0.1:${sqlPort}`,
      GMAIL_UNITS_PER_MINUTE: '0',
      GITHUB_POINTS_PER_MINUTE: '0',
    });
  }

  /** Starts it with a user for each of the attacks. */
  static async start(attacks: readonly string[]): Promise<AttackedProduct> {
    const sandbox = await startSandboxProcess([
      `--messages=${MESSAGES}`,
      `--mailboxes=${attacks.length + 1}`,
    ]);
    setPriority(sandbox.pid, OTHER_MACHINE_NICENESS);
    const [port, sqlPort] = [await findFreePort('127.0.0.1'), await findFreePort('127.0.0.1')];
    const product = new AttackedProduct(sandbox, { port, sqlPort });
    try {
      await product.#prepare(attacks);
    } catch (error) {
      await product.stop();
      throw error;
    }
    return product;
  }

  async #prepare(attacks: readonly string[]): Promise<void> {
    const server = this.#server;
    await server.start();
    const victim = await this.#signIn(0);
    await victim.connect('github', 'ada-nowak');
    await runSync(victim, 'gh-pulls', { owner: 'ada-nowak', repo: 'dotfiles' });
    const demos = await Promise.all(
      Array.from(
        { length: DEMOS },
        async (_, nth) => (await new Client(server, `10.255.1.${nth}`).demo()).token,
      ),
    );
    const { url } = server;
    for (const [nth, name] of attacks.entries()) {
      const { token } = await this.#signIn(nth + 1);
      const sandbox = (this.#sandbox.providers.GMAIL_API_URL ?? '').replace(/(https?:..[^/]+).*/, '$1');
      const email = emailOf(nth + 1);
      const sql = name.startsWith('sql-')
        ? (await server.admin('sql-access', 'create', email, '--name', name)).trim()
        : '';
      this.#aims[name] = { url, sandbox, user: token, email, sql, demos };
    }
    await this.#warmUp([victim.token, ...demos, ...Object.values(this.#aims).map(({ user }) => user)]);
    const probe = (paths: readonly string[], everyMs: number) =>
      startProbe({ url, paths, token: victim.token, everyMs });
    this.#probes = { health: probe(['/healthz'], HEALTH_EVERY_MS), pages: probe(PAGES, PAGE_EVERY_MS) };
    this.#files = filesOf(this.#folder);
  }

  /** Lets all users read pages at once, so that connections are open and caches filled when memory is first measured. */
  async #warmUp(tokens: readonly string[]): Promise<void> {
    const readAll = async (token: string, nth: number) => {
      const client = new Client(this.#server);
      client.token = token;
      for (let round = 0; round < WARM_UP_ROUNDS; round++)
        for (const page of PAGES) await (await client.call('GET', page)).text();
      await new Client(this.#server, `10.255.2.${nth}`).demo().catch(() => undefined);
    };
    await Promise.all(tokens.map(readAll));
  }

  /** Signs a user in whose messages are synced. The plan pro allows enough syncs. */
  async #signIn(nth: number): Promise<Client> {
    const email = emailOf(nth);
    const client = await new Client(this.#server, `10.255.0.${nth}`).signIn(email);
    await this.#server.admin('plan', email, 'pro');
    await client.connect('google', email);
    await runSync(client, 'gmail-messages', { labelIds: 'INBOX' });
    return client;
  }

  /** Lets attacks run at the same time. @returns what the product answered and what the victim noticed */
  async attack(title: string, names: readonly string[], seconds: number): Promise<Figures> {
    for (const probe of Object.values(this.#probes ?? {})) await probe.reads();
    const aims = Object.fromEntries(Object.entries(this.#aims).filter(([name]) => names.includes(name)));
    let most = this.memory();
    const watch = setInterval(() => {
      const now = this.memory();
      if (now.total > most.total) most = now;
    }, MEMORY_EVERY_MS);
    const answers = once(this.#attackers, 'message');
    this.#attackers.send({ aims, seconds } satisfies AttackOrder);
    await sleep(seconds * 1000);
    const [health, pages] = await Promise.all([
      this.#probes?.health.reads() ?? [],
      this.#probes?.pages.reads() ?? [],
    ]);
    const [given] = (await answers) as [Answers];
    clearInterval(watch);
    return { title, answers: given, health, pages, memory: most };
  }

  memory(): Memory {
    return memoryOf(this.#server.pid ?? 0, this.#server.databasePid);
  }

  /**
   * Lets the server collect its garbage.
   * @param goal MB in total for which it waits, for a limited time
   */
  async restingMemory(goal = Number.POSITIVE_INFINITY): Promise<Memory> {
    for (const until = Date.now() + REST_MS; ; ) {
      if (!this.#server.isRunning) throw new Error(`the server ended: ${this.#server.output.slice(-2000)}`);
      const held = await collectGarbage(this.#server);
      await sleep(2000);
      const memory = { ...this.memory(), held };
      if (memory.total <= goal || Date.now() > until) return memory;
    }
  }

  /** Files in the data folder and the temporary folder that the start did not leave, the database's own aside. */
  leftovers(): string[] {
    const known = new Set(this.#files);
    const isOfDatabase = (name: string) => name.includes('postgres');
    const found = filesOf(this.#folder).filter((name) => !known.has(name) && !isOfDatabase(name));
    // Results are kept, within limits of their own.
    const nameless = namelessFilesOf(this.#server.pid).filter((name) => !name.includes('/results/'));
    return [...found, ...nameless];
  }

  /** Lines of the log that report errors, and how often each came. */
  errors(): Map<string, number> {
    const errors = new Map<string, number>();
    for (const line of this.#server.output.split('\n')) {
      if (!/"level":(50|60)\b|ERROR|FATAL/.test(line)) continue;
      const message = /"message":"([^"]+)"/.exec(line)?.[1] ?? line.slice(0, 300);
      errors.set(message, (errors.get(message) ?? 0) + 1);
    }
    return errors;
  }

  async stop(): Promise<void> {
    for (const probe of Object.values(this.#probes ?? {})) await probe.end();
    this.#attackers.kill();
    await this.#server.end('SIGTERM');
    this.#sandbox.stop();
    removeDataFolder(this.#data);
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
