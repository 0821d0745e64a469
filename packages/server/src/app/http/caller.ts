import { isIPv4, isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';
import type { User } from '../../features/accounts/index.ts';
import { DEMO_QUEUE } from '../../platform/fair-queue.ts';

/** Who sent a request. */
interface Caller {
  user: User;
  /** Id of the API token, or of what a shared page is opened by; undefined for a session. */
  tokenId?: string | undefined;
  /** Fair queue of a shared page. */
  fairQueue?: string;
}

const callers = new WeakMap<FastifyRequest, Caller>();

/** Attaches the authenticated user to the request, and the API token if it came with one. */
export function setCaller(
  request: FastifyRequest,
  user: User,
  token: Pick<Caller, 'tokenId' | 'fairQueue'> = {},
): void {
  callers.set(request, { user, ...token });
}

/** Returns the authenticated user; undefined before the lookup, and on endpoints without access control. */
export function callerOf(request: FastifyRequest): User | undefined {
  return callers.get(request)?.user;
}

/**
 * Returns the fair queue of a request's work. The caller with a token or on a shared page may be a stranger, so both have fair
 * queues apart from that of the user's own sessions. A member of an invitation reads in the member's own fair queue. All demo users and
 * unauthenticated callers use one fair queue together.
 */
export function fairQueueOf(request: FastifyRequest): string {
  const caller = callers.get(request);
  if (caller === undefined || caller.user.plan === 'demo') return DEMO_QUEUE;
  const { user, tokenId, fairQueue } = caller;
  if (fairQueue !== undefined) return fairQueue;
  return tokenId === undefined ? user.id : `tokens of ${user.id}`;
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

/**
 * Returns the key of a rate limit: the user for all sessions together, the token and the network for a call by token, otherwise
 * the network.
 */
export function limitByCaller(request: FastifyRequest): string {
  const { user, tokenId } = callers.get(request) ?? {};
  if (tokenId !== undefined) return `token ${tokenId} ${limitByNetwork(request)}`;
  return user?.id ?? limitByNetwork(request);
}
