import { describe, expect, it } from 'vitest';
import { resolveHost } from './host-policy.ts';
import { ProviderError } from './provider-error.ts';
import { isLoopback } from './public-address.ts';

async function refusal(host: string, allowed: string[]): Promise<string> {
  const outcome = await resolveHost(host, allowed).catch((error: unknown) => error);
  if (!(outcome instanceof ProviderError)) throw new Error(`not refused: ${String(outcome)}`);
  expect(outcome.field).toBe('host');
  return outcome.failure;
}

describe('resolveHost', () => {
  it('resolves a listed host to any address, also a private one', async () => {
    expect(await resolveHost('127.0.0.1', ['127.0.0.1'])).toBe('127.0.0.1');
    expect(isLoopback(await resolveHost('LocalHost.', ['localhost']))).toBe(true);
  });

  it('accepts only public addresses for a wildcard, in any notation', async () => {
    for (const host of [
      '127.0.0.1',
      'localhost',
      '10.1.2.3',
      '169.254.169.254',
      '2130706433',
      '0x7f.1',
      '::1',
    ])
      expect(await refusal(host, ['*']), host).toBe('forbidden');
    expect(await resolveHost('9.9.9.9', ['*'])).toBe('9.9.9.9');
  });

  it('refuses a host outside the list', async () => {
    expect(await refusal('mail.example.org', [])).toBe('forbidden');
    expect(await refusal('mail.example.org', ['*.example.com', 'example.org'])).toBe('forbidden');
    expect(await refusal('evilexample.com', ['*.example.com'])).toBe('forbidden');
  });

  it('reports an unknown host name as unavailable', async () => {
    expect(await refusal('nobody.invalid', ['*'])).toBe('unavailable');
    expect(await refusal('nobody.invalid', ['*.invalid'])).toBe('unavailable');
  });
});
