import { ENDPOINTS } from '@datadeck/contract';
import { describe, expect, it } from 'vitest';
import { errorOf } from '../../api/failure.ts';
import { SIGN_IN_CALLS } from './sign-in-api.ts';

describe('what the login screen reads by hand, to be small', () => {
  it('has the calls of the contract', () => {
    for (const name of ['product', 'demoLogin', 'signInPreview', 'signIn'] as const) {
      const { method, path } = ENDPOINTS[name];
      expect(SIGN_IN_CALLS[name]).toEqual({ url: path, method });
    }
  });

  it('knows an error of the server from anything else', () => {
    const error = { code: 'rate-limited', message: 'Too many.' };
    expect(errorOf({ status: 429, data: { error } })).toEqual(error);
    for (const data of [null, '', {}, { error: 'x' }, { error: { code: 1, message: 'x' } }])
      expect(errorOf({ status: 500, data })).toBeUndefined();
  });
});
