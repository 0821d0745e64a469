import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildPackage as buildSandbox } from '../packages/sandbox/build.ts';
import { FAULTS } from '../packages/test-sandbox/src/index.ts';
import { buildProduct } from './build-product.ts';

/** Texts of the test sandbox: its faults, its control, its synthetic data. */
const MARKS = [
  ...FAULTS.map(({ effect }) => effect),
  'The control answers to programs on this machine only',
  'Put here by the sandbox.',
  'Arrived between two pages',
  'bench-',
];
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'published-'));
  await buildProduct(join(folder, 'product'));
  await buildSandbox(join(folder, 'sandbox'));
}, 240_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Returns the files that npm would publish, with their texts. The image installs the package `datadeck` and nothing else. */
function publishedFiles(name: string): { path: string; text: string }[] {
  const root = join(folder, name);
  const output = execFileSync('npm', ['pack', '--dry-run', '--json'], { cwd: root, encoding: 'utf8' });
  const [packed] = JSON.parse(output) as { files: { path: string }[] }[];
  return (packed?.files ?? []).map(({ path }) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}

describe.each(['product', 'sandbox'])('published package: %s', (name) => {
  it('has the sandbox without faults, control and synthetic data', () => {
    const files = publishedFiles(name);

    expect(files.some(({ text }) => text.includes('Sandbox – not the real providers'))).toBe(true);
    const found = files.flatMap(({ path, text }) =>
      MARKS.filter((mark) => text.includes(mark)).map((mark) => `${path}: ${mark}`),
    );
    expect(found).toEqual([]);
  });
});

describe('image', () => {
  it('installs the package of the product alone', () => {
    const lines = readFileSync(join(import.meta.dirname, '../Dockerfile'), 'utf8').split('\n');
    const last = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM ')));

    expect(last.filter((line) => /^(COPY|ADD) /.test(line))).toEqual([
      'COPY --from=install /opt/datadeck /opt/datadeck',
    ]);
    expect(lines.filter((line) => line.includes('npm install'))).toEqual([
      expect.stringContaining(' /datadeck.tgz'),
    ]);
  });
});
