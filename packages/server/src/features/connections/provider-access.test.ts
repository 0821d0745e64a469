import { ProviderError } from '@datadeck/connectors';
import { describe, expect, it } from 'vitest';
import { providerFailure } from './provider-access.ts';

describe('providerFailure', () => {
  // @covers transport.answers-take-long
  it('reports a call that exceeded its time limit as a timeout', async () => {
    const signal = AbortSignal.timeout(1);
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    expect(providerFailure(signal.reason)).toMatchObject({
      code: 'provider-unavailable',
      message: 'The provider did not answer in time. Try again later.',
    });
  });

  it("reports provider errors in the provider's own words", () => {
    expect(providerFailure(new ProviderError('not-found', 'No such thing.'))).toMatchObject({
      code: 'validation-failed',
      message: 'No such thing.',
    });
    const error = new Error('a fault of ours');
    expect(providerFailure(error)).toBe(error);
  });
});
