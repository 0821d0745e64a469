/**
 * `npx node scripts/test-times.ts`: prints the slowest test files of the last `npm test`, by their wall time.
 * `--write` writes them into the table of CONTRIBUTING.md.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { type Outcome, readOutcomes } from './test-outcomes.ts';
import { TIERS } from './test-stages.ts';

const COUNT = 30;
const DOCUMENT = 'CONTRIBUTING.md';
const TABLE = /(<!-- slowest files -->\n)[\s\S]*(<!-- end -->)/;

interface FileTime {
  file: string;
  seconds: number;
  tests: number;
}

/** Returns the slowest files, slowest first: the sum of the times of their tests and hooks. */
function slowestFiles(outcomes: readonly Outcome[]): FileTime[] {
  const byFile = Map.groupBy(outcomes, ({ file }) => file);
  return [...byFile]
    .map(([file, tests]) => ({
      file,
      seconds: tests[0]?.fileSeconds ?? tests.reduce((sum, test) => sum + test.seconds, 0),
      tests: tests.length,
    }))
    .sort((a, b) => b.seconds - a.seconds)
    .slice(0, COUNT);
}

/** Prints the slowest files. */
export function printSlowestFiles(outcomes: readonly Outcome[]): void {
  console.log(`\nThe ${COUNT} slowest test files:`);
  for (const { file, seconds, tests } of slowestFiles(outcomes))
    console.log(`${seconds.toFixed(1).padStart(6)} s  ${file} (${tests} tests)`);
}

if (import.meta.main) {
  const outcomes = readOutcomes(TIERS.test.reports);
  const files = slowestFiles(outcomes);
  printSlowestFiles(outcomes);
  if (process.argv.includes('--write')) {
    const rows = files.map(({ file, seconds, tests }) => `| ${file} | ${tests} | ${seconds.toFixed(0)} |`);
    const table = ['| File | Tests | Seconds |', '|---|---:|---:|', ...rows].join('\n');
    const text = readFileSync(DOCUMENT, 'utf8');
    writeFileSync(
      DOCUMENT,
      text.replace(TABLE, (_all, start, end) => `${start}${table}\n${end}`),
    );
  }
}
