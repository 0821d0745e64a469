import { BlockList, isIP } from 'node:net';

/** IPv4 networks that are private, reserved or special (IANA's special-purpose address registry). */
const SPECIAL_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
];
/** The only IPv6 network with public addresses; all others are private, mapped or unassigned. */
const GLOBAL_IPV6 = ['2000::/3'];
/** Non-public subnets of it: protocol assignments (Teredo, ORCHID), documentation, 6to4. */
const SPECIAL_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

function listOf(subnets: readonly string[]): BlockList {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [network = '', prefix] = subnet.split('/');
    list.addSubnet(network, Number(prefix), isIP(network) === 6 ? 'ipv6' : 'ipv4');
  }
  return list;
}

// One list per family: Node also looks up IPv4 addresses in IPv6 subnets, as `::ffff:…`.
const specialIPv4 = listOf(SPECIAL_IPV4);
const globalIPv6 = listOf(GLOBAL_IPV6);
const specialIPv6 = listOf(SPECIAL_IPV6);
const loopbackIPv4 = listOf(['127.0.0.0/8']);
const loopbackIPv6 = listOf(['::1/128']);

/** Returns whether an IP address belongs to the public internet; false if it is not an IP address. */
export function isPublic(address: string): boolean {
  const family = isIP(address);
  // Addresses with a zone, such as fe80::1%eth0, are link-local.
  if (family === 0 || address.includes('%')) return false;
  if (family === 4) return !specialIPv4.check(address, 'ipv4');
  return globalIPv6.check(address, 'ipv6') && !specialIPv6.check(address, 'ipv6');
}

/** Returns whether an IP address is a loopback address. */
export function isLoopback(address: string): boolean {
  return isIP(address) === 6 ? loopbackIPv6.check(address, 'ipv6') : loopbackIPv4.check(address, 'ipv4');
}
