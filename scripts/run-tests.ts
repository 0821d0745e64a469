/**
 * `npm test`: installs the programs that the tests need, builds the web app, then runs unit, web and server tests and the
 * journeys, and prints what ran in how long and what could not run. `npm run test:long` (`run-tests.ts long`) runs the second
 * tier. TEST_MINUTES=13 makes a longer run a failure.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { pathOf } from './test-outcomes.ts';
import { type Stage, TIERS } from './test-stages.ts';
import { type EndedStage, printSummary } from './test-summary.ts';

/** Process groups of the running stages. */
const groups = new Set<number>();

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
  process.once(signal, () => {
    for (const group of groups) process.kill(-group, 'SIGTERM');
    process.kill(process.pid, signal);
  });
}

/** Runs a stage. Each line that it prints begins with its name. */
function runStage({ name, command, environment = {} }: Stage): Promise<EndedStage> {
  const begun = performance.now();
  const [program = '', ...words] = command;
  const child = spawn(program, words, {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const group = child.pid;
  if (group !== undefined) groups.add(group);
  for (const stream of [child.stdout, child.stderr])
    createInterface(stream).on('line', (line) => console.log(`[${name}] ${line}`));
  return new Promise((resolve) => {
    const end = (code: number | null) => {
      if (group !== undefined) groups.delete(group);
      resolve({ name, seconds: (performance.now() - begun) / 1000, hasPassed: code === 0 });
    };
    child.on('error', (error) => {
      console.log(`[${name}] ${error.message}`);
      end(1);
    });
    child.on('close', end);
  });
}

/** Runs stages one after another, the next also after a failed one. */
async function runStages(list: readonly Stage[]): Promise<EndedStage[]> {
  const ended: EndedStage[] = [];
  for (const stage of list) ended.push(await runStage(stage));
  return ended;
}

const tier = process.argv[2] === 'long' ? TIERS.long : TIERS.test;
const begun = performance.now();
for (const { name } of tier.reports) rmSync(pathOf(name), { force: true });
mkdirSync(dirname(pathOf('')), { recursive: true });
const stages = await runStages(tier.prepare);
if (stages.every(({ hasPassed }) => hasPassed)) {
  stages.push(...(await runStages(tier.stages())));
  stages.push(...(await runStages(tier.finish)));
}
const minutes = (performance.now() - begun) / 60_000;
const maxMinutes = Number(process.env.TEST_MINUTES ?? Number.POSITIVE_INFINITY);
printSummary(tier, stages, minutes);
if (minutes > maxMinutes) console.log(`FAILED: it took longer than ${maxMinutes} minutes.`);
if (minutes > maxMinutes || stages.some(({ hasPassed }) => !hasPassed)) process.exitCode = 1;
