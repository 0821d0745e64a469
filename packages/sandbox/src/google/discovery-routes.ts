import type { FastifyInstance } from 'fastify';
import type { GoogleService } from './google-service.ts';

/** Registers the discovery document and the key set; the paths below the issuer are those of Google's hosts. */
export function registerDiscovery(scope: FastifyInstance, google: GoogleService): void {
  scope.get('/.well-known/openid-configuration', async () => {
    const { issuer } = google;
    return {
      issuer,
      authorization_endpoint: `${issuer}/o/oauth2/v2/auth`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/v1/userinfo`,
      revocation_endpoint: `${issuer}/revoke`,
      jwks_uri: `${issuer}/oauth2/v3/certs`,
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      scopes_supported: ['openid', 'email', 'profile'],
      token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
      claims_supported: [
        'aud',
        'email',
        'email_verified',
        'exp',
        'family_name',
        'given_name',
        'iat',
        'iss',
        'name',
        'picture',
        'sub',
      ],
      code_challenge_methods_supported: ['plain', 'S256'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
    };
  });

  scope.get('/oauth2/v3/certs', async (_request, reply) => {
    reply.header('cache-control', 'public, max-age=300, must-revalidate');
    return google.keys.published();
  });
}
