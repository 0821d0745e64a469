import type { FastifyRequest } from 'fastify';

/** Returns the query of a request. Unlike Fastify's parser, it treats repeated keys as the APIs do. */
export function queryOf(request: FastifyRequest): URLSearchParams {
  const at = request.url.indexOf('?');
  return new URLSearchParams(at < 0 ? '' : request.url.slice(at + 1));
}

/** Returns the fields of a form body; empty without a body. */
export function formOf(request: FastifyRequest): URLSearchParams {
  return request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
}

/** Returns the token of an Authorization header with one of the schemes, ignoring case. */
export function tokenFrom(request: FastifyRequest, schemes: readonly string[]): string | undefined {
  const [scheme, token] = (request.headers.authorization ?? '').split(/\s+/, 2);
  return token && schemes.includes((scheme ?? '').toLowerCase()) ? token : undefined;
}
