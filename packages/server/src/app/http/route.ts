import { ENDPOINTS, type Endpoint, type EndpointName, errorBodySchema } from '@datadeck/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import type { z } from 'zod';
import type { User } from '../../features/accounts/index.ts';
import { DEMO_SHARE, withShare } from '../../platform/share.ts';
import type { Product } from '../product.ts';
import { callerOf, setCaller } from './caller.ts';
import { requireAccess, userOf } from './session.ts';

type Part<E, K extends string> = E extends { [P in K]: infer S extends z.ZodType } ? z.output<S> : undefined;
type Response<E> = E extends { response: infer S extends z.ZodType } ? z.input<S> : unknown;

/** What a handler gets: the parsed parts of the request, and the user. */
export interface Call<E extends Endpoint> {
  user: E['access'] extends 'none' ? undefined : User;
  params: Part<E, 'params'>;
  query: Part<E, 'query'>;
  body: Part<E, 'body'>;
  request: FastifyRequest;
  reply: FastifyReply;
}

/** The answer of an endpoint that returns no data. */
export const OK = { ok: true as const };

/** An answer that is JSON already; it goes out as it is. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type Handler<E extends Endpoint> = (call: Call<E>) => Promise<Response<E> | JsonText>;

function schemaOf(endpoint: Endpoint): NonNullable<RouteOptions['schema']> {
  const status = endpoint.status ?? 200;
  return {
    summary: endpoint.summary,
    security: endpoint.access === 'none' ? [] : [{ session: [] }],
    ...(endpoint.params ? { params: endpoint.params } : {}),
    ...(endpoint.query ? { querystring: endpoint.query } : {}),
    ...(endpoint.body ? { body: endpoint.body } : {}),
    ...(endpoint.response ? { response: { [status]: endpoint.response, default: errorBodySchema } } : {}),
  };
}

/** Demo users, and callers before they sign in, have one share together. */
function shareOf(user: User | undefined): string {
  return user === undefined || user.plan === 'demo' ? DEMO_SHARE : user.id;
}

/** Limits of writes and logins, by user or address. */
const WRITE_LIMIT = { max: 300, timeWindow: 60_000 };

/**
 * Registers an endpoint of the contract: path, schemas, access and limits come from there, only the handler from here.
 * @param options what Fastify takes beside (such as `sse`)
 */
export function route<N extends EndpointName>(
  app: FastifyInstance,
  product: Product,
  name: N,
  handler: Handler<(typeof ENDPOINTS)[N]>,
  options: Partial<RouteOptions> = {},
): void {
  const endpoint: Endpoint = ENDPOINTS[name];
  app.route({
    method: endpoint.method,
    url: endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    schema: schemaOf(endpoint),
    config: endpoint.method === 'GET' ? {} : { rateLimit: WRITE_LIMIT },
    // Before the limits, which count by user.
    onRequest: async (request) => {
      const user = endpoint.access === 'none' ? undefined : await userOf(product, request);
      if (user) setCaller(request, user);
    },
    // Before the body is read: a caller who may not call learns nothing about its shape, and costs nothing.
    preParsing: async (request) => {
      if (endpoint.access !== 'none') requireAccess(callerOf(request), endpoint.access);
    },
    handler: async (request, reply) => {
      const { params, query, body } = request;
      reply.code(endpoint.status ?? 200);
      const call = { user: callerOf(request), params, query, body, request, reply };
      const answer = await withShare(shareOf(call.user), () =>
        handler(call as unknown as Call<(typeof ENDPOINTS)[N]>),
      );
      if (!(answer instanceof JsonText)) return answer;
      return reply.type('application/json; charset=utf-8').serializer(String).send(answer.text);
    },
    ...options,
  });
}
