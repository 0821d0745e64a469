import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../test-support/temporary-folder.ts';
import { Keyring, openKeyring } from './encryption.ts';

const key = () => randomBytes(32).toString('base64');

describe('Keyring', () => {
  it('opens a sealed text with its own context only', () => {
    const ring = new Keyring(key());
    const sealed = ring.seal('token', 'ada');
    expect(JSON.stringify(sealed)).not.toContain('token');
    expect(ring.open(sealed, 'ada')).toBe('token');
    expect(() => ring.open(sealed, 'jonas')).toThrow();
    expect(() => ring.open({ ...sealed, text: Buffer.from('tokex').toString('base64') }, 'ada')).toThrow();
  });

  it('opens no text whose tag was cut', () => {
    const ring = new Keyring(key());
    const sealed = ring.seal('token', 'ada');
    const whole = Buffer.from(sealed.tag, 'base64');
    for (let bytes = 0; bytes < whole.length; bytes++) {
      const tag = whole.subarray(0, bytes).toString('base64');
      expect(() => ring.open({ ...sealed, tag }, 'ada')).toThrow();
    }
  });

  it('seals with the first key and opens with each', () => {
    const [before, after] = [key(), key()];
    const old = new Keyring(before).seal('token', 'ada');
    const ring = new Keyring(`${after},${before}`);
    expect(ring.open(old, 'ada')).toBe('token');
    const fresh = ring.seal('token', 'ada');
    expect(fresh.key).not.toBe(old.key);
    expect(new Keyring(after).open(fresh, 'ada')).toBe('token');
    expect(() => new Keyring(after).open(old, 'ada')).toThrow(/is not configured/);
  });

  it('seals the same text differently each time', () => {
    const ring = new Keyring(key());
    expect(ring.seal('token', 'ada').text).not.toBe(ring.seal('token', 'ada').text);
  });
});

describe('openKeyring', () => {
  it('creates a key in the data folder once and finds it again', () => {
    const folder = makeTemporaryFolder('datadeck-key-');
    const sealed = openKeyring(undefined, folder).seal('token', 'ada');
    expect(openKeyring(undefined, folder).open(sealed, 'ada')).toBe('token');
    rmSync(folder, { recursive: true });
  });

  const MODULE = new URL('./encryption.ts', import.meta.url).href;
  /** Opens the ring as a user other than root and returns the result as a text. */
  const ATTEMPT = `const { openKeyring } = await import(process.argv[1]);
if (process.getuid() === 0) { process.setgroups([]); process.setgid(65534); process.setuid(65534); }
try { openKeyring(undefined, process.argv[2]); console.log('opened'); }
catch (error) { console.log(error.name + ': ' + error.message); }`;

  function attempt(folder: string): string {
    const command = ['--input-type=module', '-e', ATTEMPT, MODULE, folder];
    return execFileSync(process.execPath, command, { encoding: 'utf8' });
  }

  it('reports what to do when the data folder cannot be written', () => {
    const folder = makeTemporaryFolder('datadeck-key-');
    chmodSync(folder, 0o555);
    expect(attempt(folder)).toMatch(
      /^StartError: The encryption key in the data folder .*EACCES.*Set DATA_DIR/,
    );
    expect(existsSync(join(folder, 'encryption.key'))).toBe(false);
    rmSync(folder, { recursive: true });
  });

  it("keeps another user's key and reports what to do", () => {
    const folder = makeTemporaryFolder('datadeck-key-');
    const file = join(folder, 'encryption.key');
    writeFileSync(file, 'theirs', { mode: 0o600 });
    // Without root, the test cannot create a file of another user, so it uses an unreadable file of its own.
    if (process.getuid?.() !== 0) chmodSync(file, 0);
    else chmodSync(folder, 0o777);
    expect(attempt(folder)).toMatch(/^StartError: .*EACCES.*or set ENCRYPTION_KEY/);
    chmodSync(file, 0o600);
    expect(readFileSync(file, 'utf8')).toBe('theirs');
    rmSync(folder, { recursive: true });
  });
});
