import { isIP } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../../platform/app-error.ts';
import { isLoopback } from '../../platform/config/config.ts';
import type { Product } from '../product.ts';

/** Probes call by any name and read nothing of a user. */
const EXEMPT = new Set(['/healthz', '/readyz']);

/** Returns the name in a Host header, without port and brackets. */
function nameOf(host: string): string {
  return host
    .toLowerCase()
    .replace(/:\d*$/, '')
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '');
}

function matches(name: string, allowed: string): boolean {
  if (allowed === '*' || allowed === name) return true;
  return allowed.startsWith('*.') && name.endsWith(allowed.slice(1));
}

/**
 * Refuses requests under a host name that is not Datadeck's. A website could else point a name of its own at this machine, and
 * its page would read from here as from its own server (DNS rebinding).
 */
export function refuseOtherHosts(app: FastifyInstance, product: Product): void {
  const { config } = product.context;
  const isAllowed = ({ headers: { host }, url }: FastifyRequest): boolean => {
    if (host === undefined || EXEMPT.has(url.split('?')[0] ?? '')) return true;
    const name = nameOf(host);
    if (isIP(name) !== 0 || isLoopback(name) || name.endsWith('.localhost')) return true;
    const own = [nameOf(new URL(product.publicUrl()).host), config.HOST.toLowerCase()];
    return [...own, ...config.ALLOWED_HOSTS].some((allowed) => matches(name, allowed));
  };
  app.addHook('onRequest', async (request) => {
    if (isAllowed(request)) return;
    throw new AppError(
      'host-not-allowed',
      'Datadeck is not called by this host name. Its operator can allow the name by the setting ALLOWED_HOSTS, or name it in PUBLIC_URL.',
    );
  });
}
