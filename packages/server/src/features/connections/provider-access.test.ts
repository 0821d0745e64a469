import { ProviderError } from '@datadeck/connectors';
import { expect, test } from 'vitest';
import { providerFailure } from './provider-access.ts';

// @covers transport.answers-take-long
test('a call that exceeded its time is reported as a timeout, not as an internal error', async () => {
  const signal = AbortSignal.timeout(1);
  await new Promise((resolve) => signal.addEventListener('abort', resolve));
  expect(providerFailure(signal.reason)).toMatchObject({
    code: 'provider-unavailable',
    message: 'The provider did not answer in time. Try again later.',
  });
});

test("reports provider errors in the provider's own words", () => {
  expect(providerFailure(new ProviderError('not-found', 'No such thing.'))).toMatchObject({
    code: 'validation-failed',
    message: 'No such thing.',
  });
  const error = new Error('a fault of ours');
  expect(providerFailure(error)).toBe(error);
});
