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
import { holdsTooMuch } from './body-shape.ts';
import { limitByCaller } from './caller.ts';
import { errorHandler } from './error-mapper.ts';
import { limitPipelining } from './pipelined-requests.ts';
import { refuseUnstorableText } from './storable-text.ts';
import { closeUnreadAnswers } from './unread-answers.ts';
import { refuseUnreadable } from './unreadable.ts';
import { validatorCompiler } from './validation.ts';

const BODY_LIMIT = 1024 * 1024;
/** A request that has not come as a whole by then is given up: who sends a byte a minute must not hold a connection. */
const REQUEST_MS = 60_000;

/** The headers that keep provider content from ever being run: own scripts only, no framing, no referrer. */
const SECURITY = {
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

/** Headers of an answer that no browser has anything to show of. */
const NOTHING_TO_SHOW = {
  'content-security-policy': "default-src 'none'",
  'x-content-type-options': 'nosniff',
};

const nonces = new WeakMap<object, string>();

/** The nonce that lets the page's own style elements in, one for each response (libraries insert such elements). */
export function styleNonce(response: object): string {
  const nonce = nonces.get(response) ?? randomBytes(16).toString('base64');
  nonces.set(response, nonce);
  return nonce;
}

/**
 * Parses bodies of JSON. Clients that name JSON with every call send no body where none is meant; where one is, the schema
 * misses it. A body with more values than any request needs is refused unparsed.
 */
function parseBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null);
    else if (holdsTooMuch(body))
      done(new AppError('payload-too-large', 'The request holds too many values, or nests them too deeply.'));
    else parse(request, body, done);
  });
}

/**
 * Warns once of a forwarded address that is not believed: behind a proxy that TRUSTED_PROXIES does not name, all users
 * count as one address.
 */
function warnOfUnknownProxy(app: FastifyInstance, { context }: Product): void {
  let isSilent = context.config.trustedProxies.length > 0;
  app.addHook('onRequest', async (request) => {
    if (isSilent || request.headers['x-forwarded-for'] === undefined) return;
    isSilent = true;
    context.log.warn(
      'A request carries X-Forwarded-For, which is ignored. If a reverse proxy sends it, name the proxy in TRUSTED_PROXIES: until then limits by address count all its users as one.',
    );
  });
}

/** An HTTP server with everything around the routes: parsing, security headers, limits, errors, logs, metrics, OpenAPI. */
export async function createHttpServer(product: Product): Promise<FastifyInstance> {
  const { context } = product;
  const onError = errorHandler(() => product.isDiskFull());
  const app = fastify({
    loggerInstance: context.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT,
    forceCloseConnections: true,
    trustProxy: [...context.config.trustedProxies],
    requestTimeout: REQUEST_MS,
    routerOptions: { maxParamLength: 300 },
    // What fails before a route is found (an address that cannot be read) is told as everything else is; no hook has run.
    frameworkErrors: (error, request, reply) => {
      reply.headers(NOTHING_TO_SHOW);
      onError(error, request, reply);
    },
    clientErrorHandler: refuseUnreadable,
  });
  closeUnreadAnswers(app.server);
  limitPipelining(app.server);
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.setErrorHandler(onError);
  parseBodies(app);
  await app.register(cookie);
  await app.register(helmet, SECURITY);
  await app.register(rateLimit, {
    global: false,
    keyGenerator: limitByCaller,
    errorResponseBuilder: (_request, { ttl }) =>
      new AppError('rate-limited', 'Too many requests. Wait a little, then try again.', {
        retryAfter: Math.ceil(ttl / 1000),
      }),
  });
  // Its types describe a default export below the one that Node gives.
  await app.register(sse as unknown as typeof fastifySSE, { heartbeatInterval: 20_000 });
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Datadeck', version: product.version },
      components: { securitySchemes: { session: { type: 'http', scheme: 'bearer' } } },
    },
    // The contract's calls alone: navigations, files and the sandbox describe themselves elsewhere.
    transform: (input) =>
      input.schema?.summary === undefined
        ? { schema: { ...input.schema, hide: true }, url: input.url }
        : jsonSchemaTransform(input),
  });
  // Whatever is somebody's own: no proxy may keep it, and no browser. Files say themselves how long they hold.
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
  });
  warnOfUnknownProxy(app, product);
  app.addHook('preHandler', refuseUnstorableText);
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown';
    const seconds = reply.elapsedTime / 1000;
    context.metrics.requests.observe(
      { method: request.method, route, status: String(reply.statusCode) },
      seconds,
    );
    const line = {
      method: request.method,
      url: redactText(request.url),
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
    };
    request.log.debug(line, 'request');
  });
  return app;
}
