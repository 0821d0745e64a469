import type { FastifyInstance } from 'fastify';
import { openApiScope } from '../requests/api-scope.ts';
import { registerMicrosoftAuthorization } from './authorization-routes.ts';
import { refusalBody } from './microsoft-error.ts';
import type { MicrosoftService } from './microsoft-service.ts';
import { registerMicrosoftTokens } from './token-routes.ts';

/** Registers the simulated identity platform of Microsoft. */
export async function registerMicrosoft(scope: FastifyInstance, microsoft: MicrosoftService): Promise<void> {
  openApiScope(scope, microsoft.context, {
    api: 'microsoft',
    identify: () => undefined,
    errorBody: (status, text) =>
      refusalBody({
        error: status < 500 ? 'invalid_request' : 'server_error',
        code: status < 500 ? 900144 : 90033,
        text,
      }),
  });
  registerDiscovery(scope, microsoft);
  registerMicrosoftAuthorization(scope, microsoft);
  registerMicrosoftTokens(scope, microsoft);
}

function registerDiscovery(scope: FastifyInstance, microsoft: MicrosoftService): void {
  scope.get('/:tenant/v2.0/.well-known/openid-configuration', async (request, reply) => {
    const { tenant = '' } = request.params as { tenant?: string };
    const issuer = microsoft.issuerAt(tenant);
    const unknown = { error: 'invalid_tenant', code: 90002, text: `Tenant '${tenant}' not found.` };
    if (issuer === undefined) return reply.code(400).send(refusalBody(unknown));
    const base = `${microsoft.url}/${tenant}`;
    return {
      issuer,
      authorization_endpoint: `${base}/oauth2/v2.0/authorize`,
      token_endpoint: `${base}/oauth2/v2.0/token`,
      jwks_uri: `${base}/discovery/v2.0/keys`,
      response_types_supported: ['code', 'id_token', 'code id_token', 'id_token token'],
      response_modes_supported: ['query', 'fragment', 'form_post'],
      subject_types_supported: ['pairwise'],
      id_token_signing_alg_values_supported: ['RS256'],
      scopes_supported: ['openid', 'profile', 'email', 'offline_access'],
      token_endpoint_auth_methods_supported: ['client_secret_post', 'private_key_jwt', 'client_secret_basic'],
      claims_supported: [
        'sub',
        'iss',
        'aud',
        'exp',
        'iat',
        'nonce',
        'preferred_username',
        'name',
        'tid',
        'email',
      ],
    };
  });
  scope.get('/:tenant/discovery/v2.0/keys', async () => microsoft.keys.published());
}
