/**
 * `bash scripts/try-package.sh`: packs the npm package, installs it into an empty folder as an ordinary user, and does the
 * main job with it on an installation that cannot be written: sign in by the printed link, connect GitHub by a token
 * (sandbox), synchronise, query, back up, restore into a second data folder, compare, export traces. Prints the figures;
 * exits with 1 when a step fails or a goal is missed.
 */
import { execFileSync, type SpawnOptions } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { processTree, proportionalMemory } from '../bench/memory-of.ts';
import { findFreePort } from '../packages/server/src/app/http/listen.ts';
import { SpanReceiver } from '../packages/server/test-support/span-receiver.ts';
import { startSandbox } from '../packages/test-sandbox/src/index.ts';
import { buildProduct } from './build-product.ts';
import { connectAndSync, countPulls, signInByLink } from './trial/main-job.ts';
import { startProduct } from './trial/started-product.ts';

const GOALS = { totalS: 180, installS: 60, idleMb: 250 };
/** How long the product idles before its memory is measured, s. */
const IDLE_S = 20;
const NOBODY = 65_534;

const begun = performance.now();
const work = mkdtempSync(join(tmpdir(), 'datadeck-trial-'));
const home = join(work, 'home');
const project = join(work, 'a new folder');
const isRoot = process.getuid?.() === 0;
/** An ordinary user: the current one, or `nobody` when it is root. */
const user = isRoot ? { uid: NOBODY, gid: NOBODY } : {};

const secondsSince = (start: number) => (performance.now() - start) / 1000;

function print(what: string, value: string): void {
  console.log(`${what.padEnd(34)}${value}`);
}

/** Creates the folders of the user, with npm's configuration of the current user but nothing else of the environment. */
function prepareUser(): void {
  for (const folder of [work, home, project]) {
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, 0o755);
    if (isRoot) chownSync(folder, NOBODY, NOBODY);
  }
  const configured = ['globalconfig', 'userconfig'].map((name) => {
    const file = execFileSync('npm', ['config', 'get', name], { encoding: 'utf8' }).trim();
    try {
      return readFileSync(file, 'utf8');
    } catch {
      return '';
    }
  });
  writeFileSync(join(home, '.npmrc'), configured.join('\n'));
}

/** Options of a process of the user. PATH is the system's, so that the package's own Node is used or none. */
function asUser(settings: Record<string, string> = {}) {
  return {
    cwd: project,
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: home, ...settings },
    ...user,
  } satisfies SpawnOptions;
}

function run(command: string, args: string[], settings?: Record<string, string>): string {
  return execFileSync(command, args, {
    ...asUser(settings),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

/** Packs the package and installs it. @returns seconds of the installation */
async function install(): Promise<number> {
  const folder = join(work, 'dist');
  await buildProduct(folder);
  const [packed] = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--pack-destination', work], { cwd: folder, encoding: 'utf8' }),
  ) as { filename: string; size: number }[];
  if (packed === undefined) throw new Error('npm packed nothing.');
  print('package', `${(packed.size / 1e6).toFixed(1)} MB packed`);
  const manifest = join(project, 'package.json');
  writeFileSync(manifest, '{ "private": true }\n');
  if (isRoot) chownSync(manifest, NOBODY, NOBODY);
  const start = performance.now();
  run('npm', ['install', '--no-audit', '--no-fund', join(work, packed.filename)]);
  const seconds = secondsSince(start);
  const kb = Number(
    execFileSync('du', ['-sk', join(project, 'node_modules')], { encoding: 'utf8' }).split('\t')[0],
  );
  print('installed', `${(kb / 1024).toFixed(0)} MB in ${seconds.toFixed(1)} s`);
  // From here on, nothing may be written but the data folder.
  execFileSync('chmod', ['-R', 'a-w', project]);
  return seconds;
}

/** Uses the installation. @returns memory of the idle product, MB */
async function doMainJob(): Promise<number> {
  const sandbox = await startSandbox({ port: 0, quotaScale: 0 });
  const { githubUrl, githubApiUrl } = sandbox.urls();
  const settings = {
    SANDBOX: 'off',
    // With it, a backup contains the generated encryption key.
    BACKUP_KEY: randomBytes(32).toString('base64'),
    GITHUB_URL: githubUrl,
    GITHUB_API_URL: githubApiUrl,
    PORT: String(await findFreePort('127.0.0.1')),
    DATA_DIR: join(home, 'first data'),
  };
  const second = { ...settings, DATA_DIR: join(home, 'second data') };
  let start = performance.now();
  const product = await startProduct(['npx', 'datadeck'], asUser(settings));
  try {
    print('first start', `${secondsSince(start).toFixed(1)} s`);
    await sleep(IDLE_S * 1000);
    const idleMb = processTree(product.pid).reduce((sum, pid) => sum + proportionalMemory(pid), 0);
    print('idle memory with npx and database', `${idleMb.toFixed(0)} MB`);

    const client = await signInByLink(product.url, product.link);
    const token = sandbox.control.github.createToken('ada-nowak');
    start = performance.now();
    const pulls = await connectAndSync(client, token);
    print('connected and synchronised', `${pulls} pull requests in ${secondsSince(start).toFixed(1)} s`);

    const backup = join(home, 'backup file');
    start = performance.now();
    run('npx', ['datadeck', 'backup', backup], settings);
    run('npx', ['datadeck', 'verify', backup], settings);
    run('npx', ['datadeck', 'restore', backup], second);
    print('backed up, verified and restored', `${secondsSince(start).toFixed(1)} s`);
    await product.stop();
    await compareRestored(second, pulls);
    return idleMb;
  } finally {
    await product.stop();
    await sandbox.close();
  }
}

/** Starts the restored data folder, compares what it holds, and requires that its requests are traced. */
async function compareRestored(settings: Record<string, string>, pulls: number): Promise<void> {
  const collector = new SpanReceiver();
  const traced = { ...settings, OTEL_EXPORTER_OTLP_ENDPOINT: await collector.start() };
  const product = await startProduct(['npx', 'datadeck'], asUser(traced));
  try {
    const printed = run('npx', ['datadeck', 'login', 'owner@localhost'], settings);
    const link = printed.match(/https?:\S+/)?.[0] ?? '';
    const restored = await countPulls(await signInByLink(product.url, link));
    if (restored !== pulls) throw new Error(`The backup held ${restored} of ${pulls} pull requests.`);
    print('restored', `${restored} pull requests, the same number`);
    // A stop exports the last spans.
    await product.stop();
    const requests = collector.spans.filter(({ name }) => /^[A-Z]+ \/api\//.test(name)).length;
    if (requests === 0) throw new Error('The package exported no trace of a request.');
    print('traced', `${requests} requests, ${collector.spans.length} spans`);
  } finally {
    await product.stop();
    collector.stop();
  }
}

/** Prints a figure beside its goal. @returns whether it is reached */
function meets(what: string, value: number, goal: number, unit: string): boolean {
  print(what, `${value.toFixed(0)} ${unit} (goal ${goal}): ${value <= goal ? 'reached' : 'MISSED'}`);
  return value <= goal;
}

prepareUser();
try {
  const installS = await install();
  const idleMb = await doMainJob();
  const isMet = [
    meets('installation', installS, GOALS.installS, 's'),
    meets('idle memory', idleMb, GOALS.idleMb, 'MB'),
    meets('all', secondsSince(begun), GOALS.totalS, 's'),
  ];
  if (isMet.includes(false)) process.exitCode = 1;
} finally {
  execFileSync('chmod', ['-R', 'u+w', work]);
  rmSync(work, { recursive: true, force: true });
}
