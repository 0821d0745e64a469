import { ENDPOINTS } from '@datadeck/contract';
import { describe, expect, it } from 'vitest';
import { errorOf } from '../../api/failure.ts';
import { SIGN_IN_CALLS } from './sign-in-api.ts';

describe('SIGN_IN_CALLS', () => {
  it('uses the methods and paths of the contract', () => {
    for (const name of ['product', 'demoLogin', 'signInPreview', 'signIn'] as const) {
      const { method, path } = ENDPOINTS[name];
      expect(SIGN_IN_CALLS[name]).toEqual({ url: path, method });
    }
  });
});

describe('errorOf', () => {
  it('recognises errors of the server among other response bodies', () => {
    const error = { code: 'rate-limited', message: 'Too many.' };
    expect(errorOf({ status: 429, data: { error } })).toEqual(error);
    for (const data of [null, '', {}, { error: 'x' }, { error: { code: 1, message: 'x' } }])
      expect(errorOf({ status: 500, data })).toBeUndefined();
  });
});
