import { describe, expect, it } from 'vitest';
import { describeError, redactText } from './log.ts';

describe('redactText', () => {
  it.each([
    ['/?res=%7B%22token%22%3A%22abc%22%7D', '/?res=[redacted]'],
    [
      '/auth/google/callback?state=abc&code=4/xyz&scope=email',
      '/auth/google/callback?state=[redacted]&code=[redacted]&scope=email',
    ],
    ['/auth/link/signin_abc-D_1', '/auth/link/[redacted]'],
    ['connect postgres://ada:hunter2@db/x failed', 'connect postgres://ada:[redacted]@db/x failed'],
    ['/api/data/views?providerId=google', '/api/data/views?providerId=google'],
  ])('redacts %s', (text, expected) => {
    expect(redactText(text)).toBe(expected);
  });
});

describe('describeError', () => {
  it('keeps the cause of a database error and redacts its parameters', () => {
    const cause = Object.assign(new Error('too many clients'), { code: '53300' });
    const error = new Error('Failed query: select $1\nparams: Dear Ada,\n    at noon', { cause });
    const logged = describeError(error);
    expect(logged).toMatchObject({
      message: 'Failed query: select $1\nparams: [redacted]',
      stack: expect.stringMatching(
        /^Error: Failed query: select \$1\nparams: \[redacted\]\n {4}at .*log\.test/,
      ),
      cause: { message: 'too many clients', code: '53300' },
    });
    expect(JSON.stringify(logged)).not.toMatch(/Ada|noon/);
  });

  it.each([
    [{ message: 'slow', queue: 'webhook' }, 'slow'],
    [{ code: 'EPIPE' }, 'EPIPE'],
    ['as text', 'as text'],
    [undefined, 'undefined'],
  ])('describes the value %j, which is not an Error, as %s', (value, message) => {
    expect(describeError(value)).toEqual({ message });
  });
});
