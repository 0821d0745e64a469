import { execFile } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { CLI } from '../test-support/child-server.ts';

/** Prints the URL of every loaded module to standard error. */
const HOOKS = `data:text/javascript,${encodeURIComponent(`
import { registerHooks } from 'node:module';
registerHooks({ load: (url, context, next) => { console.error(url); return next(url, context); } });
`)}`;

interface Loaded {
  code: number;
  stdout: string;
  /** URLs of the loaded modules, and the messages of the command. */
  lines: string[];
}

/** Runs a command of `datadeck` in a process of its own, which reports the modules that it loads. */
function run(words: string[]): Promise<Loaded> {
  // Nothing listens on the port discard.
  const env = { ...process.env, DATADECK_URL: 'http://127.0.0.1:9', DATADECK_TOKEN: 'x' };
  return new Promise((resolve) => {
    execFile(process.execPath, ['--import', HOOKS, CLI, ...words], { env }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, stdout, lines: stderr.trim().split('\n') });
    });
  });
}

describe('a command that needs no database', () => {
  it.each([
    ['--version', [], 0, /^\d+\.\d+\.\d+\n$/],
    ['completion', ['bash'], 0, /^_datadeck/],
    ['search', ['x'], 1, /^$/],
  ])('loads no package but commander, and nothing of the server: %s', async (name, words, code, printed) => {
    const ended = await run([name, ...words]);
    expect(ended).toMatchObject({ code, stdout: expect.stringMatching(printed) });
    const packages = ended.lines.map((url) => url.match(/\/node_modules\/((?:@[^/]+\/)?[^/]+)\//)?.[1]);
    expect([...new Set(packages)].filter((found) => found !== undefined)).toEqual(['commander']);
    expect(ended.lines.filter((url) => /\/server\/src\/(app|features)\//.test(url))).toEqual([]);
  });
});
