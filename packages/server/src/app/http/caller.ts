import { isIPv4, isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';
import type { User } from '../../features/accounts/index.ts';

const users = new WeakMap<FastifyRequest, User>();

/** Attaches the authenticated user to the request. */
export function setCaller(request: FastifyRequest, user: User): void {
  users.set(request, user);
}

/** Returns the authenticated user; undefined before the lookup, and on endpoints without access control. */
export function callerOf(request: FastifyRequest): User | undefined {
  return users.get(request);
}

/** Address of a closed connection, for which Node no longer knows one. */
const CLOSED = 'closed';

/**
 * Returns the key for limits by address: an IPv4 address, or the /64 network of an IPv6 address, because one owner has
 * all of its addresses.
 */
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

/** Returns the network as the key of a rate limit, for endpoints without a user. */
export function limitByNetwork(request: FastifyRequest): string {
  return networkOf(request.ip);
}

/** Returns the key of a rate limit: the user, independent of session and token, otherwise the network. */
export function limitByCaller(request: FastifyRequest): string {
  return callerOf(request)?.id ?? limitByNetwork(request);
}
