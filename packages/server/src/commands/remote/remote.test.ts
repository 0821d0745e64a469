import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CreatedToken, View } from '@datadeck/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CLI } from '../../../test-support/child-server.ts';
import { type EndedCommand, outputOf, runCommand } from '../../../test-support/run-command.ts';
import { shareServer } from '../../../test-support/shared-server.ts';
import { awaitEnd, startSync } from '../../../test-support/syncing.ts';
import { Client, type TestServer } from '../../../test-support/test-server.ts';
import { tableOf } from './print.ts';
import { progressOf } from './sync.ts';

const EMAIL = 'ada.nowak@sandbox.example';
const SETTINGS = ['--set', 'owner=ada-nowak', '--set', 'repo=dotfiles'];
let server: TestServer;
let ada: Client;
let token: string;
let folder: string;
let viewId: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'datadeck-remote-'));
  server = await shareServer();
  ada = await new Client(server).signIn(EMAIL);
  await ada.connect('github', 'ada-nowak');
  await awaitEnd(ada, (await startSync(ada, 'gh-pulls', { owner: 'ada-nowak', repo: 'dotfiles' }))._id);
  const made = await ada.post<View>('/api/v1/data/views', {
    title: 'From a number',
    description: 'x',
    jsonNataQuery: '$[number >= $from].{"number": number, "title": title}',
    providerId: 'github',
    entityLabel: 'gh-pulls',
    templateKey: 'pulls-all',
    parameters: [{ name: 'from', type: 'number', default: 0 }],
  });
  viewId = made._id;
  ({ token } = await ada.post<CreatedToken>('/api/v1/accounts/tokens', {
    name: 'command line',
    scope: 'sync',
    expiresInDays: 1,
  }));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await server?.remove();
});

/** Runs a command of `datadeck` with the token. */
function run(words: string[], secret = token): Promise<EndedCommand> {
  return runCommand(words, { DATADECK_URL: server.url, DATADECK_TOKEN: secret });
}

/** Runs a command of `datadeck` in a process of its own, for what depends on one: exit codes and large output to a pipe. */
function runAlone(words: string[]): Promise<EndedCommand> {
  const env = { ...process.env, DATADECK_URL: server.url, DATADECK_TOKEN: token };
  return new Promise((resolve) => {
    execFile(process.execPath, [CLI, ...words], { env, maxBuffer: 100_000_000 }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr });
    });
  });
}

const linesOf = ({ stdout }: EndedCommand) => stdout.trim().split('\n');

describe('the commands for a server', () => {
  it('search records, as a table, JSON and lines of JSON', async () => {
    const table = await run(['search', 'repo:dotfiles', '--newest']);
    expect(table).toMatchObject({ code: 0, stderr: expect.stringMatching(/^14 of 14/) });
    expect(linesOf(table)[0]).toMatch(/^occurredAt +person +title/);
    const lines = linesOf(await run(['search', 'repo:dotfiles', '--ndjson'])).map((line) => JSON.parse(line));
    expect(lines).toHaveLength(14);
    expect(JSON.parse((await run(['search', 'repo:dotfiles', '--json'])).stdout)).toEqual(lines);
    expect(await run(['search', 'colour:red'])).toMatchObject({ code: 1, stdout: '' });
    const without = await run(['search', 'repo:dotfiles', '-is:merged', '--ndjson']);
    expect(linesOf(without).length).toBeLessThan(14);
    expect(await run(['search', 'x', '--jsn'])).toMatchObject({
      code: 1,
      stderr: 'There is no option --jsn.\n',
    });
    const wrongPage = await run(['query', 'gh-pulls', 'pulls-all', '$', '--page', 'two']);
    expect(wrongPage.stderr).toContain('Expected a number from 1');
    expect(linesOf(await run(['entities', '--ndjson'])).map((line) => JSON.parse(line).id)).toContain(
      'gh-pulls',
    );
  });

  it('print an error once, and name what there is', async () => {
    const unknown = await run(['serch', 'x']);
    expect(unknown.stderr).toBe("There is no command serch. 'datadeck --help' lists them.\n");
    for (const words of [
      ['sync', 'gh-pulls', '--set', 'owner=a b', '--set', 'repo='],
      ['sync', 'nothing'],
      ['query', 'gh-pulls', 'pulls-all', '$['],
      ['export', '--entity', 'gh-pulls', '--format', 'mbox'],
      ['export', '--entity', 'gh-pulls', '--exact'],
    ]) {
      const { code, stderr } = await run(words);
      expect(code, words.join(' ')).toBe(1);
      const sentences = stderr.trim().split(/(?<=\.) /);
      expect(new Set(sentences).size, stderr).toBe(sentences.length);
      expect(stderr.trim().split('\n'), stderr).toHaveLength(1);
    }
  });

  it('print rows of templates and views, and evaluate expressions over them', async () => {
    const listed = linesOf(await run(['query', 'gh-pulls', '--ndjson'])).map(
      (line) => JSON.parse(line).templateKey,
    );
    expect(listed).toContain('pulls-by-author');
    const mistyped = await run(['query', 'gh-pulls', 'pulls-by-nobody']);
    for (const key of listed) expect(mistyped.stderr).toContain(key);
    const template = ['query', 'gh-pulls', 'pulls-all'];
    expect(linesOf(await run([...template, '--ndjson']))).toHaveLength(14);
    expect(linesOf(await run(template))[0]).toMatch(/^number +title +state +created_at/);
    expect((await run([...template, '$count($)', '--ndjson'])).stdout).toBe('14\n');
    const merged = linesOf(await run([...template, '--search', 'is:merged', '--ndjson']));
    expect(merged.length).toBeLessThan(14);
    const counted = await run([...template, '$count($)', '--search', 'is:merged', '--ndjson']);
    expect(counted.stdout).toBe(`${merged.length}\n`);
    expect(linesOf(await run(['view']))[0]).toMatch(/^_id +entityLabel +title/);
    expect(linesOf(await run(['view', 'From a number', '--ndjson']))).toHaveLength(14);
    const few = linesOf(await run(['view', viewId, '--set', 'from=10', '--ndjson'])).map((line) =>
      JSON.parse(line),
    );
    expect(few.length).toBeLessThan(14);
    expect(few.every(({ number }) => number >= 10)).toBe(true);
    const highest = await run(['view', viewId, '--expression', '$max(number)', '--json']);
    expect(JSON.parse(highest.stdout)).toEqual([Math.max(...few.map(({ number }) => number))]);
    const unknown = await run(['view', 'Nobody has this']);
    expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('No view has this title') });
  });

  it('synchronize an entity and report how it ended by the exit code', async () => {
    const done = await run(['sync', 'gh-pulls', ...SETTINGS]);
    expect(done).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Sync #\d+ finished: \d+ added/) });
    const wrong = ['--set', 'owner=ada-nowak', '--set', 'repo=nowhere'];
    const failed = await runAlone(['sync', 'gh-pulls', ...wrong]);
    expect(failed).toMatchObject({ code: 2, stdout: expect.stringMatching(/^Sync #\d+ failed: /) });
    const unknown = await run(['sync', 'nothing']);
    expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining("'datadeck entities'") });
  });

  it('export a view to a new file or to standard output', async () => {
    const file = join(folder, 'view.ndjson');
    expect(await run(['export', viewId, '-o', file])).toMatchObject({ code: 0, stdout: '' });
    const rows = readFileSync(file, 'utf8').trim().split('\n');
    expect(rows).toHaveLength(14);
    expect(linesOf(await run(['export', viewId, '--format', 'ndjson']))).toEqual(rows);
    const again = await run(['export', viewId, '-o', file]);
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('exists already') });
    expect(readFileSync(file, 'utf8').trim().split('\n')).toEqual(rows);
  });

  it('export all records of an entity, however many reads it takes', async () => {
    const { db } = server.product.context;
    const fields =
      'user_id, connection_id, scopes, occurred_at, hash, extraction, created_sync, changed_sync';
    await db.$client.query(
      `insert into gh_pulls (id, ${fields}, data) select 'many-' || n, ${fields}, json_build_object('n', n, 'text', repeat('x', 30000))
      from (select * from gh_pulls limit 1) r, generate_series(1, 500) n`,
    );
    const lines = linesOf(await runAlone(['export', '--entity', 'gh-pulls'])).map((line) => JSON.parse(line));
    expect(lines).toHaveLength(514);
    expect(new Set(lines.map(({ n }) => n)).size).toBe(501);
    expect(JSON.parse((await run(['export', '--entity', 'gh-pulls', '--format', 'json'])).stdout)).toEqual(
      lines,
    );
    await db.$client.query("delete from gh_pulls where id like 'many-%'");
    expect(await run(['export'])).toMatchObject({ code: 1, stderr: expect.stringContaining('--entity') });
    const empty = await run(['export', '--entity', 'gmail-labels', '--format', 'json']);
    expect(JSON.parse(empty.stdout)).toEqual([]);
  });

  it('export tables as files, and mbox for mails only', async () => {
    for (const format of ['csv', 'xlsx', 'parquet']) {
      const file = join(folder, `pulls.${format}`);
      expect(await run(['export', '--entity', 'gh-pulls', '--format', format, '-o', file])).toMatchObject({
        code: 0,
      });
      const start = { csv: 'acco', xlsx: 'PK', parquet: 'PAR1' }[format];
      expect(readFileSync(file, 'latin1').slice(0, 4)).toContain(start);
    }
    expect(await run(['export', '--entity', 'gh-pulls', '--format', 'mbox'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Only mails can be exported as mbox.'),
    });
    expect(await run(['export', viewId, '--format', 'mbox'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('--entity'),
    });
  });

  it('explain a missing or wrong token, a wrong address, and a server that cannot be reached', async () => {
    expect(await run(['view'], '')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('DATADECK_TOKEN'),
    });
    const wrong = await run(['view'], `${token}x`);
    expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining('revoked or expired') });
    expect(wrong.stderr).not.toContain(token);
    expect((await run(['view', '--url', 'nonsense'])).stderr).toContain('not the address of a server');
    expect((await run(['view', '--url', 'http://127.0.0.1:9'])).stderr).toContain('cannot be reached');
  });

  it('never print a malformed token, and explain a server that is no Datadeck', async () => {
    for (const malformed of [`${token}\nmore`, `${token}–`, `${token} more`]) {
      const refused = await run(['view'], malformed);
      expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('is no API token') });
      expect(refused.stderr).not.toContain(token);
    }
    const page = createServer((_request, response) => response.end('<html>Welcome</html>'));
    await once(page.listen(0, '127.0.0.1'), 'listening');
    const { port } = page.address() as AddressInfo;
    const wrong = await run(['view', '--url', `http://127.0.0.1:${port}`]);
    const secure = await run(['view', '--url', `https://127.0.0.1:${port}`]);
    page.close();
    expect(wrong).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^http:.* is no Datadeck[^\n]*\n$/),
    });
    expect(secure.stderr).toMatch(/ cannot be reached: [^\n]*\n$/);
  });

  it('escape characters of strangers that move the cursor or hide text', async () => {
    const hostile = { person: 'a\u001b[2J\u009b31m\u202e', title: '\u{e0041}x' };
    const answer = { results: [{ ...hostile, title: [{ text: hostile.title }], excerpt: [] }], count: 1 };
    const body = JSON.stringify({ ...answer, correctedText: '\u001b]0;x\u0007' });
    const evil = createServer((_request, response) => response.end(body));
    await once(evil.listen(0, '127.0.0.1'), 'listening');
    const url = `http://127.0.0.1:${(evil.address() as AddressInfo).port}`;
    const printed = await Promise.all(
      [[], ['--json'], ['--ndjson']].map((format) => run(['search', 'x', '--url', url, ...format])),
    );
    evil.close();
    for (const { stdout, stderr } of printed) expect(stdout + stderr).not.toMatch(/[^\P{C}\n]/u);
    expect(JSON.parse(printed[2]?.stdout ?? '')).toMatchObject(hostile);
  });

  it('complete commands and options in bash', async () => {
    const { stdout: script } = await runAlone(['completion', 'bash']);
    const complete = (words: string, at: number) =>
      new Promise<string>((resolve) => {
        const ask = `${script}\nCOMP_WORDS=(${words}); COMP_CWORD=${at}; _datadeck; echo "\${COMPREPLY[@]}"`;
        execFile('bash', ['-c', ask], (_error, stdout) => resolve(stdout.trim()));
      });
    expect(await complete('datadeck sea', 1)).toBe('search');
    expect(await complete('datadeck search --n', 2)).toBe('--ndjson --newest');
    expect(await complete('datadeck token ""', 2)).toContain('revoke');
    const { stdout: forZsh } = await run(['completion', 'zsh']);
    expect(forZsh).toMatch(/functions\[compdef\].* compinit -i\nbashcompinit\n/);
    expect(forZsh.endsWith(script)).toBe(true);
    expect((await run(['completion', 'fish'])).stdout).toContain(
      "complete -c datadeck -n '__fish_seen_subcommand_from search' -l newest",
    );
  });
});

describe('datadeck token', () => {
  it('creates, lists and revokes tokens of an account', async () => {
    const { DATABASE_URL = '', DATA_DIR } = server.config;
    const manage = (...words: string[]) => outputOf(['token', ...words], { DATABASE_URL, DATA_DIR });
    const created = (await manage('create', EMAIL, '--name', 'Nightly', '--days', '7')).trim();
    expect(linesOf(await run(['view', '--ndjson'], created))).toHaveLength(1);
    const listed = (await manage('list', EMAIL)).split('\n');
    const line = listed.find((text) => text.endsWith('"Nightly"')) ?? '';
    expect(line).toMatch(/^\S{36} {2}read {4}expires \d{4}-\d\d-\d\d {2}/);
    await manage('revoke', EMAIL, line.split(' ')[0] ?? '');
    expect((await run(['view'], created)).code).toBe(1);
    const forever = manage('create', EMAIL, '--name', 'x', '--days', '10000');
    await expect(forever).rejects.toThrow('expiresInDays');
  });
});

describe('tableOf', () => {
  it('leaves out columns that do not fit, and escapes control characters', () => {
    expect(tableOf([{ number: 7, title: 'Fix\u001b[2J it' }])).toBe(
      'number  title\n7       Fix\\u{1b}[2J it',
    );
    expect(tableOf([{ a: 1, b: 'long enough' }], { width: 8 })).toBe('a\n1');
    // Nested values come last, as in the web app, and a record begins with its preferred fields.
    expect(tableOf([{ list: [1], a: 2 }])).toBe('a  list\n2  [1]');
    const record = Object.fromEntries(Array.from({ length: 15 }, (_, n) => [`f${n}`, n]));
    expect(tableOf([record], { width: 10, preferred: ['f9', 'f2'] })).toBe('f9  f2\n9   2');
    expect(tableOf([3, null])).toBe('value\n3\n');
    expect(tableOf([])).toBe('');
  });
});

describe('progressOf', () => {
  it('shows a bar when the total is known', () => {
    const progress = { phase: 'fetching' as const, records: 50, total: 100, rate: 12.3, retryAt: null };
    expect(progressOf({ progress })).toBe(`[${'#'.repeat(12)}${'.'.repeat(12)}] 50 of 100 records, 12/s`);
    expect(progressOf({ progress: { ...progress, total: null } })).toBe('50 records, 12/s');
    expect(progressOf({ progress: null })).toBe('Waiting to start');
  });
});
