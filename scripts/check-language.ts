/**
 * `node scripts/check-language.ts [path…]`: finds words that plain English does without, in source, tests, documents and
 * screen texts. Part of `npm run check`. Each word is listed with what to write in its place.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Words and phrases, with what to write in their place. A word also matches as a part of a name: `isAnew`. */
const REPLACEMENTS: Record<string, string> = {
  anew: 'again',
  afresh: 'again',
  besides: 'in addition to',
  farewell: 'logout, close',
  'go on': 'continue',
  'goes on': 'continues',
  gives: 'returns, shows',
  hindrance: 'the reason why something is blocked',
  'keep house': 'run housekeeping',
  keephouse: 'runHousekeeping',
  meanwhile: 'while …, in the meantime only with a subject',
  patience: 'timeout',
  spent: 'used, elapsed, expired',
  stands: 'is',
  'stands for': 'means, replaces',
  'at work': 'running',
  told: 'reported, notified',
  tells: 'says, reports, shows',
  whatever: 'name the thing',
  whoever: 'name the person: the caller, the user',
  whichever: 'name the thing',
};
/** Words that are wrong as whole words only. */
const WHOLE = new Set([
  'gives',
  'stands',
  'told',
  'tells',
  'spent',
  'besides',
  'meanwhile',
  'whatever',
  'whoever',
  'whichever',
]);
const FILES = ['*.ts', '*.tsx', '*.md', '*.css', '*.sql', '*.yml', '*.yaml'];
/** Generated files, and files that must contain the words. */
const EXCLUDED = /(^|\/)(migrations|samples)\/|^scripts\/check-language\.ts$|^CHANGELOG\.md$/;

const escaped = (word: string) => word.replaceAll(' ', String.raw`\s+`);
const PATTERNS = Object.keys(REPLACEMENTS).map((word) => ({
  word,
  // Part of a camelCase name: after a lower-case letter comes a capital.
  pattern:
    WHOLE.has(word) || word.includes(' ')
      ? new RegExp(String.raw`\b${escaped(word)}\b`, 'i')
      : new RegExp(escaped(word), 'i'),
}));

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
    for (const { word, pattern } of PATTERNS)
      if (pattern.test(line)) {
        count++;
        console.log(
          `${file}:${index + 1}: '${word}': write ${REPLACEMENTS[word]}\n    ${line.trim().slice(0, 140)}`,
        );
      }
console.log(`${files.length} files, ${count} words to replace`);
process.exitCode = count > 0 ? 1 : 0;
