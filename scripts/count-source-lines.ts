/** `node scripts/count-source-lines.ts`: prints the lines of source in packages/, without tests and test support. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const SOURCE = /^packages\/([^/]+)\/.*\.tsx?$/;
const NOT_COUNTED = /\.test\.tsx?$|\/test-support\/|\.config\.ts$/;

const files = execFileSync('git', ['ls-files', 'packages'], { encoding: 'utf8' }).trim().split('\n');
const lines = new Map<string, number>();
for (const file of files) {
  const name = SOURCE.exec(file)?.[1];
  if (name === undefined || NOT_COUNTED.test(file)) continue;
  const count = readFileSync(file, 'utf8').split('\n').length - 1;
  lines.set(name, (lines.get(name) ?? 0) + count);
}
for (const [name, count] of lines) console.log(`${name.padEnd(12)} ${String(count).padStart(6)}`);
const all = [...lines.values()].reduce((sum, count) => sum + count, 0);
console.log(`${'all'.padEnd(12)} ${String(all).padStart(6)}`);
