import { readFileSync } from 'node:fs';
import { type Outcome, readOutcomes } from './test-outcomes.ts';
import type { Tier } from './test-stages.ts';
import { printSlowestFiles } from './test-times.ts';
import { TEST_TOOLS, type TestTool } from './test-tools.ts';

/** A part of a test run that has ended. */
export interface EndedStage {
  name: string;
  seconds: number;
  hasPassed: boolean;
}

const CONDITION = /(?:skipIf|runIf|\.skip)\(([^\n]*)/g;

/** Returns the missing program without which the tests of a file are skipped. */
export function missingToolOf(
  file: string,
  source: string,
  missing: readonly TestTool[],
): TestTool | undefined {
  return missing.find(({ skips }) => (typeof skips === 'string' ? source.includes(skips) : skips.test(file)));
}

/** Returns whether a condition asks for a program. Where that is installed, it is not why tests were skipped. */
function isAboutTool(condition: string): boolean {
  return TEST_TOOLS.some(({ skips }) => typeof skips === 'string' && condition.includes(skips));
}

/** Returns one line for each reason why tests were skipped; what a missing program skips comes last. */
export function describeSkipped(outcomes: readonly Outcome[], missing: readonly TestTool[]): string[] {
  const skipped = outcomes.filter(({ status }) => status === 'skipped');
  const others: string[] = [];
  const byTool = new Map<TestTool, number>();
  for (const [file, tests] of Map.groupBy(skipped, (outcome) => outcome.file)) {
    const source = readFileSync(file, 'utf8');
    const tool = missingToolOf(file, source, missing);
    const conditions = [...source.matchAll(CONDITION)].flatMap(([, condition = '']) =>
      isAboutTool(condition) ? [] : [condition.trim()],
    );
    if (tool !== undefined) byTool.set(tool, (byTool.get(tool) ?? 0) + tests.length);
    else
      others.push(
        `${tests.length} tests not run in ${file}: ${conditions.join('; ') || 'they do not apply'}`,
      );
  }
  const fewestFirst = [...byTool].toSorted(([, one], [, other]) => one - other);
  const tools = fewestFirst.map(([{ name, kind }, count]) => `${count} ${kind} not run: no ${name}`);
  return [...others, ...tools];
}

/** Failed tests that are named; the first of many show the cause. */
const MAX_NAMED = 20;

/** Returns one line for each failed test, and one for the number of those beyond the first. */
function describeFailed(outcomes: readonly Outcome[]): string[] {
  const failed = outcomes.filter(({ status }) => status === 'failed');
  const lines = failed.slice(0, MAX_NAMED).map(({ file, title }) => `FAILED: ${file}: ${title.trim()}`);
  return failed.length > MAX_NAMED ? [...lines, `and ${failed.length - MAX_NAMED} more failed.`] : lines;
}

/** Prints what did not run and why, what ran in how long, and last what failed: often only the end of a log is kept. */
export function printSummary(tier: Tier, stages: readonly EndedStage[], minutes: number): void {
  const outcomes = readOutcomes(tier.reports);
  printSlowestFiles(outcomes);
  const missing = tier.tools.filter((tool) => tool.find() === undefined);
  console.log('\nNot run:');
  for (const line of describeSkipped(outcomes, missing)) console.log(line);
  console.log('\nStages:');
  for (const { name, seconds, hasPassed } of stages)
    console.log(`${seconds.toFixed(0).padStart(6)} s  ${name}${hasPassed ? '' : '  FAILED'}`);
  const count = (status: Outcome['status']) => outcomes.filter((one) => one.status === status).length;
  console.log(
    `\n${count('passed')} tests passed, ${count('failed')} failed, ${count('skipped')} not run, in ${minutes.toFixed(1)} minutes.`,
  );
  for (const line of describeFailed(outcomes)) console.log(line);
}
