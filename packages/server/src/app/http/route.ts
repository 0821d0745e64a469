import {
  ENDPOINTS,
  type Endpoint,
  type EndpointName,
  errorBodySchema,
  TOKEN_ACCESS,
} from '@datadeck/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import type { z } from 'zod';
import type { User } from '../../features/accounts/index.ts';
import { withFairQueue } from '../../platform/fair-queue.ts';
import type { Product } from '../product.ts';
import { callerOf, fairQueueOf, setCaller } from './caller.ts';
import { requireAccess, userOf } from './session.ts';
import { requireShare } from './share-caller.ts';
import { callLog, checkTokenAccess, findTokenUser, grantOf } from './token-caller.ts';

type Part<E, K extends string> = E extends { [P in K]: infer S extends z.ZodType } ? z.output<S> : undefined;
type Response<E> = E extends { response: infer S extends z.ZodType } ? z.input<S> : unknown;

/** The arguments of a handler: the parsed parts of the request, and the user. */
export interface Call<E extends Endpoint> {
  user: E['access'] extends 'none' | 'share' ? undefined : User;
  params: Part<E, 'params'>;
  query: Part<E, 'query'>;
  body: Part<E, 'body'>;
  request: FastifyRequest;
  reply: FastifyReply;
}

/** The response of an endpoint that returns no data. */
export const OK = { ok: true as const };

/** A response body that is already JSON text. It is sent unchanged. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type Handler<E extends Endpoint> = (call: Call<E>) => Promise<Response<E> | JsonText>;

/** Returns who may call an endpoint, as OpenAPI: a session, or also a token whose scope suffices. */
function securityOf(
  name: EndpointName,
): Pick<NonNullable<RouteOptions['schema']>, 'security' | 'description'> {
  const access = TOKEN_ACCESS[name];
  const { access: kind } = ENDPOINTS[name];
  if (kind === 'none') return { security: [] };
  if (kind === 'share') return { security: [{ share: [] }] };
  if (access === 'open' || access === 'session') return { security: [{ session: [] }] };
  return {
    security: [{ session: [] }, { token: [] }],
    description: `Least scope of an API token: \`${access}\`.`,
  };
}

function schemaOf(name: EndpointName): NonNullable<RouteOptions['schema']> {
  const endpoint: Endpoint = ENDPOINTS[name];
  const status = endpoint.status ?? 200;
  return {
    summary: endpoint.summary,
    operationId: name,
    ...securityOf(name),
    ...(endpoint.params ? { params: endpoint.params } : {}),
    ...(endpoint.query ? { querystring: endpoint.query } : {}),
    ...(endpoint.body ? { body: endpoint.body } : {}),
    ...(endpoint.response ? { response: { [status]: endpoint.response, default: errorBodySchema } } : {}),
  };
}

/** Rate limit of writes and logins per endpoint, and per user, token or network. */
const WRITE_LIMIT = { max: 300, timeWindow: 60_000 };

/**
 * Registers an endpoint of the contract. Path, schemas and access come from the contract.
 * @param options additional Fastify options (such as `sse`)
 */
export function route<N extends EndpointName>(
  app: FastifyInstance,
  product: Product,
  name: N,
  handler: Handler<(typeof ENDPOINTS)[N]>,
  options: Partial<RouteOptions> = {},
): void {
  const endpoint: Endpoint = ENDPOINTS[name];
  const log = callLog(product, endpoint.path);
  const checkAccess = (request: FastifyRequest): void => {
    checkTokenAccess(request, name);
    if (endpoint.access !== 'none' && endpoint.access !== 'share')
      requireAccess(callerOf(request), endpoint.access);
  };
  app.route({
    method: endpoint.method,
    url: endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    schema: schemaOf(name),
    config: endpoint.method === 'GET' ? {} : { rateLimit: WRITE_LIMIT },
    // Before the rate limits: they count per caller, and a refused call of a token must not use them up.
    onRequest: async (request, reply) => {
      if (endpoint.access === 'none') return;
      log.watch(request, reply);
      const tokenUser = await findTokenUser(product, request, name);
      if (endpoint.access === 'share') {
        checkTokenAccess(request, name);
        await requireShare(product, request, name);
        return;
      }
      const user = tokenUser ?? (await userOf(product, request));
      if (!user) return;
      setCaller(request, user, { tokenId: grantOf(request)?.id });
      checkAccess(request);
    },
    // Before the body is read: a caller without access causes no work and learns nothing about its schema.
    preParsing: async (request) => checkAccess(request),
    onResponse: log.onResponse,
    handler: async (request, reply) => {
      const { params, query, body } = request;
      reply.code(endpoint.status ?? 200);
      const call = { user: callerOf(request), params, query, body, request, reply };
      const answer = await withFairQueue(fairQueueOf(request), () =>
        handler(call as unknown as Call<(typeof ENDPOINTS)[N]>),
      );
      if (!(answer instanceof JsonText)) return answer;
      return reply.type('application/json; charset=utf-8').serializer(String).send(answer.text);
    },
    ...options,
  });
}
