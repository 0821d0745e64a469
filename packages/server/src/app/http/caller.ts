import { isIPv4, isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';
import type { User } from '../../features/accounts/index.ts';

const users = new WeakMap<FastifyRequest, User>();

/** Notes whose call it is. */
export function setCaller(request: FastifyRequest, user: User): void {
  users.set(request, user);
}

/** The user whose call it is; undefined before it was looked up, and where nobody is asked for. */
export function callerOf(request: FastifyRequest): User | undefined {
  return users.get(request);
}

/** The address of a connection that is closed already: Node does not know it any more. */
const CLOSED = 'closed';

/** What limits by address count as one: an IPv4 address, or the 64 bits of an IPv6 network, whose owner has all the rest. */
export function networkOf(address: string | undefined): string {
  if (address === undefined) return CLOSED;
  const mapped = address.replace(/^::ffff:/i, '');
  if (isIPv4(mapped) || !isIPv6(address)) return mapped;
  const [head = '', tail] = address.split('%')[0]?.split('::') ?? [];
  const groups = head === '' ? [] : head.split(':');
  if (tail !== undefined) {
    const last = tail === '' ? [] : tail.split(':');
    while (groups.length + last.length < 8) groups.push('0');
  }
  const network = groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(':')}::/64`;
}

/** Whom a limit counts by the network alone: where there is no user yet. */
export function limitByNetwork(request: FastifyRequest): string {
  return networkOf(request.ip);
}

/** Whom a limit counts: the user, however often signed in and however the token is spelled, else the network. */
export function limitByCaller(request: FastifyRequest): string {
  return callerOf(request)?.id ?? limitByNetwork(request);
}
