import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../../platform/app-error.ts';
import { isLoopback } from '../../platform/config/config.ts';
import { fingerprint } from '../../platform/ids.ts';
import { limitByNetwork } from '../http/caller.ts';
import { type ApiDescription, completeDescription } from '../http/openapi.ts';
import { tokenOf } from '../http/session.ts';
import type { Product } from '../product.ts';
import { blockedReason } from '../readiness.ts';

/** Rate limit of the API's description per network. */
const DESCRIPTION_LIMIT = { max: 120, timeWindow: 60_000 };

/** Returns a function that returns the API's description as text. It is written once for each prefix. */
function keepDescriptions(app: FastifyInstance): (prefix: '/api' | '/api/v1') => string {
  const texts = new Map<string, string>();
  return (prefix) => {
    const text =
      texts.get(prefix) ?? JSON.stringify(completeDescription(app.swagger() as ApiDescription, prefix));
    texts.set(prefix, text);
    return text;
  };
}

/**
 * Returns whether a request may read the metrics: it has the token, or comes from this machine. A proxy on this machine forwards
 * requests of others.
 */
function mayReadMetrics(request: FastifyRequest, token: string | undefined): boolean {
  const given = tokenOf(request);
  if (token !== undefined && given !== undefined && fingerprint(given) === fingerprint(token)) return true;
  const { headers, socket } = request;
  const isForwarded = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined;
  return !isForwarded && isLoopback((socket.remoteAddress ?? '').replace(/^::ffff:/i, ''));
}

/** Registers health, metrics and the description of the API. */
export function registerServiceRoutes(app: FastifyInstance, product: Product): void {
  const { context } = product;
  const hidden = { schema: { hide: true } };
  app.get('/healthz', hidden, async () => ({ status: 'ok' }));
  app.get('/readyz', hidden, async (_request, reply) => {
    const status = await blockedReason(product);
    return status === undefined ? { status: 'ready' } : reply.code(503).send({ status });
  });
  app.get('/metrics', hidden, async (request, reply) => {
    if (!mayReadMetrics(request, context.config.METRICS_TOKEN))
      throw new AppError(
        'unauthenticated',
        'Metrics are for this machine, or for callers with METRICS_TOKEN, as Authorization: Bearer.',
      );
    reply.type(context.metrics.registry.contentType);
    return context.metrics.registry.metrics();
  });
  const describe = keepDescriptions(app);
  const limits = { config: { rateLimit: { ...DESCRIPTION_LIMIT, keyGenerator: limitByNetwork } } };
  // Read as /api/v1/openapi.json, it has the paths of version 1.
  app.get('/api/openapi.json', { ...hidden, ...limits }, async ({ originalUrl }, reply) => {
    reply.type('application/json; charset=utf-8');
    return describe(originalUrl.startsWith('/api/v1/') ? '/api/v1' : '/api');
  });
}
