/**
 * Every row of docs/coverage.md and docs/faults.md names tests in its last cell: `path/to/file.test.ts > part of its
 * title`. Of a table of cases a row may name one case by its full title.
 *
 * `node scripts/check-coverage.ts` (part of `npm run check`): each named test exists; docs/faults.md names every fault that
 * the sandbox injects, and no other.
 * `node scripts/check-coverage.ts --ran` (the end of `npm test`): each ran just now, and passed.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MAIL_ODDITIES } from '../packages/sandbox/src/control/mail-oddities.ts';
import { PULL_ODDITIES } from '../packages/sandbox/src/control/pull-oddities.ts';
import { FAULTS } from '../packages/sandbox/src/faults/fault-catalogue.ts';
import { type Outcome, readOutcomes } from './test-outcomes.ts';
import { CHROMIUM, DOVECOT } from './test-tools.ts';

const COVERAGE = 'docs/coverage.md';
const FAULT_LIST = 'docs/faults.md';
const TITLE =
  /\b(?:describe|test|it)(?:\.[a-z]+)?(?:\([^)]*\)|<[^>]*>\([\s\S]*?\]\))?\(\s*(['"`])((?:\\.|(?!\1)[\s\S])*)\1/g;
/** Modules that hold the tests of a suite which several test files run. */
const SUITE = /from '(\.{1,2}\/[^']*conformance[^']*)'/g;
const SUITE_PART = /from '(\.\/[^']*)'/g;

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
  const parts = file.endsWith('/conformance/index.ts') ? SUITE_PART : SUITE;
  for (const [, suite = ''] of source.matchAll(parts)) found.push(...titlesOf(join(file, '..', suite)));
  return found;
}

interface Reference {
  file: string;
  title: string;
}

/** What stands for the values of a case in the title of a table of tests. */
const HOLE = /%[sdijof]|\$\{[^}]*\}/;
/** Letters of a title, behind the last value of a case, that a row must name. */
const LEAST = 4;

function patternOf(parts: readonly string[]): string {
  return parts.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)).join('.*');
}

/** Whether a text is the beginning of the title of one case, of the tests that `known` is the title of. */
function namesCase(text: string, known: string): boolean {
  const parts = known.split(HOLE);
  if (parts.join('').length < LEAST) return false;
  return parts.some((part, index) => {
    const before = new RegExp(`^${patternOf([...parts.slice(0, index), ''])}$`);
    for (let length = part.length; index > 0 && length >= Math.min(LEAST, part.length); length--)
      if (text.endsWith(part.slice(0, length)) && before.test(text.slice(0, text.length - length)))
        return true;
    return false;
  });
}

/** What is wrong with a named test in the source; undefined when it is there. */
function missing({ file, title }: Reference): string | undefined {
  if (file === '' || title === '') return 'names no test';
  if (!existsSync(file)) return `${file} does not exist`;
  const isThere = titlesOf(file).some((known) => known.includes(title) || namesCase(title, known));
  return isThere ? undefined : `${file} has no test '${title}'`;
}

/** Tests that cannot run here because a program is missing; `npm test` has named it already. */
function lacksTool(file: string): boolean {
  if (file.startsWith('e2e/') && CHROMIUM.find() === undefined) return true;
  return DOVECOT.find() === undefined && readFileSync(file, 'utf8').includes('DOVECOT_MISSING');
}

/** Describes what is wrong with how a named test ran; undefined when every test of that name passed. */
function unproved({ file, title }: Reference, outcomes: readonly Outcome[]): string | undefined {
  const pattern = new RegExp(patternOf(title.split(HOLE)));
  const named = outcomes.filter((outcome) => outcome.file === file && pattern.test(outcome.title));
  const isSkipped = named.every(({ status }) => status === 'skipped');
  if (isSkipped && lacksTool(file)) {
    notRun.add(`${file} > ${title}`);
    return undefined;
  }
  if (named.length === 0) return `'${title}' of ${file} did not run`;
  const bad = named.find(({ status }) => status !== 'passed');
  return bad && `'${bad.title}' of ${file} ${bad.status}`;
}

/** The cells of every row of the tables whose last column is 'Test'. */
function rowsOf(file: string): string[][] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('|') && !/^\|[-| ]+\|$/.test(line))
    .map((line) =>
      line
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
    .filter((cells) => cells.at(-1) !== 'Test');
}

/** The tests that a row names. */
function testsOf(cells: readonly string[]): string[] {
  return (cells.at(-1) ?? '').split('<br>').map((part) => part.trim().replaceAll('`', ''));
}

/** Names of faults that the list leaves out, and names in it that nothing has. */
function nameProblems(): string[] {
  const known = new Set<string>([...FAULTS.map(({ name }) => name), ...MAIL_ODDITIES, ...PULL_ODDITIES]);
  const listed = new Set(
    rowsOf(FAULT_LIST).flatMap(([, names = '']) => [...names.matchAll(/`([^`]+)`/g)].map(([, name]) => name)),
  );
  return [
    ...[...known].filter((name) => !listed.has(name)).map((name) => `${FAULT_LIST} leaves out ${name}`),
    ...[...listed]
      .filter((name) => !known.has(name ?? ''))
      .map((name) => `${FAULT_LIST}: no fault is called ${name}`),
  ];
}

/** Named tests that were not run because a program is missing. */
const notRun = new Set<string>();
const hasToRun = process.argv.includes('--ran');
const outcomes = hasToRun ? readOutcomes() : [];
const problems = nameProblems();
for (const document of [COVERAGE, FAULT_LIST]) {
  const rows = rowsOf(document);
  const tests = new Set<string>();
  const before = problems.length;
  for (const cells of rows) {
    for (const text of testsOf(cells)) {
      const [file = '', title = ''] = text.split(/ > (.*)/s).map((part) => part.trim());
      tests.add(text);
      const problem =
        missing({ file, title }) ?? (hasToRun ? unproved({ file, title }, outcomes) : undefined);
      if (problem !== undefined)
        problems.push(`${document}, '${cells.slice(0, -1).join(' | ')}': ${problem}`);
    }
  }
  if (rows.length === 0) problems.push(`${document} has no rows`);
  const verb = hasToRun ? `ran and passed (of ${outcomes.length} that ran)` : 'exist';
  if (problems.length === before)
    console.log(`${document}: ${rows.length} rows; the ${tests.size} tests that they name ${verb}`);
}
if (notRun.size > 0)
  console.log(
    `Not run, because Chromium or Dovecot is missing: ${notRun.size} of the tests that are named there.`,
  );
for (const problem of problems) console.log(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
