import type { Span } from '@opentelemetry/api';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { endSpan, isTracing, startServerSpan, within } from '../../platform/tracing/tracing.ts';

/** Probes, and streams that stay open for hours. */
const UNTRACED = new Set(['/healthz', '/readyz', '/metrics', '/api/events']);

function isTraced(route: string | undefined): route is string {
  return route !== undefined && !UNTRACED.has(route) && !route.startsWith('/sandbox');
}

/** Records each request as a span with its route, never its address. Does nothing without tracing. */
export function traceRequests(app: FastifyInstance): void {
  if (!isTracing()) return;
  const spans = new WeakMap<FastifyRequest, Span>();
  app.addHook('onRequest', (request, _reply, done) => {
    const { url: route } = request.routeOptions;
    const { method } = request;
    if (!isTraced(route)) return done();
    const span = startServerSpan(`${method} ${route}`, {
      'http.request.method': method,
      'http.route': route,
    });
    spans.set(request, span);
    within(span, done);
  });
  app.addHook('preHandler', (request, _reply, done) => {
    const span = spans.get(request);
    // Again, because the body was read by events of the socket.
    if (span) within(span, done);
    else done();
  });
  app.addHook('onResponse', (request, { statusCode }, done) => {
    const span = spans.get(request);
    span?.setAttribute('http.response.status_code', statusCode);
    if (span) endSpan(span, statusCode >= 500);
    done();
  });
}
