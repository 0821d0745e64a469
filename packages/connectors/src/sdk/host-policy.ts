import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { ProviderError } from './provider-error.ts';
import { isPublic } from './public-address.ts';

/** Returns the host name of a URL for `resolveHost`, e.g. `::1` for `http://[::1]:8080/`. */
export function hostNameOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

/** Returns how the list allows the host: by its own name (`named`), by `*` or `*.domain` (`covered`), or not. */
function coverage(host: string, allowed: readonly string[]): 'named' | 'covered' | 'none' {
  if (allowed.includes(host)) return 'named';
  const isCovered = allowed.some(
    (entry) => entry === '*' || (entry.startsWith('*.') && host.endsWith(entry.slice(1))),
  );
  return isCovered ? 'covered' : 'none';
}

/** Returns whether users may name the host, as far as known without a lookup: wildcards cover no loopback address. */
export function mayAllowHost(host: string, allowed: readonly string[]): boolean {
  const found = coverage(host, allowed);
  return found === 'named' || (found === 'covered' && (isIP(host) === 0 || isPublic(host)));
}

/**
 * Resolves a host name entered by a user to its first allowed IP address: any address of a host in the list, a public
 * one of a host covered by a wildcard. Connect to this address, because a second lookup may return another one.
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
