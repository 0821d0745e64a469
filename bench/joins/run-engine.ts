/**
 * Joins two files of NDJSON in a process of its own, and writes the result as NDJSON. Arguments: expression, files, output.
 * Prints the time after the start of the process and the peak memory as one line of JSON.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { compile } from '../../packages/jsonata/src/index.ts';

const [expression = '', commits = '', mails = '', output = ''] = process.argv.slice(2);

/** Parses a file in pieces of whole lines, as the evaluating process does. */
function read(path: string): unknown[] {
  const text = readFileSync(path);
  const rows: unknown[] = [];
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf(10, Math.min(start + 262_144, text.length - 1)) + 1 || text.length;
    const piece = text.toString('utf8', start, end).trimEnd();
    for (const row of JSON.parse(`[${piece.replaceAll('\n', ',')}]`) as unknown[]) rows.push(row);
    start = end;
  }
  return rows;
}

const begun = performance.now();
const bindings = { commits: read(commits), mails: read(mails) };
const parsed = performance.now();
const result = compile(expression).evaluate(null, bindings);
const joined = performance.now();
const rows = Array.isArray(result) ? result : result === undefined ? [] : [result];
writeFileSync(output, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
const ended = performance.now();
const { maxRSS } = process.resourceUsage();
console.log(
  JSON.stringify({ ms: ended - begun, joinMs: joined - parsed, rows: rows.length, mb: maxRSS / 1024 }),
);
