import * as oauth from 'openid-client';
import type { Credentials } from './authorization.ts';
import { ProviderError } from './provider-error.ts';

/** The OAuth client registered at a provider. */
export interface OAuthClient {
  id: string;
  secret: string;
}

/** Converts a token endpoint response to credentials. @param before earlier ones, for values that are not sent again */
export function credentialsOf(answer: oauth.TokenEndpointResponse, before?: Credentials): Credentials {
  const refreshToken = answer.refresh_token ?? before?.refreshToken;
  const scopes =
    answer.scope === undefined ? (before?.scopes ?? []) : answer.scope.split(/[\s,]+/).filter(Boolean);
  return {
    accessToken: answer.access_token,
    ...(refreshToken === undefined ? {} : { refreshToken }),
    ...(answer.expires_in === undefined ? {} : { expiresAt: Date.now() + answer.expires_in * 1000 }),
    scopes,
  };
}

/** Allows plain http if the configured address uses it, as loopback emulators do. */
export function allowPlainHttp(configuration: oauth.Configuration, address: string): void {
  if (address.startsWith('http:')) oauth.allowInsecureRequests(configuration);
}

/** Token endpoint errors (RFC 6749 and GitHub's own) caused by a wrong client configuration. */
const CLIENT_ERRORS = new Set([
  'invalid_client',
  'unauthorized_client',
  'incorrect_client_credentials',
  'redirect_uri_mismatch',
]);
const TEMPORARY_ERRORS = new Set(['server_error', 'temporarily_unavailable']);

function translateErrorResponse(error: oauth.ResponseBodyError, title: string): ProviderError {
  const cause = { cause: error };
  if (error.status >= 500 || error.status === 429 || TEMPORARY_ERRORS.has(error.error))
    return new ProviderError('unavailable', `${title} is failing (${error.error}). Try again later.`, cause);
  if (CLIENT_ERRORS.has(error.error)) {
    const message = `${title} does not know this Datadeck (${error.error}). Check its client id and secret.`;
    return new ProviderError('invalid', message, cause);
  }
  const message = `${title} refused the authorisation (${error.error}). Try again.`;
  return new ProviderError('reauthorise', message, cause);
}

/** Returns the status of a response that openid-client could not read; undefined if there was none. */
function statusBehind(error: oauth.ClientError): number | undefined {
  return error.cause instanceof Response ? error.cause.status : undefined;
}

const UNREADABLE_RESPONSE_CODES = new Set(['OAUTH_PARSE_ERROR', 'OAUTH_TIMEOUT', 'OAUTH_ABORT']);

/** Converts an error of openid-client to a ProviderError. */
export function translateOAuthError(error: unknown, title: string): ProviderError {
  if (error instanceof ProviderError) return error;
  if (error instanceof oauth.ClientError && error.cause instanceof ProviderError) return error.cause;
  const cause = { cause: error };
  if (error instanceof oauth.AuthorizationResponseError) {
    if (TEMPORARY_ERRORS.has(error.error))
      return new ProviderError(
        'unavailable',
        `${title} is failing (${error.error}). Try again later.`,
        cause,
      );
    return new ProviderError('forbidden', `${title} did not grant access (${error.error}).`, cause);
  }
  if (error instanceof oauth.ResponseBodyError) return translateErrorResponse(error, title);
  if (error instanceof oauth.ClientError && !UNREADABLE_RESPONSE_CODES.has(error.code ?? '')) {
    const status = statusBehind(error);
    if (status !== undefined && (status >= 500 || status === 429))
      return new ProviderError(
        'unavailable',
        `${title} is failing (status ${status}). Try again later.`,
        cause,
      );
    const message = `${title} sent an answer that cannot be trusted (${error.code ?? 'unknown'}).`;
    return new ProviderError('malformed', message, cause);
  }
  return new ProviderError('unavailable', `${title} could not be reached. Try again later.`, cause);
}

/**
 * Runs an OAuth call and converts its errors to ProviderError.
 * @param lapsed message for the user when the provider refuses the grant; default: that the provider refused
 */
export async function withOAuthErrors<T>(title: string, call: () => Promise<T>, lapsed?: string): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const translated = translateOAuthError(error, title);
    if (lapsed === undefined || translated.failure !== 'reauthorise') throw translated;
    throw new ProviderError('reauthorise', lapsed, { cause: error });
  }
}
