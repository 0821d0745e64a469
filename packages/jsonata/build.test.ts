import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildPackage } from './build.ts';

const require = createRequire(import.meta.url);
let project: string;

/** Runs a program in the project that has the built package installed. */
function run(...args: string[]): string {
  return execFileSync(process.execPath, args, { cwd: project, encoding: 'utf8' }).trim();
}

beforeAll(async () => {
  project = mkdtempSync(join(tmpdir(), 'jsonata-package-'));
  await buildPackage(join(project, 'node_modules/@datadeck/jsonata'));
  symlinkSync(dirname(require.resolve('jsonata/package.json')), join(project, 'node_modules/jsonata'));
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

describe('the built package', () => {
  it('is imported as an ECMAScript module', () => {
    const source =
      "import { compile } from '@datadeck/jsonata'; console.log(compile('$sum(a)').evaluate([{ a: 1 }, { a: 2 }]))";
    expect(run('--input-type=module', '-e', source)).toBe('3');
  });

  it('is required as a CommonJS module', () => {
    const source =
      "const { compile } = require('@datadeck/jsonata'); console.log(compile('a.b').evaluate({ a: { b: 7 } }))";
    expect(run('--input-type=commonjs', '-e', source)).toBe('7');
  });

  it.each(['consumer.mts', 'consumer.cts'])('has types for %s', (file) => {
    mkdirSync(join(project, 'types'), { recursive: true });
    const wrong = "const wrong: number = compile('a', { timeMs: 'late' });";
    writeFileSync(
      join(project, 'types', file),
      `import { compile, type Expression } from '@datadeck/jsonata';
export const query: Expression = compile('a', { timeMs: 10 });
// @ts-expect-error
${wrong}
`,
    );
    const flags = ['--noEmit', '--strict', '--module', 'nodenext', '--lib', 'es2022'];
    expect(run(require.resolve('typescript/bin/tsc'), ...flags, join('types', file))).toBe('');
  });
});
