/**
 * `npm run test:mutation [-- MODULE…] [--write | --check]`: changes modules in hundreds of small ways (mutants) and runs their
 * tests against each. A mutant that no test kills is printed: a test may be missing, or the mutant behaves the same.
 * `--write` records the scores in `scores.json`; `--check` exits with 1 if one is lower than recorded. `SEED=` chooses other
 * mutants of the sampled modules than the recorded seed does.
 */
import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import sharePostgres from '../packages/server/test-support/shared-postgres.ts';
import { MODULES, type MutatedModule } from './modules.ts';
import { type Outcome, outcomeOf, printOutcome, printTable } from './outcome.ts';

const LIMIT_MS = 15 * 60_000;
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
const ROOT = resolve(import.meta.dirname, '..');
const WORK = '.cache/mutation';
const COPY = `${WORK}/copy`;
const SCORES = join(import.meta.dirname, 'scores.json');
const STRYKER = join(import.meta.dirname, 'node_modules/@stryker-mutator/core/bin/stryker.js');

interface Scores {
  seed: string;
  modules: Record<string, Omit<Outcome, 'survivors' | 'seconds' | 'testSeconds'>>;
}

/** Returns Stryker's options for a module. The tests run in a copy of the repository, in one process at a time. */
function optionsOf({ files }: MutatedModule): object {
  return {
    mutate: files,
    testRunner: 'vitest',
    // `related` would leave out tests that reach a file only by HTTP.
    vitest: { configFile: 'mutation/vitest.config.ts', pool: 'forks', related: false },
    plugins: ['@stryker-mutator/vitest-runner', join(import.meta.dirname, 'reporter.ts')],
    reporters: ['lines'],
    coverageAnalysis: 'perTest',
    concurrency: 1,
    // A mutant that takes longer than the tests by this factor and time is an endless loop.
    timeoutFactor: 3,
    timeoutMS: 10_000,
    disableTypeChecks: false,
    tempDirName: COPY,
    cleanTempDir: 'always',
    ignorePatterns: ['.*', 'bench', 'deploy', 'docs', 'e2e', 'packages/web', 'scripts'],
  };
}

function environmentOf(module: MutatedModule, results: string, seed: string): NodeJS.ProcessEnv {
  return {
    ...process.env,
    ...module.environment,
    MUTATION_TESTS: module.tests.join(','),
    MUTATION_RESULTS: resolve(ROOT, results),
    MUTATION_SEED: seed,
    ...(module.sample !== undefined && { MUTATION_SAMPLE: String(module.sample) }),
  };
}

/** Runs Stryker on a module until the limit. @throws if Stryker fails */
async function runModule(name: string, module: MutatedModule, seed: string): Promise<Outcome> {
  const [results, config, log] = ['ndjson', 'json', 'log'].map((type) => `${WORK}/${name}.${type}`) as [
    string,
    string,
    string,
  ];
  writeFileSync(results, '');
  writeFileSync(config, JSON.stringify(optionsOf(module)));
  const output = openSync(log, 'w');
  const begun = performance.now();
  const child = spawn(process.execPath, [STRYKER, 'run', config], {
    env: environmentOf(module, results, seed),
    stdio: ['ignore', output, output],
    // A group of its own, so that the limit ends the test processes as well.
    detached: true,
  });
  const end = () => child.pid !== undefined && process.kill(-child.pid, 'SIGKILL');
  for (const signal of SIGNALS) process.once(signal, end);
  const limit = setTimeout(end, LIMIT_MS);
  const code = await new Promise<number | null>((done) => child.once('close', done));
  clearTimeout(limit);
  for (const signal of SIGNALS) process.off(signal, end);
  closeSync(output);
  rmSync(COPY, { recursive: true, force: true });
  const seconds = (performance.now() - begun) / 1000;
  if (code !== 0 && seconds * 1000 < LIMIT_MS)
    throw new Error(`Stryker failed on ${name}:\n${readFileSync(log, 'utf8').slice(-3000)}`);
  return outcomeOf(readFileSync(results, 'utf8'), seconds);
}

function readScores(): Scores {
  return JSON.parse(readFileSync(SCORES, 'utf8')) as Scores;
}

function record(seed: string, outcomes: ReadonlyMap<string, Outcome>): void {
  const scores = readScores();
  if (seed !== scores.seed)
    throw new Error('Scores are recorded with the recorded seed only: leave out SEED.');
  for (const [name, outcome] of outcomes) {
    const { survivors: _, seconds: _seconds, testSeconds: _testSeconds, ...kept } = outcome;
    scores.modules[name] = kept;
  }
  writeFileSync(SCORES, `${JSON.stringify(scores, null, 2)}\n`);
}

/** Prints the modules whose score is lower than recorded. @returns whether there are any */
function compare(outcomes: ReadonlyMap<string, Outcome>): boolean {
  const { modules } = readScores();
  const fallen = [...outcomes].filter(([name, { score }]) => score < (modules[name]?.score ?? 0));
  for (const [name, { score }] of fallen)
    console.log(`${name}: the score fell from ${modules[name]?.score} % to ${score} %`);
  return fallen.length > 0;
}

const args = process.argv.slice(2);
const named = args.filter((arg) => !arg.startsWith('--'));
const unknown = named.filter((name) => !Object.hasOwn(MODULES, name));
if (unknown.length > 0)
  throw new Error(`No module ${unknown.join(', ')}. Modules are ${Object.keys(MODULES).join(', ')}.`);
const chosen = Object.entries(MODULES).filter(([name]) => named.length === 0 || named.includes(name));
const seed = process.env.SEED ?? readScores().seed;
console.log(`seed ${seed}`);
process.chdir(ROOT);
mkdirSync(WORK, { recursive: true });
// Here and not in the tests' process, which Stryker kills when a mutant never ends.
const stopPostgres = chosen.some(([, module]) => module.needsPostgres) ? await sharePostgres() : undefined;
const outcomes = new Map<string, Outcome>();
try {
  for (const [name, module] of chosen) {
    try {
      const outcome = await runModule(name, module, seed);
      outcomes.set(name, outcome);
      printOutcome(name, outcome);
    } catch (error) {
      console.error(`\n${error instanceof Error ? error.message : error}`);
      process.exitCode = 1;
    }
  }
} finally {
  await stopPostgres?.();
}
printTable(outcomes);
if (args.includes('--write')) record(seed, outcomes);
if (args.includes('--check') && compare(outcomes)) process.exitCode = 1;
