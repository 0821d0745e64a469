import { lookup } from 'node:dns/promises';
import { ProviderError } from './provider-error.ts';
import { isPublic } from './public-address.ts';

/** Returns whether the list names the host itself, or covers it by `*` or `*.domain`. */
function coverage(host: string, allowed: readonly string[]): 'named' | 'covered' | 'none' {
  if (allowed.includes(host)) return 'named';
  const isCovered = allowed.some(
    (entry) => entry === '*' || (entry.startsWith('*.') && host.endsWith(entry.slice(1))),
  );
  return isCovered ? 'covered' : 'none';
}

/**
 * Resolves a host name entered by a user, if the policy allows it: hosts in the list at any address, hosts covered by a
 * wildcard at public addresses only. Connect to the returned address, because a second lookup may return another one.
 * @param allowed host names in lower case, `*.domain`, or `*`
 * @throws ProviderError `forbidden`, or `unavailable` when the name cannot be resolved; both with the field `host`
 */
export async function resolveHost(host: string, allowed: readonly string[]): Promise<string> {
  const name = host.toLowerCase().replace(/\.$/, '');
  const found = coverage(name, allowed);
  const forbidden = () =>
    new ProviderError(
      'forbidden',
      `This Datadeck may not connect to ${name}. Its administrator can allow it (setting CONNECT_HOSTS).`,
      { field: 'host' },
    );
  if (found === 'none') throw forbidden();
  const addresses = await lookup(name, { all: true }).catch((cause: unknown) => {
    throw new ProviderError('unavailable', `No server is known under the name ${name}.`, {
      field: 'host',
      cause,
    });
  });
  const usable = addresses.find(({ address }) => found === 'named' || isPublic(address));
  if (!usable) throw forbidden();
  return usable.address;
}
