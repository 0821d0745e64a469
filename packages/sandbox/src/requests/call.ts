import type { FastifyRequest } from 'fastify';
import { type DueFaults, NOTHING_DUE } from '../faults/fault-injector.ts';

/** A request to an API of the sandbox. */
export interface Call {
  faults: DueFaults;
  /** The account of the token, by e-mail address or login. */
  account: string | undefined;
}

const calls = new WeakMap<FastifyRequest, Call>();

/** Attaches call information to the request. */
export function openCall(request: FastifyRequest, call: Call): void {
  calls.set(request, call);
}

/** Returns the call information of a request. */
export function callOf(request: FastifyRequest): Call {
  return calls.get(request) ?? { faults: NOTHING_DUE, account: undefined };
}

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
