import type { FastifyInstance } from 'fastify';
import { openApiScope } from '../requests/api-scope.ts';
import { registerAuthorization } from './authorization-routes.ts';
import { registerDiscovery } from './discovery-routes.ts';
import type { GoogleService } from './google-service.ts';
import { registerTokenEndpoints } from './token-routes.ts';

/** Registers the simulated OpenID provider of Google. */
export async function registerGoogle(scope: FastifyInstance, google: GoogleService): Promise<void> {
  openApiScope(scope, google.context, {
    api: 'google',
    identify: () => undefined,
    errorBody: (status, message) => ({
      error: status < 500 ? 'invalid_request' : 'backend_error',
      error_description: message,
    }),
  });
  registerDiscovery(scope, google);
  registerAuthorization(scope, google);
  registerTokenEndpoints(scope, google);
}
