import { readChallenge } from '../oauth/pkce.ts';
import { isAllowedRedirect } from '../oauth/redirect-address.ts';
import { canonicalScopes, unknownScopes } from './google-scopes.ts';
import type { AuthorizationRequest, GoogleService } from './google-service.ts';

/** A rejected request. It is shown on a page, because the redirect address or the client cannot be trusted. */
export interface Refusal {
  status: number;
  error: string;
  detail: string;
}

/** Checks an authorisation request like Google; returns a refusal where Google shows an error page. */
export function readAuthorizationRequest(
  google: GoogleService,
  query: URLSearchParams,
): AuthorizationRequest | Refusal {
  const { settings } = google.context;
  if (query.get('client_id') !== settings.clients.google.id) {
    return { status: 401, error: 'invalid_client', detail: 'The OAuth client was not found.' };
  }
  const redirectUri = query.get('redirect_uri');
  if (!isAllowedRedirect(redirectUri, settings.base())) {
    return {
      status: 400,
      error: 'redirect_uri_mismatch',
      detail: `The address ${redirectUri ?? '(none)'} is not allowed for this client.`,
    };
  }
  if (query.get('response_type') !== 'code') return invalid('response_type must be "code".');
  const scopes = canonicalScopes(query.get('scope'));
  if (scopes.length === 0) return invalid('Missing required parameter: scope');
  const unknown = unknownScopes(scopes);
  if (unknown.length > 0) {
    return {
      status: 400,
      error: 'invalid_scope',
      detail: `Some requested scopes were invalid: ${unknown.join(', ')}`,
    };
  }
  const challenge = readChallenge(query);
  if (challenge === 'invalid') return invalid('The code challenge is malformed.');
  return {
    redirectUri,
    scopes,
    challenge,
    state: query.get('state') ?? undefined,
    nonce: query.get('nonce') ?? undefined,
    offline: query.get('access_type') === 'offline',
    prompt: (query.get('prompt') ?? '').split(' ').filter((value) => value !== ''),
    includeGranted: query.get('include_granted_scopes') === 'true',
    loginHint: query.get('login_hint') ?? undefined,
  };
}

function invalid(detail: string): Refusal {
  return { status: 400, error: 'invalid_request', detail };
}
