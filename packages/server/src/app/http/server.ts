import { randomBytes } from 'node:crypto';
import cookie from '@fastify/cookie';
import helmet from '@fastify/helmet';
import rateLimit from '@fastify/rate-limit';
import sse, { type fastifySSE } from '@fastify/sse';
import swagger from '@fastify/swagger';
import { type FastifyBaseLogger, type FastifyInstance, fastify, LogController } from 'fastify';
import { jsonSchemaTransform, serializerCompiler } from 'fastify-type-provider-zod';
import { AppError } from '../../platform/app-error.ts';
import { redactText } from '../../platform/log.ts';
import type { Product } from '../product.ts';
import { refuseOtherHosts } from './allowed-hosts.ts';
import { exceedsLimits } from './body-shape.ts';
import { limitByCaller } from './caller.ts';
import { errorHandler } from './error-mapper.ts';
import { rejectMalformed } from './malformed-request.ts';
import { limitPipelining } from './pipelined-requests.ts';
import { traceRequests } from './request-spans.ts';
import { rejectUnstorableText } from './storable-text.ts';
import { closeUnreadResponses } from './unread-responses.ts';
import { validatorCompiler } from './validation.ts';

const BODY_LIMIT = 1024 * 1024;
/** The paths of version 1 of the API are those of the specification, which have no version. */
const VERSIONED = /^\/api\/v1(?=\/)/;
/** Timeout for receiving a whole request, so that slow senders do not hold connections. */
const REQUEST_TIMEOUT_MS = 60_000;

/** Security headers that prevent provider content from being executed: own scripts only, no framing, no referrer. */
const SECURITY_HEADERS = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'self'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'", (_request: unknown, response: object) => `'nonce-${styleNonce(response)}'`],
      imgSrc: ["'self'", 'data:'],
      fontSrc: ["'self'"],
      connectSrc: ["'self'"],
      workerSrc: ["'self'"],
      objectSrc: ["'none'"],
      baseUri: ["'none'"],
      formAction: ["'self'"],
      frameAncestors: ["'none'"],
    },
  },
  referrerPolicy: { policy: 'no-referrer' as const },
  crossOriginEmbedderPolicy: false,
  hsts: false,
};

/** Headers of a response that a browser never renders. */
const NO_CONTENT_HEADERS = {
  'content-security-policy': "default-src 'none'",
  'x-content-type-options': 'nosniff',
};

const nonces = new WeakMap<object, string>();

/** Returns the nonce for the page's own style elements, one per response (libraries insert such elements). */
export function styleNonce(response: object): string {
  const nonce = nonces.get(response) ?? randomBytes(16).toString('base64');
  nonces.set(response, nonce);
  return nonce;
}

/**
 * Parses JSON bodies. An empty body counts as absent, because some clients always send the content type. A body with
 * too many values is rejected without parsing it.
 */
function parseBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null);
    else if (exceedsLimits(body))
      done(new AppError('payload-too-large', 'The request holds too many values, or nests them too deeply.'));
    else parse(request, body, done);
  });
}

/**
 * Warns once about an ignored X-Forwarded-For header while TRUSTED_PROXIES is empty: behind a proxy, all users then
 * share one address.
 */
function warnAboutUnknownProxy(app: FastifyInstance, { context }: Product): void {
  let isDone = context.config.trustedProxies.length > 0;
  app.addHook('onRequest', async (request) => {
    if (isDone || request.headers['x-forwarded-for'] === undefined) return;
    isDone = true;
    context.log.warn(
      'A request carries X-Forwarded-For, which is ignored. If a reverse proxy sends it, name the proxy in TRUSTED_PROXIES: until then, rate limits by address count all its users as one.',
    );
  });
}

/** Creates the framework's server with its limits and the handlers of errors before routing. */
function createApp({ context }: Product, onError: ReturnType<typeof errorHandler>): FastifyInstance {
  const app = fastify({
    loggerInstance: context.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT,
    forceCloseConnections: true,
    trustProxy: [...context.config.trustedProxies],
    requestTimeout: REQUEST_TIMEOUT_MS,
    routerOptions: { maxParamLength: 300 },
    rewriteUrl: ({ url = '/' }) => url.replace(VERSIONED, '/api'),
    // Errors before routing (such as an unreadable URL) get the same response format; no hook has run yet.
    frameworkErrors: (error, request, reply) => {
      reply.headers(NO_CONTENT_HEADERS);
      onError(error, request, reply);
    },
    clientErrorHandler: rejectMalformed,
  });
  closeUnreadResponses(app.server);
  limitPipelining(app.server);
  return app;
}

/** Lets routes limit the requests of each caller. */
async function registerRateLimit(app: FastifyInstance): Promise<void> {
  await app.register(rateLimit, {
    global: false,
    keyGenerator: limitByCaller,
    errorResponseBuilder: (_request, { ttl }) =>
      new AppError('rate-limited', 'Too many requests. Wait a little, then try again.', {
        retryAfter: Math.ceil(ttl / 1000),
      }),
  });
}

/** Describes the contract's endpoints as OpenAPI. Navigations, files and the sandbox are documented elsewhere. */
async function registerOpenApi(app: FastifyInstance, { version }: Product): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Datadeck', version },
      components: {
        securitySchemes: {
          session: { type: 'http', scheme: 'bearer', description: 'The token of a session' },
          share: {
            type: 'http',
            scheme: 'bearer',
            description: 'A share session, dds_…, which lasts an hour',
          },
          token: { type: 'http', scheme: 'bearer', description: 'An API token, ddt_…' },
        },
      },
    },
    transform: (input) =>
      input.schema?.summary === undefined
        ? { schema: { ...input.schema, hide: true }, url: input.url }
        : jsonSchemaTransform(input),
  });
}

/** Forbids proxies and browsers to cache user data. Static files override this. */
function forbidCaching(app: FastifyInstance): void {
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
  });
}

/** Methods with a label of their own. Anybody can send others. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Measures and logs each request. */
function recordRequests(app: FastifyInstance, { context }: Product): void {
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown';
    const seconds = reply.elapsedTime / 1000;
    const method = METHODS.has(request.method) ? request.method : 'other';
    const status = `${Math.floor(reply.statusCode / 100)}xx`;
    context.metrics.requests.observe({ method, route, status }, seconds);
    const line = {
      method: request.method,
      url: redactText(request.url),
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
    };
    request.log.debug(line, 'request');
  });
}

/**
 * Creates the HTTP server with everything except routes: parsing, security headers, limits, errors, logs, metrics,
 * OpenAPI.
 */
export async function createHttpServer(product: Product): Promise<FastifyInstance> {
  const onError = errorHandler(() => product.isDiskFull());
  const app = createApp(product, onError);
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.setErrorHandler(onError);
  refuseOtherHosts(app, product);
  parseBodies(app);
  await app.register(cookie);
  await app.register(helmet, SECURITY_HEADERS);
  await registerRateLimit(app);
  // The package's types describe the default export one level too deep.
  await app.register(sse as unknown as typeof fastifySSE, { heartbeatInterval: 20_000 });
  await registerOpenApi(app, product);
  forbidCaching(app);
  warnAboutUnknownProxy(app, product);
  app.addHook('preHandler', rejectUnstorableText);
  recordRequests(app, product);
  traceRequests(app);
  return app;
}
