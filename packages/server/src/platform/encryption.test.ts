import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { Keyring } from './encryption.ts';

const key = () => randomBytes(32).toString('base64');

test('what was sealed opens with its context alone', () => {
  const ring = new Keyring(key());
  const sealed = ring.seal('token', 'ada');
  expect(JSON.stringify(sealed)).not.toContain('token');
  expect(ring.open(sealed, 'ada')).toBe('token');
  expect(() => ring.open(sealed, 'jonas')).toThrow();
  expect(() => ring.open({ ...sealed, text: Buffer.from('tokex').toString('base64') }, 'ada')).toThrow();
});

test('keys rotate: the first seals, the others still open', () => {
  const [before, after] = [key(), key()];
  const old = new Keyring(before).seal('token', 'ada');
  const ring = new Keyring(`${after},${before}`);
  expect(ring.open(old, 'ada')).toBe('token');
  const fresh = ring.seal('token', 'ada');
  expect(fresh.key).not.toBe(old.key);
  expect(new Keyring(after).open(fresh, 'ada')).toBe('token');
  expect(() => new Keyring(after).open(old, 'ada')).toThrow(/is not configured/);
});

test('the same text never looks the same twice', () => {
  const ring = new Keyring(key());
  expect(ring.seal('token', 'ada').text).not.toBe(ring.seal('token', 'ada').text);
});
