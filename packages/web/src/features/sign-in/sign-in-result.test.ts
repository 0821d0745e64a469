import { describe, expect, it } from 'vitest';
import { readSignInResult } from './sign-in-result.ts';

const search = (value: string) => `?res=${encodeURIComponent(value)}`;

describe('readSignInResult', () => {
  // @covers 2.res-holds-json
  it('reads token and error', () => {
    expect(readSignInResult(search('{"token":"t","error":null}'))?.token).toBe('t');
    expect(readSignInResult(search('{"token":null,"error":"denied"}'))?.error).toBe('denied');
  });

  it('returns null without the parameter, and an error for a malformed one', () => {
    expect(readSignInResult('')).toBeNull();
    expect(readSignInResult(search('{oops'))).toEqual({ token: null, error: 'malformed' });
  });
});
