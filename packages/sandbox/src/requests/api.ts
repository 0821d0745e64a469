import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** The APIs of the sandbox. */
export type Api = 'google' | 'gmail' | 'microsoft' | 'github-oauth' | 'github';

/** The behaviour in which the APIs differ. */
export interface ApiScope {
  api: Api;
  /** Returns the account of the request's token; undefined without a valid token. */
  identify(request: FastifyRequest): string | undefined;
  /** Counts the request as in flight, before any latency. @throws when there are too many */
  acquire?(request: FastifyRequest, reply: FastifyReply): void;
  /** Returns an error body in the API's format. */
  errorBody(status: number, message: string): unknown;
  /** Sends errors of the API's own kind; returns undefined to fall back to `errorBody`. */
  answerError?(error: unknown, reply: FastifyReply): FastifyReply | undefined;
}

/** What a package for tests adds to the requests of the sandbox. The product adds nothing. */
export interface SandboxHooks {
  /** Called for each API before its routes are registered; may add hooks of Fastify to its scope. */
  openScope?(scope: FastifyInstance, api: ApiScope): void;
  /** Called when Gmail or GitHub knows the caller, before the request uses quota. @throws an error of the API to refuse it */
  admitted?(api: 'gmail' | 'github', request: FastifyRequest): void;
  /** Called with the quota units that a request has used. */
  charged?(api: Api, account: string, units: number): void;
}
