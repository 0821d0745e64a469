/** Every line of docs/coverage.md names a test that exists: `path/to/file.test.ts > part of its title`. */
import { existsSync, readFileSync } from 'node:fs';

const FILE = 'docs/coverage.md';
const UNPROVED = '## Not proved yet';
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

/** What is wrong with the test that a line names; undefined when it is there. */
function problemOf(reference: string): string | undefined {
  const [file = '', title = ''] = reference.split(/ > (.*)/s).map((part) => part.trim());
  if (file === '' || title === '') return 'names no test';
  if (!existsSync(file)) return `${file} does not exist`;
  if (!titlesOf(file).some((known) => known.includes(title))) return `${file} has no test '${title}'`;
  return undefined;
}

const [proved = '', unproved = ''] = readFileSync(FILE, 'utf8').split(UNPROVED);
const rows = (text: string) =>
  text
    .split('\n')
    .filter((line) => /^\|\s*\d/.test(line))
    .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()));

let problems = 0;
const lines = rows(proved);
for (const [, point, requirement = '', tests = ''] of lines) {
  for (const reference of tests.split('<br>')) {
    const problem = problemOf(reference.trim().replaceAll('`', ''));
    if (problem === undefined) continue;
    problems++;
    console.log(`${FILE}, point ${point}, '${requirement}': ${problem}`);
  }
}
if (lines.length === 0) {
  problems++;
  console.log(`${FILE} has no lines`);
}
console.log(`${lines.length} requirements with a test, ${rows(unproved).length} not proved yet`);
process.exitCode = problems > 0 ? 1 : 0;
