import { lookup } from 'node:dns/promises';
import { ProviderError } from './provider-error.ts';
import { isPublic } from './public-address.ts';

/** Whether the list names the host itself, or covers it by `*` or `*.domain`. */
function coverage(host: string, allowed: readonly string[]): 'named' | 'covered' | 'none' {
  if (allowed.includes(host)) return 'named';
  const isCovered = allowed.some(
    (entry) => entry === '*' || (entry.startsWith('*.') && host.endsWith(entry.slice(1))),
  );
  return isCovered ? 'covered' : 'none';
}

/**
 * The address of a server that a user named, if it may be connected to: hosts that the list names, whatever their
 * address; hosts that it covers by a wildcard, at public addresses only. Connect to this address and to no other: the
 * name may lead elsewhere a moment later.
 * @param allowed host names in lower case, `*.domain`, or `*`
 * @throws ProviderError `forbidden`; `unavailable` when the name is not known; both with the field `host`
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
