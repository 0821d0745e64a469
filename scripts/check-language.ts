/**
 * `node scripts/check-language.ts [path…]`: finds words that plain English does without, in source, tests, documents and
 * screen texts. Part of `npm run check`. Each word is listed with what to write in its place.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Words and phrases, with what to write in their place. */
const REPLACEMENTS: Record<string, string> = {
  besides: 'in addition to',
  'go(es)? on': 'continue',
  gives: 'returns, shows',
  'keep house': 'run housekeeping',
  meanwhile: 'while …',
  met: 'seen, reached, found',
  spent: 'used, elapsed, expired',
  stands: 'is, means, replaces',
  'at work': 'running',
  told: 'reported, notified',
  tells: 'says, reports, shows',
  whatever: 'name the thing',
  whoever: 'name the person: the caller, the user',
  whichever: 'name the thing',
};
/** Words that must not be parts of names either, such as `isAnew`. */
const PARTS: Record<string, string> = {
  anew: 'again',
  afresh: 'again',
  farewell: 'logout, close',
  hindrance: 'blockedReason',
  keephouse: 'runHousekeeping',
  patience: 'timeout',
};
const FILES = ['*.ts', '*.tsx', '*.md', '*.css', '*.sql', '*.yml', '*.yaml'];
/** Generated files, and files that must contain the words. */
const EXCLUDED = /(^|\/)(migrations|samples)\/|^scripts\/check-language\.ts$|^CHANGELOG\.md$/;

const PATTERNS = [
  ...Object.entries(REPLACEMENTS).map(([words, instead]) => ({
    instead,
    pattern: new RegExp(String.raw`\b${words.replaceAll(' ', String.raw`\s+`)}\b`, 'i'),
  })),
  ...Object.entries(PARTS).map(([word, instead]) => ({ instead, pattern: new RegExp(word, 'i') })),
];

const paths = process.argv.slice(2);
const files = execFileSync('git', ['ls-files', '--', ...(paths.length > 0 ? paths : FILES)], {
  encoding: 'utf8',
})
  .trim()
  .split('\n')
  .filter((file) => !EXCLUDED.test(file) && /\.(tsx?|md|css|sql|ya?ml)$/.test(file));
let count = 0;
for (const file of files)
  for (const [index, line] of readFileSync(file, 'utf8').split('\n').entries())
    for (const { instead, pattern } of PATTERNS) {
      const word = pattern.exec(line)?.[0];
      if (word === undefined) continue;
      count++;
      console.log(`${file}:${index + 1}: '${word}': write ${instead}\n    ${line.trim().slice(0, 140)}`);
    }
console.log(`${files.length} files, ${count} words to replace`);
process.exitCode = count > 0 ? 1 : 0;
