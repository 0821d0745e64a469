import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import { ProviderError } from './provider-error.ts';

/** What lies within somebody's network, or nowhere (IANA's special-purpose address registries). */
const NOT_PUBLIC = new BlockList();
const LOOPBACK = new BlockList();
for (const [list, network, prefix] of [
  ...(
    [
      ['0.0.0.0', 8],
      ['10.0.0.0', 8],
      ['100.64.0.0', 10],
      ['127.0.0.0', 8],
      ['169.254.0.0', 16],
      ['172.16.0.0', 12],
      ['192.0.0.0', 24],
      ['192.0.2.0', 24],
      ['192.168.0.0', 16],
      ['198.18.0.0', 15],
      ['198.51.100.0', 24],
      ['203.0.113.0', 24],
      ['224.0.0.0', 3],
      ['::', 96],
      ['64:ff9b::', 96],
      ['100::', 64],
      ['2001:db8::', 32],
      ['2002::', 16],
      ['fc00::', 7],
      ['fe80::', 10],
      ['ff00::', 8],
    ] as const
  ).map(([network, prefix]) => [NOT_PUBLIC, network, prefix] as const),
  [LOOPBACK, '127.0.0.0', 8] as const,
  [LOOPBACK, '::1', 128] as const,
])
  list.addSubnet(network, prefix, isIP(network) === 6 ? 'ipv6' : 'ipv4');

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** Whether anybody in the internet could reach the address. */
export function isPublic(address: string): boolean {
  return !NOT_PUBLIC.check(address, familyOf(address));
}

/** Whether the address is of this machine itself. */
export function isLoopback(address: string): boolean {
  return LOOPBACK.check(address, familyOf(address));
}

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
