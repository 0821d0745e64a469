import { afterEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { clearToken, readToken, storeToken } from './auth-token.ts';
import { readJson, storeJson } from './json-storage.ts';

afterEach(() => {
  vi.restoreAllMocks();
  localStorage.clear();
});

describe('readJson and storeJson', () => {
  const number = (value: unknown) => z.number().parse(value);

  // @covers 9.local-storage-json
  it('stores values as JSON', () => {
    storeJson('n', 5);
    expect(localStorage.getItem('n')).toBe('5');
    expect(readJson('n', 0, number)).toBe(5);
  });

  // @covers 9.local-storage-falls
  it.each(['{broken', '"text"'])('returns the fallback for %s', (text) => {
    localStorage.setItem('n', text);
    expect(readJson('n', 7, number)).toBe(7);
  });

  it('does not throw when the storage is full', () => {
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError');
    });
    expect(() => storeJson('n', 1)).not.toThrow();
  });
});

describe('stored token', () => {
  // @covers 3.token-under-dd
  it('is stored as JSON under dd-authToken and in the cookie-like entry', () => {
    storeToken('abc');
    expect(localStorage.getItem('dd-authToken')).toBe('"abc"');
    localStorage.removeItem('dd-authToken');
    expect(readToken()).toBe('abc');
  });

  it('changes dd-authToken last, which other tabs listen to', () => {
    const changes: string[] = [];
    const note = (key: string) => void changes.push(key);
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(note);
    vi.spyOn(Storage.prototype, 'removeItem').mockImplementation(note);
    storeToken('abc');
    clearToken();
    expect(changes).toEqual(['dd-session', 'dd-authToken', 'dd-session', 'dd-authToken']);
  });

  // @covers 2.stored-token-restored
  it('can be read from dd-authToken alone', () => {
    localStorage.setItem('dd-authToken', '"abc"');
    expect(readToken()).toBe('abc');
  });

  it('expires with the cookie-like entry, and is removed by clearToken', () => {
    storeToken('abc', 0);
    expect(readToken(31 * 24 * 60 * 60 * 1000)).toBeNull();
    clearToken();
    expect(readToken(0)).toBeNull();
  });
});
