/**
 * Proves that every requirement of the specification and every fault has a test. Tests name them by a comment directly
 * above: `// @covers 2.login-screen`, or for one case of a table of tests `// @covers 2.login-screen (its title)`.
 *
 * `node scripts/check-coverage.ts` (part of `npm run check`): each requirement has a test, each tag names a requirement,
 * docs/coverage.md and docs/faults.md are up to date, and the faults are those that the sandbox injects. It also lists the
 * requirements with three or more tests, which may repeat each other.
 * `node scripts/check-coverage.ts --write` (`npm run coverage`): writes the two documents.
 * `node scripts/check-coverage.ts --ran` (the end of `npm test`): each tagged test ran just now, and passed. With `--long`
 * (the end of `npm run test:long`) those of the second tier.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { MAIL_ODDITIES } from '../packages/test-sandbox/src/control/mail-oddities.ts';
import { PULL_ODDITIES } from '../packages/test-sandbox/src/control/pull-oddities.ts';
import { FAULTS } from '../packages/test-sandbox/src/faults/fault-catalogue.ts';
import { documentOf, FAULT_LIST, REQUIREMENTS, rowsOf } from './requirements/documents.ts';
import { readTaggedTests, type Tag, type TaggedTest } from './requirements/tagged-tests.ts';
import { type Outcome, readOutcomes } from './test-outcomes.ts';
import { TIERS } from './test-stages.ts';
import { missingToolOf } from './test-summary.ts';

const DOCUMENTS = [REQUIREMENTS, FAULT_LIST];
/** From this number of tests on, a requirement is listed. */
const MANY_TESTS = 3;
/** Placeholders for the values of a case in the title of a table of tests. */
const HOLE = /%[sdijof]|\$\{[^}]*\}|\$\w+/;

/** Lists requirements without a test, tags of no requirement, and ids that two rows share. */
function tagProblems(tests: readonly TaggedTest[]): string[] {
  const ids = DOCUMENTS.flatMap((document) => rowsOf(document).map(([id = '']) => id));
  const covered = new Set(tests.flatMap(({ tags }) => tags.map(({ id }) => id)));
  const known = new Set(ids);
  return [
    ...ids.filter((id) => !covered.has(id)).map((id) => `no test is tagged @covers ${id}`),
    ...[...covered].filter((id) => !known.has(id)).map((id) => `@covers ${id}: there is no such requirement`),
    ...ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `two requirements have the id ${id}`),
  ];
}

/** Lists the requirements with many tests: of tests that can fail for the same reason the lowest level is enough. */
function requirementsWithManyTests(tests: readonly TaggedTest[]): string[] {
  const ids = DOCUMENTS.flatMap((document) => rowsOf(document).map(([id = '']) => id));
  return ids.flatMap((id) => {
    const count = tests.filter(({ tags }) => tags.some((tag) => tag.id === id)).length;
    return count >= MANY_TESTS ? [`${id}: ${count} tests`] : [];
  });
}

/** Lists faults of the sandbox that the list leaves out, and names in it that no fault has. */
function faultProblems(): string[] {
  const known = new Set<string>([...FAULTS.map(({ name }) => name), ...MAIL_ODDITIES, ...PULL_ODDITIES]);
  const names = rowsOf(FAULT_LIST).flatMap(([, , cell = '']) => [...cell.matchAll(/`([^`]+)`/g)]);
  const listed = new Set(names.map(([, name = '']) => name));
  return [
    ...[...known]
      .filter((name) => !listed.has(name))
      .map((name) => `${FAULT_LIST.source} leaves out ${name}`),
    ...[...listed]
      .filter((name) => !known.has(name))
      .map((name) => `${FAULT_LIST.source}: no fault is called ${name}`),
  ];
}

/** Lists generated documents that differ from what the tags say; with `--write` it writes them instead. */
function documentProblems(tests: readonly TaggedTest[], isWrite: boolean): string[] {
  return DOCUMENTS.flatMap((document) => {
    const text = documentOf(document, tests);
    const isSame = existsSync(document.generated) && readFileSync(document.generated, 'utf8') === text;
    if (isWrite) writeFileSync(document.generated, text);
    return isSame || isWrite ? [] : [`${document.generated} is out of date: run \`npm run coverage\``];
  });
}

/** Whether a program that the test needs is missing here; the summary of the run names it. */
function lacksTool(file: string): boolean {
  const missing = tier.tools.filter((tool) => tool.find() === undefined);
  return missing.length > 0 && missingToolOf(file, readFileSync(file, 'utf8'), missing) !== undefined;
}

/** Returns the pattern of the titles that a test has in the reports, with any values of its cases. */
function titlePattern(title: string): RegExp {
  const parts = title.split(HOLE).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(parts.join('.*'));
}

/**
 * Selects the outcomes of a test by its title. A shared suite, which is no test file itself, runs in the test files whose
 * path contains `conformance`; cases that one of them skips because they do not apply are left out.
 */
function outcomesOf({ file, title }: TaggedTest, outcomes: readonly Outcome[]): Outcome[] {
  const pattern = titlePattern(title);
  const named = outcomes.filter((outcome) => pattern.test(outcome.title));
  if (/\.(test|spec|smoke)\.tsx?$/.test(file)) return named.filter((outcome) => outcome.file === file);
  return named.filter((outcome) => outcome.file.includes('conformance') && outcome.status !== 'skipped');
}

/** Tests that did not run because a program is missing. */
const notRun = new Set<string>();

/** Describes what is wrong with how a tagged test ran; undefined when every outcome passed. */
function runProblem(test: TaggedTest, tag: Tag, outcomes: readonly Outcome[]): string | undefined {
  const { case: name } = tag;
  const own = outcomesOf(test, outcomes).filter(({ title }) => name === undefined || title.includes(name));
  const label = `${test.file} > ${name ?? test.title} (@covers ${tag.id})`;
  if (own.every(({ status }) => status === 'skipped') && lacksTool(test.file)) {
    notRun.add(label);
    return undefined;
  }
  if (own.length === 0) return `${label} did not run`;
  const bad = own.find(({ status }) => status !== 'passed');
  return bad && `${label} ${bad.status}`;
}

const tests = readTaggedTests();
const hasToRun = process.argv.includes('--ran');
const tier = process.argv.includes('--long') ? TIERS.long : TIERS.test;
const isOfTier = ({ file }: TaggedTest) =>
  /\.long\.(test|spec)\.ts$|\.smoke\.ts$/.test(file) === (tier === TIERS.long);
const outcomes = hasToRun ? readOutcomes(tier.reports) : [];
const problems = [
  ...tagProblems(tests),
  ...faultProblems(),
  ...documentProblems(tests, process.argv.includes('--write')),
  ...(hasToRun
    ? tests
        .filter(isOfTier)
        .flatMap((test) => test.tags.flatMap((tag) => runProblem(test, tag, outcomes) ?? []))
    : []),
];
for (const document of DOCUMENTS)
  console.log(`${document.generated}: ${rowsOf(document).length} requirements`);
console.log(
  `${tests.length} tagged tests${hasToRun ? `, looked up among the ${outcomes.length} tests of the last run` : ''}`,
);
if (!hasToRun) {
  const listed = requirementsWithManyTests(tests);
  console.log(`${listed.length} requirements with ${MANY_TESTS} or more tests:`);
  for (const line of listed) console.log(`  ${line}`);
}
if (notRun.size > 0) console.log(`Not run, because a program is missing: ${notRun.size} tagged tests.`);
for (const problem of problems) console.log(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
