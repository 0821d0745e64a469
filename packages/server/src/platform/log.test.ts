import { expect, test } from 'vitest';
import { redactText } from './log.ts';

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
