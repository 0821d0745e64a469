import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildPackage as buildJsonata } from '../packages/jsonata/build.ts';
import { buildPackage as buildSandbox } from '../packages/sandbox/build.ts';

const require = createRequire(import.meta.url);
let project: string;

/** Runs a program in the project that has the built packages installed. @returns its output */
function run(...args: string[]): string {
  return execFileSync(process.execPath, args, { cwd: project, encoding: 'utf8' }).trim();
}

/** Returns the names of what a package needs. */
function dependenciesOf(name: string): string[] {
  const manifest = readFileSync(join(import.meta.dirname, '../packages', name, 'package.json'), 'utf8');
  return Object.keys((JSON.parse(manifest) as { dependencies: object }).dependencies);
}

beforeAll(async () => {
  project = mkdtempSync(join(tmpdir(), 'built-packages-'));
  const modules = join(project, 'node_modules');
  await buildJsonata(join(modules, '@datadeck/jsonata'));
  await buildSandbox(join(modules, '@datadeck/sandbox'));
  mkdirSync(join(modules, '@types'));
  for (const dependency of new Set([
    ...dependenciesOf('jsonata'),
    ...dependenciesOf('sandbox'),
    '@types/node',
  ]))
    symlinkSync(join(import.meta.dirname, '../node_modules', dependency), join(modules, dependency));
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

const SUM = "console.log(compile('$sum(a)').evaluate([{ a: 1 }, { a: 2 }]))";
const PAGE = `startSandbox().then(async (sandbox) => {
  const style = await fetch(sandbox.url + '/assets/sandbox.css');
  console.log(style.status);
  await sandbox.close();
})`;

describe.each([
  ['@datadeck/jsonata', 'compile', SUM, '3'],
  ['@datadeck/sandbox', 'startSandbox', PAGE, '200'],
])('built package %s', (name, imported, program, output) => {
  it('is imported as an ECMAScript module', () => {
    const source = `import { ${imported} } from '${name}'; ${program}`;
    expect(run('--input-type=module', '-e', source)).toBe(output);
  });

  it('is required as a CommonJS module', () => {
    const source = `const { ${imported} } = require('${name}'); ${program}`;
    expect(run('--input-type=commonjs', '-e', source)).toBe(output);
  });

  it.each(['mts', 'cts'])('has types for .%s files', (extension) => {
    const file = `${imported}.${extension}`;
    const use = imported === 'compile' ? "compile('a', { timeMs: VALUE })" : 'startSandbox({ port: VALUE })';
    writeFileSync(
      join(project, file),
      `import { ${imported} } from '${name}';
export const right = ${use.replace('VALUE', '10')};
// @ts-expect-error
export const wrong = ${use.replace('VALUE', "'ten'")};
`,
    );

    const flags = ['--noEmit', '--strict', '--module', 'nodenext', '--lib', 'es2022', '--types', 'node'];
    expect(run(require.resolve('typescript/bin/tsc'), ...flags, file)).toBe('');
  });
});

describe('datadeck-sandbox command', () => {
  it('starts the emulators', async () => {
    const script = join(project, 'node_modules/@datadeck/sandbox/main.js');
    const child = spawn(process.execPath, [script, '--port', '0'], { cwd: project });
    try {
      const ended = once(child, 'exit').then(([code]) => [`it ended with ${code}`]);
      const [line] = await Promise.race([once(child.stdout, 'data'), ended]);
      expect(String(line)).toContain('GOOGLE_ISSUER=http://127.0.0.1:');
    } finally {
      if (child.kill()) await once(child, 'exit');
    }
  });
});
