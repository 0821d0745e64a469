/** `npm run check`: every rule of the codebase, in parallel; prints what each took and fails when any fails. */
import { type ChildProcess, spawn } from 'node:child_process';

const CHECKS: Record<string, [string, ...string[]]> = {
  'format and lint (biome)': ['biome', 'ci', '--colors=off', '--error-on-warnings', '.'],
  'types (typescript)': ['node', 'node_modules/typescript-native/bin/tsc', '-p', 'tsconfig.json', '--noEmit'],
  'types of the web app': [
    'node',
    'node_modules/typescript-native/bin/tsc',
    '-p',
    'packages/web/tsconfig.json',
    '--noEmit',
  ],
  'types of the journeys': [
    'node',
    'node_modules/typescript-native/bin/tsc',
    '-p',
    'e2e/tsconfig.json',
    '--noEmit',
  ],
  'import rules (dependency-cruiser)': [
    'depcruise',
    '--config',
    '.dependency-cruiser.cjs',
    'packages',
    'e2e',
    'bench',
    'mutation',
    'scripts',
  ],
  'folder cycles': ['node', 'scripts/check-folder-cycles.ts'],
  'dead code (knip)': ['knip', '--no-progress'],
  'duplicates (jscpd)': ['jscpd', '--config', '.jscpd.json', 'packages'],
  'names and sizes': ['node', 'scripts/check-files.ts'],
  'linear regular expressions': ['node', 'scripts/check-patterns.ts'],
  'a picture of each screen': ['node', 'scripts/check-screens.ts'],
  'documentation is up to date': ['node', 'scripts/write-docs.ts', '--check'],
  'coverage of the specification': ['node', 'scripts/check-coverage.ts'],
  'plain English (words to avoid)': ['node', 'scripts/check-language.ts'],
};

interface Outcome {
  name: string;
  code: number;
  seconds: number;
  output: string;
}

const children = new Set<ChildProcess>();

/** Ends the checks with this process: otherwise they would run for minutes. */
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
  process.once(signal, () => {
    for (const child of children) child.kill('SIGKILL');
    process.kill(process.pid, signal);
  });
}

function runCheck(name: string, [command, ...args]: [string, ...string[]]): Promise<Outcome> {
  const begun = performance.now();
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    children.add(child);
    child.on('exit', () => children.delete(child));
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    child.on('error', (error) => resolve({ name, code: 1, seconds: 0, output: error.message }));
    child.on('close', (code) =>
      resolve({ name, code: code ?? 1, seconds: (performance.now() - begun) / 1000, output }),
    );
  });
}

const outcomes = await Promise.all(Object.entries(CHECKS).map(([name, command]) => runCheck(name, command)));
for (const { name, code, seconds, output } of outcomes) {
  if (code !== 0) console.log(`\n--- ${name}\n${output.trim()}`);
  console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${seconds.toFixed(1).padStart(5)} s  ${name}`);
}
process.exitCode = outcomes.some((outcome) => outcome.code !== 0) ? 1 : 0;
