import type { FastifyRequest } from 'fastify';
import { type DueFaults, NOTHING_DUE } from '../faults/fault-injector.ts';

/** A request on its way through an api of the sandbox. */
export interface Call {
  faults: DueFaults;
  /** The account whose token came along, by e-mail address or login. */
  account: string | undefined;
}

const calls = new WeakMap<FastifyRequest, Call>();

/** Ties what the carrier found out to the request. */
export function openCall(request: FastifyRequest, call: Call): void {
  calls.set(request, call);
}

/** What the carrier found out about the request. */
export function callOf(request: FastifyRequest): Call {
  return calls.get(request) ?? { faults: NOTHING_DUE, account: undefined };
}

/** The query of a request; Fastify's own parser folds repeated keys differently from what the APIs do. */
export function queryOf(request: FastifyRequest): URLSearchParams {
  const at = request.url.indexOf('?');
  return new URLSearchParams(at < 0 ? '' : request.url.slice(at + 1));
}

/** The fields of a form body, empty when there was none. */
export function formOf(request: FastifyRequest): URLSearchParams {
  return request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
}

/** The token of an Authorization header with one of the schemes, without regard to case. */
export function tokenFrom(request: FastifyRequest, schemes: readonly string[]): string | undefined {
  const [scheme, token] = (request.headers.authorization ?? '').split(/\s+/, 2);
  return token && schemes.includes((scheme ?? '').toLowerCase()) ? token : undefined;
}
