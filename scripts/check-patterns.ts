/**
 * Regular expressions of the product (packages/<name>/src; tests and the test sandbox left out) take time linear in what
 * they are matched against: content from outside must not choose how long they work. Exceptions are named in
 * `allowed-patterns.ts`, with the reason.
 *
 * `node scripts/check-patterns.ts` (part of `npm run check`), by recheck in plain JavaScript.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { check } from 'recheck';
import ts from 'typescript';
import { ALLOWED } from './allowed-patterns.ts';

/** What recheck says of patterns, which it says again each time: `.cache` keeps it by version and pattern. */
const CACHE = '.cache/patterns.json';
const VERSION = '4.5.0';
/** For one pattern; a slow machine must come to the same verdict. */
const TIMEOUT_MS = 60_000;
process.env.RECHECK_BACKEND = 'pure';

interface Found {
  file: string;
  line: number;
  /** As written: `/a+/g`, or the argument of a constructor. */
  text: string;
  /** Undefined: made of something else than a text. */
  source: string | undefined;
  flags: string;
}

function textOf(node: ts.Node | undefined): string | undefined {
  return node !== undefined && ts.isStringLiteralLike(node) ? node.text : undefined;
}

function foundIn(file: string): Found[] {
  const tree = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const found: Found[] = [];
  const visit = (node: ts.Node): void => {
    const line = tree.getLineAndCharacterOfPosition(node.getStart()).line + 1;
    if (node.kind === ts.SyntaxKind.RegularExpressionLiteral) {
      const text = node.getText();
      const end = text.lastIndexOf('/');
      found.push({ file, line, text, source: text.slice(1, end), flags: text.slice(end + 1) });
    } else if (
      (ts.isNewExpression(node) || ts.isCallExpression(node)) &&
      ts.isIdentifier(node.expression) &&
      node.expression.text === 'RegExp'
    ) {
      const [first, second] = node.arguments ?? [];
      found.push({ file, line, text: node.getText(), source: textOf(first), flags: textOf(second) ?? '' });
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

const known: Record<string, string> = existsSync(CACHE) ? JSON.parse(readFileSync(CACHE, 'utf8')) : {};

/** linear, or what is wrong with the pattern. */
async function verdictOf(source: string, flags: string): Promise<string> {
  const key = createHash('sha256')
    .update(JSON.stringify([VERSION, source, flags]))
    .digest('base64url');
  const kept = known[key];
  if (kept !== undefined) return kept;
  const result = await check(source, flags, { timeout: TIMEOUT_MS, randomSeed: 0 });
  const verdict =
    result.status === 'unknown'
      ? `not decided (${result.error.kind})`
      : result.complexity.type === 'safe' || result.complexity.type === 'linear'
        ? 'linear'
        : result.complexity.summary;
  if (result.status !== 'unknown') known[key] = verdict;
  return verdict;
}

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', 'packages'], {
  encoding: 'utf8',
})
  .split('\n')
  .filter(
    (file) =>
      /^packages\/\w+\/src\/.*\.tsx?$/.test(file) &&
      !/\.test\.tsx?$|\/test-support\//.test(file) &&
      existsSync(file),
  );
const all = files.flatMap(foundIn);
const unused = new Set(ALLOWED);
const problems: string[] = [];
for (const { file, line, text, source, flags } of all) {
  const verdict = source === undefined ? 'made while running' : await verdictOf(source, flags);
  if (verdict === 'linear') continue;
  const allowed = ALLOWED.find((entry) => file === entry.file && text === entry.pattern);
  if (allowed) unused.delete(allowed);
  else problems.push(`${file}:${line}: ${text}: ${verdict}`);
}
for (const { file, pattern, isUndecided } of unused)
  if (!isUndecided)
    problems.push(
      `scripts/allowed-patterns.ts: ${file} has no such pattern that is not linear any more: ${pattern}`,
    );
mkdirSync('.cache', { recursive: true });
writeFileSync(CACHE, JSON.stringify(known));
console.log(`${all.length} regular expressions, ${ALLOWED.length} of them allowed though not linear`);
for (const problem of problems) console.log(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
