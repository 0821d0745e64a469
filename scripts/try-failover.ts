/**
 * `bash scripts/try-failover.sh [KILLS]`: runs a web and a worker process on a primary with a synchronous standby, and kills
 * the primary's node with SIGKILL ten times while a user reads, writes, syncs and watches. Prints a row for each kill, and
 * exits with 1 when an acknowledged row is lost, a run is stuck, a page does not recover, or an outage takes too long.
 */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '../packages/server/src/app/http/listen.ts';
import { ChildServer } from '../packages/server/test-support/child-server.ts';
import { Client } from '../packages/server/test-support/test-server.ts';
import { productSettings, startSandbox } from '../packages/test-sandbox/src/index.ts';
import { FailoverCluster } from './trial/failover-cluster.ts';
import { FailoverUser, type Round } from './trial/failover-user.ts';

const GOAL_OUTAGE_MS = 15_000;
const EMAIL = 'ada.nowak@sandbox.example';
/** Pause of every answer of the sandbox, so that a sync takes longer than a switch. */
const LATENCY_MS = 2500;
/** How long a killed node stays away, ms. */
const AWAY_MS = 8000;
const PLAN_LIMITS = { standard: { 'gh-pulls': { cap: null, monthlyRuns: null } } };

const kills = Number(process.argv[2] ?? 10);
const folder = mkdtempSync(join(tmpdir(), 'datadeck-failover-'));

/** Starts a web and a worker process. @param servers receives each before it is started */
async function startProduct(
  databaseUrl: string,
  providers: Record<string, string>,
  servers: ChildServer[],
): Promise<void> {
  const limits = join(folder, 'limits.json');
  writeFileSync(limits, JSON.stringify(PLAN_LIMITS));
  const common = {
    DATABASE_URL: databaseUrl,
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    PLAN_LIMITS: limits,
    SANDBOX: 'off',
    ...providers,
  };
  for (const role of ['web', 'worker']) {
    const port = String(await findFreePort('127.0.0.1'));
    const server = new ChildServer({ ...common, ROLE: role, PORT: port, DATA_DIR: join(folder, role) });
    servers.push(server);
    await server.start();
  }
}

function print(row: readonly (string | number)[]): void {
  console.log(row.map((cell) => String(cell).padEnd(16)).join(''));
}

/** Returns what a round missed. */
function missedBy(round: Round): string[] {
  return [
    ...(round.outageMs > GOAL_OUTAGE_MS ? ['outage'] : []),
    ...(round.lost > 0 ? ['lost rows'] : []),
    ...(round.isStuck ? ['stuck run'] : []),
    ...(round.hasEvents ? [] : ['events']),
  ];
}

interface Kill extends Round {
  node: string;
  /** Whether a run was running when the primary was killed. */
  wasRunning: boolean;
}

/** Kills the primary once. @returns what the user saw */
async function killOnce(cluster: FailoverCluster, user: FailoverUser): Promise<Kill> {
  await user.begin();
  await sleep(2000 + 500 * Math.random());
  const wasRunning = await user.mark();
  const node = await cluster.killPrimary();
  await sleep(AWAY_MS);
  cluster.revive(node);
  await cluster.awaitHealthy();
  return { ...(await user.end()), node, wasRunning };
}

/** Rejects when this process is interrupted, so that its servers are stopped first. */
function untilInterrupted(): Promise<never> {
  return new Promise((_resolve, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.on(signal, () => reject(new Error(`Interrupted by ${signal}.`)));
  });
}

/** Kills the primary as often as wished and prints a row for each kill. @returns what was missed */
async function killRepeatedly(cluster: FailoverCluster, user: FailoverUser): Promise<string[]> {
  const missed: string[] = [];
  print(['kill', 'node', 'outage ms', 'acknowledged', 'lost', 'running', 'run', 'events']);
  for (let kill = 1; kill <= kills; kill++) {
    const round = await killOnce(cluster, user);
    const { node, outageMs, acknowledged, lost, wasRunning, isStuck, hasEvents } = round;
    print([
      kill,
      node,
      outageMs,
      acknowledged,
      lost,
      wasRunning ? 'yes' : 'no',
      isStuck ? 'stuck' : 'ended',
      hasEvents ? 'yes' : 'no',
    ]);
    missed.push(...missedBy(round));
  }
  return missed;
}

async function main(): Promise<void> {
  // HAProxy and PostgreSQL run as another user where this one is root.
  const cluster = new FailoverCluster(mkdtempSync(join(tmpdir(), 'datadeck-cluster-')));
  const sandbox = await startSandbox({ port: 0, quotaScale: 0, latencyMs: LATENCY_MS });
  const servers: ChildServer[] = [];
  let user: FailoverUser | undefined;
  let missed: string[] = [];
  const work = async () => {
    await cluster.start();
    await startProduct(cluster.url, productSettings(sandbox), servers);
    const client = await new Client({ url: servers[0]?.url ?? '' }).signIn(EMAIL);
    await client.connect('github', 'ada-nowak');
    user = new FailoverUser(client);
    missed = await killRepeatedly(cluster, user);
  };
  try {
    await Promise.race([work(), untilInterrupted()]);
  } finally {
    user?.leave();
    if (missed.length > 0) for (const server of servers) console.error(server.output);
    for (const server of servers) await server.dispose();
    await cluster.remove();
    await sandbox.close();
    rmSync(folder, { recursive: true, force: true });
  }
  console.log(missed.length === 0 ? 'All goals are reached.' : `Missed: ${missed.join(', ')}`);
  process.exitCode = missed.length === 0 ? 0 : 1;
}

await main().catch((error) => {
  console.error(error);
  // The interrupted work may still wait for the removed cluster.
  process.exit(1);
});
