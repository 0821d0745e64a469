/**
 * The first step of `npm test`: provides the programs that npm does not install; with `long` those of `npm run test:long`, too.
 * Uses installed ones, else installs them by apt (Debian and Ubuntu, as root; promtool is only extracted), else Chromium by
 * Playwright's installer. Under apt the headless shell of Chromium is installed beside a full one. Prints one line for each program that cannot be had: the tests that need it are skipped.
 * TEST_TOOLS=required (CI) makes a missing one a failure, TEST_TOOLS=installed installs nothing.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { CHROMIUM, EXTRACTED, TEST_TOOLS, type TestTool } from './test-tools.ts';

const MINUTE_MS = 60_000;
const isLong = process.argv[2] === 'long';
const TOOLS = TEST_TOOLS.filter((tool) => isLong || !tool.isLong);
const mode = process.env.TEST_TOOLS ?? 'auto';

/** Runs an installer, giving up after some minutes. @returns whether it succeeded */
function install(command: string, args: readonly string[], minutes: number, cwd?: string): boolean {
  console.log(`  ${command} ${args.join(' ')}`);
  try {
    execFileSync(command, args, {
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: minutes * MINUTE_MS,
      cwd,
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
    return true;
  } catch (error) {
    const stderr = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : '';
    console.log(`  failed: ${stderr.split('\n').at(-1) || String(error)}`);
    return false;
  }
}

function installByApt(tools: readonly TestTool[]): void {
  const isRoot = process.getuid?.() === 0;
  if (!isRoot || !existsSync('/usr/bin/apt-get')) return;
  if (!install('apt-get', ['update', '-qq'], 3)) return;
  // One by one: where one is not to be had, the other still is.
  for (const tool of tools)
    if (tool.extracted === undefined)
      install('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...tool.packages], 6);
}

/** Downloads packages of Debian and extracts them into .cache; needs no root. */
function extract(tools: readonly TestTool[]): void {
  if (tools.length === 0 || !existsSync('/usr/bin/apt-get')) return;
  mkdirSync(EXTRACTED, { recursive: true });
  for (const tool of tools) {
    if (!install('apt-get', ['download', '-qq', ...tool.packages], 6, EXTRACTED)) continue;
    for (const name of globSync(
      tool.packages.map((name) => `${name}_*.deb`),
      { cwd: EXTRACTED },
    )) {
      install('dpkg-deb', ['--extract', name, '.'], 1, EXTRACTED);
      rmSync(join(EXTRACTED, name));
    }
  }
}

const missing = () => TOOLS.filter((tool) => tool.find() === undefined);

/** Whether journeys would be faster in another Chromium, which apt may have. */
const isSlow = (tool: TestTool) =>
  tool === CHROMIUM && !process.env.CHROMIUM_PATH && !CHROMIUM.find()?.endsWith('headless-shell');

const installable = () =>
  TOOLS.filter((tool) => tool.packages.length > 0 && (tool.find() === undefined || isSlow(tool)));

if (mode !== 'installed' && installable().length > 0) {
  const names = installable().map(({ name }) => name);
  console.log(`Installing what the tests need: ${names.join(', ')}`);
  installByApt(installable());
  extract(installable().filter(({ extracted }) => extracted !== undefined));
  // Ubuntu has no headless shell.
  if (CHROMIUM.find() === undefined) installByApt([{ ...CHROMIUM, packages: ['chromium'] }]);
  if (CHROMIUM.find() === undefined) install('npx', ['--no-install', 'playwright', 'install', 'chromium'], 6);
}
for (const { name, tests, packages, find } of TOOLS) {
  const path = find();
  const advice =
    packages.length > 0
      ? ` and could not be installed (Debian, Ubuntu: apt-get install ${packages.join(' ')})`
      : '';
  console.log(
    path === undefined ? `Skipped: ${tests}, because ${name} is missing${advice}.` : `${name}: ${path}`,
  );
}
if (mode === 'required' && missing().length > 0) process.exitCode = 1;
