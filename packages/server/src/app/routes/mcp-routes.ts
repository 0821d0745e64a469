import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../platform/app-error.ts';
import { setCaller } from '../http/caller.ts';
import { disconnectSignal } from '../http/client-disconnect.ts';
import { tokenOf } from '../http/session.ts';
import { callLog, findTokenUser, grantOf } from '../http/token-caller.ts';
import type { CallApi } from '../mcp/assistant-server.ts';
import type { Product } from '../product.ts';

const PATH = '/mcp';
/** Rate limit of a token's messages; the calls of the API that they cause have limits of their own. */
const LIMIT = { max: 600, timeWindow: 60_000 };

/** Calls the API within this process, with the token of `request`. Calls end when their caller has left. */
function apiOf(app: FastifyInstance, request: FastifyRequest, reply: FastifyReply): CallApi {
  const authorization = `Bearer ${tokenOf(request)}`;
  const signal = disconnectSignal(reply);
  return async ({ method, path, body }) => {
    const headers = { authorization, ...(body !== undefined && { 'content-type': 'application/json' }) };
    const payload = body === undefined ? {} : { payload: JSON.stringify(body) };
    const answer = await app.inject({ method, url: path, headers, signal, ...payload });
    return { status: answer.statusCode, body: answer.json() };
  };
}

/** Answers one message of a client. Each is answered by itself: no session is kept. */
async function answer(
  app: FastifyInstance,
  { version }: Product,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Response> {
  const grant = grantOf(request);
  if (!grant) throw new AppError('unauthenticated', 'An assistant needs a valid API token.');
  // Loaded with the first message: most servers have no assistants.
  const { WebStandardStreamableHTTPServerTransport } = await import(
    '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
  );
  const { createAssistantServer } = await import('../mcp/assistant-server.ts');
  const server = createAssistantServer(version, grant, apiOf(app, request, reply));
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  try {
    await server.connect(transport);
    const { accept = '', 'mcp-protocol-version': protocol } = request.headers;
    const headers = { accept, 'content-type': 'application/json' };
    return await transport.handleRequest(
      new Request(`http://localhost${PATH}`, {
        method: 'POST',
        headers: typeof protocol === 'string' ? { ...headers, 'mcp-protocol-version': protocol } : headers,
      }),
      { parsedBody: request.body },
    );
  } finally {
    await server.close();
  }
}

/** Registers the MCP server: streamable HTTP without sessions, by API token only. */
export function registerMcpRoutes(app: FastifyInstance, product: Product): void {
  const hidden = { schema: { hide: true } };
  const log = callLog(product, PATH);
  app.route({
    ...hidden,
    method: 'POST',
    url: PATH,
    config: { rateLimit: LIMIT },
    onRequest: async (request, reply) => {
      log.watch(request, reply);
      const user = await findTokenUser(product, request);
      if (user) setCaller(request, user, { tokenId: grantOf(request)?.id });
    },
    // Before the body is read.
    preParsing: async (request, reply) => {
      if (grantOf(request)) return;
      reply.header('www-authenticate', 'Bearer');
      throw new AppError(
        'unauthenticated',
        'An assistant needs a valid API token, as Authorization: Bearer.',
      );
    },
    onResponse: log.onResponse,
    handler: async (request, reply) => {
      const response = await answer(app, product, request, reply);
      reply.code(response.status);
      const type = response.headers.get('content-type');
      if (type !== null) reply.type(type);
      return reply.serializer(String).send(await response.text());
    },
  });
  // No stream from the server, and no session to end.
  app.route({
    ...hidden,
    method: ['GET', 'DELETE'],
    url: PATH,
    handler: async (_request, reply) => reply.code(405).header('allow', 'POST').send(),
  });
}
