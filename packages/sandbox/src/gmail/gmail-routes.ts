import type { FastifyInstance } from 'fastify';
import { openApiScope } from '../requests/api-scope.ts';
import { queryOf } from '../requests/call.ts';
import { registerBatch } from './batch-routes.ts';
import { selectFields } from './fields-mask.ts';
import { GmailError, googleErrorBody } from './gmail-error.ts';
import { countInFlight } from './gmail-guard.ts';
import type { GmailService } from './gmail-service.ts';
import { registerHistory } from './history-routes.ts';
import { registerLabelsAndProfile } from './mailbox-routes.ts';
import { registerMessages } from './message-routes.ts';
import { registerThreads } from './thread-routes.ts';

/** Registers the simulated Gmail API. `scope` corresponds to /gmail on the real host. */
export async function registerGmail(scope: FastifyInstance, gmail: GmailService): Promise<void> {
  scope.addHook('onRequest', async (_request, reply) => {
    reply.headers({
      'cache-control': 'private',
      vary: 'Origin, X-Origin, Referer',
      'x-content-type-options': 'nosniff',
    });
  });
  openApiScope(scope, gmail.context, {
    api: 'gmail',
    identify: (request) => gmail.callerOf(request)?.email,
    acquire: (request, reply) => countInFlight(gmail, request, reply),
    errorBody: googleErrorBody,
    answerError(error, reply) {
      if (!(error instanceof GmailError)) return undefined;
      const body = googleErrorBody(error.statusCode, error.message, error.reason);
      return reply.code(error.statusCode).headers(error.headers).send(body);
    },
  });
  scope.addHook('preSerialization', async (request, _reply, payload: unknown) => {
    const mask = queryOf(request).get('fields');
    const isError = typeof payload === 'object' && payload !== null && 'error' in payload;
    return mask === null || isError ? payload : selectFields(payload, mask);
  });
  registerLabelsAndProfile(scope, gmail);
  registerMessages(scope, gmail);
  registerThreads(scope, gmail);
  registerHistory(scope, gmail);
  registerBatch(scope);
}
