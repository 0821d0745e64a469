import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DESK_MANIFEST, manifestOf } from '@datadeck/connectors/test-support/airbyte';
import { CONNECTOR_BOUNDS } from '@datadeck/contract';
import { connectorDocumentSchema } from '@datadeck/contract/connector-document';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../../../test-support/run-command.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'manifests-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Writes a file into the folder. @returns its path */
function fileOf(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

/** Imports a file where no database could be reached. */
const run = (...words: string[]) =>
  runCommand(['connectors', 'import', ...words], { DATABASE_URL: 'postgres://u@127.0.0.1:1/d' });
const documentOf = (text: string) => connectorDocumentSchema.parse(JSON.parse(text));

describe('datadeck connectors import', () => {
  it('prints the document, and to standard error what was imported and left out', async () => {
    const { code, stdout, stderr } = await run(fileOf('source-help_desk.yaml', DESK_MANIFEST));
    const { key, title, entities } = documentOf(stdout);
    expect([code, key, title]).toEqual([0, 'help-desk', 'Help desk']);
    expect(entities.map(({ id }) => id)).toEqual(['help-desk-tickets', 'help-desk-comments']);
    const line = DESK_MANIFEST.split('\n').findIndex((text) => text.includes('name: audits'));
    expect(stderr).toMatch(/^2 of 3 streams were imported\.\n\nImported:\n {2}tickets \(line \d+\)\n/);
    expect(stderr).toContain(
      `Left out:\n  audits (line ${line}): Cannot be translated: the extractor CustomRecordExtractor.\n`,
    );
  });

  it('takes key, title and streams from the options, and writes a new file', async () => {
    const file = fileOf('a.yaml', DESK_MANIFEST);
    const out = join(folder, 'out.json');
    const words = [file, '--key', 'desk', '--title', 'Our desk', '--streams', 'tickets', '--out', out];
    const { code, stdout, stderr } = await run(...words);
    expect([code, stdout]).toEqual([0, '']);
    expect(stderr).toMatch(/^1 of 3 streams was imported/);
    expect(stderr).toMatch(/comments \(line \d+\): It was not chosen\./);
    const { key, title, entities } = documentOf(readFileSync(out, 'utf8'));
    expect([key, title, entities.map(({ id }) => id)]).toEqual(['desk', 'Our desk', ['desk-tickets']]);
    expect(await run(...words)).toMatchObject({
      code: 1,
      stderr: `${out} exists already. Name another file.\n`,
    });
  });

  it('takes values on which addresses depend, and lists them', async () => {
    const file = fileOf(
      'sites.yaml',
      DESK_MANIFEST.replaceAll(/url_base: .*/g, "url_base: https://{{ config['domain'] }}/v1"),
    );
    const without = await run(file);
    expect(without).toMatchObject({ code: 1, stdout: '' });
    expect(without.stderr).toContain('tickets (line');
    expect(without.stderr).toContain('Cannot be translated: an address that needs a value of domain.');
    expect(without.stderr).toContain('--set place=value sets one:\n  domain: no value\n');
    const given = await run(file, '--set', 'domain = desk.example.org', '--set', 'zone=eu');
    expect(documentOf(given.stdout).baseUrl).toBe('https://desk.example.org');
    expect(given.stderr).toContain('  domain = desk.example.org\n');
    expect(given.stderr).toContain('No address of the manifest depends on zone.');
    expect(await run(file, '--set', 'domain')).toMatchObject({
      code: 1,
      stderr: '--set: Write a place and its value, such as region=eu.\n',
    });
  });

  it('names a file that is called manifest by its documentation, else by its folder', async () => {
    const named = await run(fileOf('manifest.yaml', DESK_MANIFEST));
    expect(documentOf(named.stdout).title).toBe('Help desk');
    mkdirSync(join(folder, 'source-7shifts'));
    const file = fileOf('source-7shifts/manifest.yaml', DESK_MANIFEST.replace(/ +documentation_url.*\n/, ''));
    const { title, key } = documentOf((await run(file)).stdout);
    expect([title, key]).toEqual(['7shifts', 'shifts']);
  });

  it('imports the first 20 of more streams, and lists the others', async () => {
    const names = Array.from({ length: 22 }, (_, index) => ({ name: `list${index}` }));
    const { code, stdout, stderr } = await run(fileOf('many.yaml', manifestOf(names)));
    expect([code, documentOf(stdout).entities.length]).toEqual([0, 20]);
    expect(stderr).toMatch(
      /list21 \(line \d+\): It can be imported, but a document has at most 20 entities\./,
    );
  });

  it('ends with 1 and the reasons if no stream could be imported', async () => {
    const out = join(folder, 'none.json');
    const file = fileOf('none.yaml', manifestOf([{ name: 'audits\u202e', extractor: 'a.B' }]));
    const { code, stdout, stderr } = await run(file, '--out', out);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^0 of 1 stream were imported\.\n\nLeft out:\n {2}audits.* \(line \d+\): Cannot/);
    expect(stderr).not.toContain('\u202e');
    expect(() => readFileSync(out)).toThrow('ENOENT');
  });

  it.each([
    ['a missing file', () => join(folder, 'missing.yaml'), [], /^There is no file .*missing\.yaml\.\n$/],
    ['a folder', () => folder, [], /is no file\.\n$/],
    [
      'a file that is too large',
      () => fileOf('large.yaml', ' '.repeat(CONNECTOR_BOUNDS.manifest + 1)),
      [],
      /is larger than 2 MB/,
    ],
    ['no YAML', () => fileOf('text.yaml', 'a: ['), [], /^The manifest is not YAML/],
    ['no manifest', () => fileOf('other.yaml', 'a: 1'), [], /^The text is no .* lists no streams\.\n$/],
    ['a wrong key', () => fileOf('b.yaml', DESK_MANIFEST), ['--key', 'A b'], /^--key: Use small letters/],
    [
      'a file that cannot be written',
      () => fileOf('desk.yaml', DESK_MANIFEST),
      ['--out', '/proc/none/a.json'],
      /^\/proc\/none\/a\.json cannot be written: ENOENT/,
    ],
  ])('ends with 1 and says why: %s', async (_, file, options, message) => {
    expect(await run(file(), ...options)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(message),
    });
  });
});
