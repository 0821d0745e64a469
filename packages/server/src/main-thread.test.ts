import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const SERVER = fileURLToPath(new URL('server.ts', import.meta.url));
/** Prints the URL of every loaded module. */
const HOOKS = `
import { registerHooks } from 'node:module';
registerHooks({ load: (url, context, next) => { console.log(url); return next(url, context); } });
await import(${JSON.stringify(SERVER)});
process.exit(0);
`;

describe('the main thread of the server', () => {
  it('never loads the IMAP client, the parsers of mails and answers, or writers of files', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', HOOKS]);
    const loaded = stdout.split('\n');
    expect(loaded.some((url) => url.endsWith('/imap/session.ts'))).toBe(true);
    const parsers =
      /\/imapflow\/|\/imap\/(bounded-imap|session-thread)\.ts$|\/(mime-parser|mail-thread)\.ts$|\/declarative\/(expression|decode|document-thread)[a-z-]*\.ts$/;
    expect(loaded.filter((url) => parsers.test(url))).toEqual([]);
    expect(loaded.filter((url) => /\/(hucre|hyparquet|ical-generator)/.test(url))).toEqual([]);
  });
});
