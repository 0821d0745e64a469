import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeTemporaryFolder, removeDataFolder } from '../../test-support/temporary-folder.ts';

const MODULE = fileURLToPath(new URL('replace-folder.ts', import.meta.url));
/** Replaces the folder `dist` of the current folder many times. */
const PROGRAM = `
  import { mkdirSync, writeFileSync } from 'node:fs';
  import { replaceFolder } from ${JSON.stringify(MODULE)};
  for (let round = 0; round < 1000; round++) {
    mkdirSync('built.' + process.pid);
    writeFileSync('built.' + process.pid + '/file', 'whole');
    replaceFolder('dist', 'built.' + process.pid);
  }`;

let folder: string;
beforeAll(() => {
  folder = makeTemporaryFolder('datadeck-replaced-');
});
afterAll(() => removeDataFolder(folder));

it('replaces a folder while other processes do the same', async () => {
  const run = () =>
    promisify(execFile)(process.execPath, ['--input-type=module', '-e', PROGRAM], { cwd: folder });
  await Promise.all([run(), run(), run()]);
  expect(readdirSync(folder)).toEqual(['dist']);
  expect(readFileSync(join(folder, 'dist/file'), 'utf8')).toBe('whole');
}, 120_000);
