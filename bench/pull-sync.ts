/**
 * `node bench/pull-sync.ts [records] [latency ms]`: a sync of pull requests from the sandbox (a process of its own) into
 * the product (a process of its own), beside the ideal: requests x latency / allowed concurrency. Prints the ratio, and
 * the processor time of the product, its database and the sandbox.
 */
import { spawn } from 'node:child_process';
import { githubConnector } from '../packages/connectors/src/github/index.ts';
import { findFreePort } from '../packages/server/src/app/http/listen.ts';
import { ChildServer } from '../packages/server/src/testing/child-server.ts';
import { runSync } from '../packages/server/src/testing/syncing.ts';
import { makeTemporaryFolder, removeDataFolder } from '../packages/server/src/testing/temporary-folder.ts';
import { Client } from '../packages/server/src/testing/test-server.ts';
import { processorSeconds } from './processor-time.ts';

const RECORDS = Number(process.argv[2] ?? 5000);
const LATENCY = Number(process.argv[3] ?? 100);
const RUNS = 3;

const port = await findFreePort('127.0.0.1');
const options = [
  '--port',
  String(port),
  '--latency',
  String(LATENCY),
  '--quota-scale',
  '0',
  '--pulls',
  String(RECORDS),
];
const sandbox = spawn(process.execPath, ['packages/sandbox/src/main.ts', ...options], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
const environment: Record<string, string> = await new Promise((resolve) => {
  let output = '';
  sandbox.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
    const settings = Object.fromEntries(
      [...output.matchAll(/^([A-Z_]+)=(.+)$/gm)].map(([, name = '', value = '']) => [name, value]),
    );
    if (settings.GITHUB_CLIENT_SECRET) resolve(settings);
  });
});
const folder = makeTemporaryFolder('datadeck-bench-');
const settings = {
  ...environment,
  DATA_DIR: folder,
  PORT: String(await findFreePort('127.0.0.1')),
  GMAIL_UNITS_PER_MINUTE: '0',
  GITHUB_POINTS_PER_MINUTE: '0',
};
const server = new ChildServer(settings);
try {
  await server.start();
  const client = await new Client(server).signIn('ada.nowak@sandbox.example');
  await client.connect('github', 'ada-nowak');
  await setPro(settings);
  const { concurrency } = githubConnector({
    githubUrl: 'http://x',
    apiUrl: 'http://x',
    client: { id: 'x', secret: 'x' },
    unitsPerMinute: 1,
  }).quota;
  console.log('run  records  requests  seconds  ideal s  ratio  product s  database s  sandbox s');
  for (let run = 1; run <= RUNS; run++) {
    const before = processorTimes();
    const { summary } = await runSync(client, 'gh-pulls', { owner: 'bench', repo: `pulls-${RECORDS}` });
    const ideal = ((summary.requests ?? 0) * LATENCY) / 1000 / concurrency;
    const seconds = summary.timeElapsed ?? 0;
    const cells = [
      summary.entitiesSynced,
      summary.requests,
      seconds.toFixed(2),
      ideal.toFixed(2),
      (seconds / ideal).toFixed(2),
      ...processorTimes().map((time, index) => (time - (before[index] ?? 0)).toFixed(2)),
    ];
    console.log(
      `${String(run).padStart(3)}  ${cells.map((cell, index) => String(cell).padStart([7, 8, 7, 7, 5, 9, 10, 9][index] ?? 7)).join('  ')}`,
    );
    await client.post('/api/integrations/entities/delete-all-data?provider=github');
  }
  console.log(
    `allowed concurrency ${concurrency}, latency ${LATENCY} ms; ideal = requests x latency / concurrency`,
  );
} finally {
  await server.end('SIGTERM');
  sandbox.kill('SIGTERM');
  removeDataFolder(folder);
}

/** Seconds of the product, of its database, of the sandbox. */
function processorTimes(): number[] {
  const database = processorSeconds(server.databasePid);
  return [processorSeconds(server.pid ?? 0), database, processorSeconds(sandbox.pid ?? 0)];
}

/** The plan pro keeps 5,000 records a scope. */
async function setPro(env: Record<string, string>): Promise<void> {
  const admin = spawn(
    process.execPath,
    ['packages/server/src/admin.ts', 'plan', 'ada.nowak@sandbox.example', 'pro'],
    { env: { ...process.env, ...env } },
  );
  await new Promise((resolve) => admin.on('exit', resolve));
}
