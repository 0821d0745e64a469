/**
 * Every line of docs/coverage.md names a test: `path/to/file.test.ts > part of its title`.
 *
 * `node scripts/check-coverage.ts` (part of `npm run check`): each named test exists.
 * `node scripts/check-coverage.ts --ran` (the end of `npm test`): each ran just now, and passed.
 */
import { existsSync, readFileSync } from 'node:fs';
import { type Outcome, readOutcomes } from './test-outcomes.ts';

const FILE = 'docs/coverage.md';
const TITLE =
  /\b(?:describe|test|it)(?:\.[a-z]+)?(?:\([^)]*\)|<[^>]*>\([\s\S]*?\]\))?\(\s*(['"`])((?:\\.|(?!\1)[\s\S])*)\1/g;

const titles = new Map<string, string[]>();

function titlesOf(file: string): string[] {
  const known = titles.get(file);
  if (known) return known;
  // `test.each(...)(title` has its title after its rows, which the first pattern may not cross: any quoted text after `)(` counts as well.
  const source = readFileSync(file, 'utf8');
  const afterRows = /\)\(\s*(['"`])((?:\\.|(?!\1)[\s\S])*)\1\s*,/g;
  const found = [...source.matchAll(TITLE), ...source.matchAll(afterRows)].map(([, , title = '']) =>
    title.replaceAll(/\\(['"`])/g, '$1'),
  );
  titles.set(file, found);
  return found;
}

interface Reference {
  file: string;
  title: string;
}

/** What is wrong with a named test in the source; undefined when it is there. */
function missing({ file, title }: Reference): string | undefined {
  if (file === '' || title === '') return 'names no test';
  if (!existsSync(file)) return `${file} does not exist`;
  if (!titlesOf(file).some((known) => known.includes(title))) return `${file} has no test '${title}'`;
  return undefined;
}

/** A part of a title as it reads when the test runs: `%s` and `${...}` stand for a row of a table. */
function patternOf(title: string): RegExp {
  const parts = title.split(/%[sdijof]|\$\{[^}]*\}/);
  return new RegExp(parts.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)).join('.*'));
}

/** What is wrong with how a named test ran; undefined when every test of that name passed. */
function unproved({ file, title }: Reference, outcomes: readonly Outcome[]): string | undefined {
  const pattern = patternOf(title);
  const named = outcomes.filter((outcome) => outcome.file === file && pattern.test(outcome.title));
  if (named.length === 0) return `'${title}' of ${file} did not run`;
  const bad = named.find(({ status }) => status !== 'passed');
  return bad && `'${bad.title}' of ${file} ${bad.status}`;
}

const rows = readFileSync(FILE, 'utf8')
  .split('\n')
  .filter((line) => /^\|\s*\d/.test(line))
  .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()));

const hasToRun = process.argv.includes('--ran');
const outcomes = hasToRun ? readOutcomes() : [];
const tests = new Set<string>();
const problems: string[] = [];
for (const [, point, requirement = '', cell = ''] of rows) {
  for (const text of cell.split('<br>').map((part) => part.trim().replaceAll('`', ''))) {
    const [file = '', title = ''] = text.split(/ > (.*)/s).map((part) => part.trim());
    tests.add(text);
    const problem = missing({ file, title }) ?? (hasToRun ? unproved({ file, title }, outcomes) : undefined);
    if (problem !== undefined) problems.push(`${FILE}, point ${point}, '${requirement}': ${problem}`);
  }
}
if (rows.length === 0) problems.push(`${FILE} has no lines`);
for (const problem of problems) console.log(problem);
const verb = hasToRun ? `ran and passed (of ${outcomes.length} that ran)` : 'exist';
console.log(
  problems.length === 0
    ? `coverage: ${rows.length} requirements; the ${tests.size} tests that they name ${verb}`
    : `coverage: ${problems.length} of ${rows.length} requirements are not proved`,
);
process.exitCode = problems.length > 0 ? 1 : 0;
