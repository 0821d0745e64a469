/**
 * `bash scripts/try-processes.sh [SECONDS]`: two web and two worker processes behind HAProxy, under load by autocannon. One of
 * them is killed with SIGKILL every ten seconds, for five minutes. Exits with 1 when a request fails beyond those that a
 * killed process worked on, a run is lost, or an open page hears nothing of a run.
 */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { findFreePort } from '../packages/server/src/app/http/listen.ts';
import { ChildServer } from '../packages/server/test-support/child-server.ts';
import { createEmptyDatabase } from '../packages/server/test-support/test-database.ts';
import { Client } from '../packages/server/test-support/test-server.ts';
import { productSettings, startSandbox } from '../packages/test-sandbox/src/index.ts';
import { HttpProxy } from './trial/http-proxy.ts';
import { type Seen, SyncingUser } from './trial/syncing-user.ts';

/** Not a dependency: its own ones would print warnings at each installation of Datadeck. */
const AUTOCANNON = 'autocannon@9.0.0';
const CONNECTIONS = 10;
const REQUESTS_PER_SECOND = 60;
const KILL_EVERY_MS = 10_000;
const RESTART_MS = 1000;
/** Pause of every answer of the sandbox, so that runs outlast kills. */
const LATENCY_MS = 1000;
const EMAILS = ['ada.nowak@sandbox.example', 'jonas.weber@sandbox.example'];
const PLAN_LIMITS = { standard: { 'gh-pulls': { cap: null, monthlyRuns: null } } };
const PATHS = [
  '/api/accounts',
  '/api/integrations/providers',
  '/api/integrations/entities',
  '/api/integrations/synchronizations/history?page=1',
  '/api/integrations/entities/aggregation/gh-pulls/pulls-all?page=1',
  '/api/data/views',
];

const seconds = Number(process.argv[2] ?? 300);
const work = mkdtempSync(join(tmpdir(), 'datadeck-processes-'));

/** Starts two web and two worker processes. @returns them and the ports of the web processes */
async function startProcesses(settings: Record<string, string>): Promise<[ChildServer[], number[]]> {
  const servers: ChildServer[] = [];
  const webPorts: number[] = [];
  for (const name of ['web-1', 'worker-1', 'web-2', 'worker-2']) {
    const port = await findFreePort('127.0.0.1');
    const role = name.slice(0, -2);
    if (role === 'web') webPorts.push(port);
    const own = { ROLE: role, PORT: String(port), DATA_DIR: join(work, name) };
    const server = new ChildServer({ ...settings, ...own }, true);
    servers.push(server);
    await server.start();
  }
  return [servers, webPorts];
}

interface Load {
  requests: { total: number };
  latency: { p50: number; p99: number; max: number };
  errors: number;
  timeouts: number;
  non2xx: number;
}

/** Requests pages of all users for the given time, by autocannon in a process of its own. */
async function runLoad(url: string, clients: readonly Client[]): Promise<Load> {
  const entries = clients.flatMap(({ token }) =>
    PATHS.map((path) => ({
      request: {
        method: 'GET',
        url: url + path,
        headers: [{ name: 'authorization', value: `Bearer ${token}` }],
      },
    })),
  );
  const har = join(work, 'load.har');
  writeFileSync(har, JSON.stringify({ log: { version: '1.2', creator: {}, entries } }));
  const size = ['-c', String(CONNECTIONS), '-R', String(REQUESTS_PER_SECOND), '-d', String(seconds)];
  const { stdout } = await promisify(execFile)(
    'npm',
    ['exec', '--yes', '--', AUTOCANNON, ...size, '--har', har, '--json', '--no-progress', url],
    { maxBuffer: 16 * 1024 * 1024 },
  );
  return JSON.parse(stdout) as Load;
}

/** Kills and restarts the processes in turn, one every ten seconds. @returns the number of kills */
async function killInTurn(servers: readonly ChildServer[], until: number): Promise<number> {
  let kills = 0;
  for (; Date.now() + KILL_EVERY_MS < until; kills++) {
    await sleep(KILL_EVERY_MS - RESTART_MS);
    const server = servers[kills % servers.length];
    await server?.end('SIGKILL');
    await sleep(RESTART_MS);
    await server?.start();
  }
  return kills;
}

function sum(seen: readonly Seen[], count: keyof Seen): number {
  return seen.reduce((total, one) => total + one[count], 0);
}

interface Outcome {
  load: Load;
  kills: number;
  seen: readonly Seen[];
  cutOff: number;
}

/** Prints the outcome. @returns what was missed */
function report({ load, kills, seen, cutOff }: Outcome): string[] {
  const loadFailures = load.errors + load.timeouts + load.non2xx;
  const failed = loadFailures + sum(seen, 'failedRequests');
  const inFlight = cutOff - sum(seen, 'brokenStreams');
  const { started, finished } = { started: sum(seen, 'started'), finished: sum(seen, 'finished') };
  const rows = [
    ['processes killed', kills],
    ['requests by autocannon', load.requests.total],
    ['their median, p99, maximum', `${load.latency.p50}, ${load.latency.p99}, ${load.latency.max} ms`],
    ['failed requests, all users', failed],
    ['requests that a killed process worked on', inFlight],
    ['event streams that broke', sum(seen, 'brokenStreams')],
    ['runs started', started],
    ['runs finished with all records', finished],
    ['runs without an event', sum(seen, 'unheard')],
  ];
  for (const [name, value] of rows) console.log(`${String(name).padEnd(44)}${value}`);
  return [
    ...(load.requests.total < (seconds * REQUESTS_PER_SECOND) / 2 ? ['load'] : []),
    ...(failed > inFlight ? ['failed requests'] : []),
    ...(started === 0 || finished < started ? ['lost runs'] : []),
    ...(sum(seen, 'unheard') > 0 ? ['events'] : []),
  ];
}

async function main(): Promise<void> {
  const database = await createEmptyDatabase();
  const sandbox = await startSandbox({ port: 0, quotaScale: 0, latencyMs: LATENCY_MS });
  const proxy = new HttpProxy(work);
  const limits = join(work, 'limits.json');
  writeFileSync(limits, JSON.stringify(PLAN_LIMITS));
  let servers: ChildServer[] = [];
  let missed = ['the trial itself'];
  try {
    let ports: number[] = [];
    [servers, ports] = await startProcesses({
      DATABASE_URL: database.url,
      ENCRYPTION_KEY: randomBytes(32).toString('base64'),
      PLAN_LIMITS: limits,
      SANDBOX: 'off',
      PUBLIC_URL: await proxy.reserve(),
      ...productSettings(sandbox),
      GITHUB_POINTS_PER_MINUTE: '0',
    });
    await proxy.start(ports);
    const clients: Client[] = [];
    for (const email of EMAILS) {
      const client = await new Client({ url: proxy.url }).signIn(email);
      await client.connect('github', 'ada-nowak');
      clients.push(client);
    }
    const users = clients.map((client) => new SyncingUser(client));
    for (const user of users) user.begin();
    const [load, kills] = await Promise.all([
      runLoad(proxy.url, clients),
      killInTurn(servers, Date.now() + seconds * 1000),
    ]);
    const cutOff = await proxy.cutOff();
    const seen = await Promise.all(users.map((user) => user.leave()));
    missed = report({ load, kills, seen, cutOff });
  } finally {
    if (missed.length > 0) for (const server of servers) console.error(server.output);
    for (const server of servers) await server.dispose();
    proxy.stop();
    await sandbox.close();
    await database.drop();
    rmSync(work, { recursive: true, force: true });
  }
  console.log(missed.length === 0 ? 'All goals are reached.' : `Missed: ${missed.join(', ')}`);
  process.exitCode = missed.length === 0 ? 0 : 1;
}

await main();
