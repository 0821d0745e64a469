import { expect, test } from 'vitest';
import { describeError, redactText } from './log.ts';

test.each([
  ['/?res=%7B%22token%22%3A%22abc%22%7D', '/?res=[redacted]'],
  [
    '/auth/google/callback?state=abc&code=4/xyz&scope=email',
    '/auth/google/callback?state=[redacted]&code=[redacted]&scope=email',
  ],
  ['connect postgres://ada:hunter2@db/x failed', 'connect postgres://ada:[redacted]@db/x failed'],
  ['/api/data/views?providerId=google', '/api/data/views?providerId=google'],
])('%s', (text, expected) => {
  expect(redactText(text)).toBe(expected);
});

// @covers 10.logs-name-cause
test('an error of the database is logged with its cause and without what the statement was given', () => {
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

test.each([
  [{ message: 'slow', queue: 'webhook' }, 'slow'],
  [{ code: 'EPIPE' }, 'EPIPE'],
  ['as text', 'as text'],
  [undefined, 'undefined'],
])('%j, thrown or told though no error, says %s', (told, message) => {
  expect(describeError(told)).toEqual({ message });
});
