/** Sizes and names of source files: none over 400 lines (tests: 450), none called after nothing (utils, helpers, common, shared, misc). */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';

const MAX_LINES = 400;
/** Tests are lists of cases. */
const MAX_TEST_LINES = 450;
const FORBIDDEN = /^(utils?|helpers?|common|shared|misc)(\.|$)/i;

const files = execFileSync(
  'git',
  [
    'ls-files',
    '--cached',
    '--others',
    '--exclude-standard',
    'packages',
    'e2e',
    'bench',
    'mutation',
    'scripts',
  ],
  { encoding: 'utf8' },
)
  .split('\n')
  // One that was deleted and not staged is listed all the same.
  .filter((file) => /\.(ts|tsx|css)$/.test(file) && existsSync(file));
const sizes: number[] = [];
const problems: string[] = [];
for (const file of files) {
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => !line.includes('// @covers ')).length;
  if (!/\.test\.tsx?$/.test(file)) sizes.push(lines);
  const max = /\.test\.tsx?$/.test(file) ? MAX_TEST_LINES : MAX_LINES;
  if (lines > max) problems.push(`${file}: ${lines} lines, at most ${max}. Split it by concept.`);
  for (const part of [...file.split('/').slice(0, -1), basename(file)]) {
    if (FORBIDDEN.test(part)) problems.push(`${file}: '${part}' names no concept.`);
  }
}
sizes.sort((a, b) => a - b);
const at = (share: number) => sizes[Math.floor((sizes.length - 1) * share)] ?? 0;
console.log(`${sizes.length} files, median ${at(0.5)} lines, 95th percentile ${at(0.95)}, largest ${at(1)}`);
for (const problem of problems) console.log(problem);
process.exitCode = problems.length > 0 || at(0.5) > 80 || at(0.95) > 250 ? 1 : 0;
