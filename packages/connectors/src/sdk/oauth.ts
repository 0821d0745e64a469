import * as oauth from 'openid-client';
import type { Credentials } from './authorization.ts';
import { ProviderError } from './provider-error.ts';

export interface OAuthClient {
  id: string;
  secret: string;
}

/** Tokens of an answer of the token endpoint, in our terms. */
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

/** Plain http is allowed for loopback stand-ins and emulators: whoever configures such an address means it. */
export function allowPlainHttp(configuration: oauth.Configuration, address: string): void {
  if (address.startsWith('http:')) oauth.allowInsecureRequests(configuration);
}

/** Translates what openid-client throws. */
export function translateOAuthError(error: unknown, title: string): ProviderError {
  if (error instanceof ProviderError) return error;
  if (error instanceof oauth.AuthorizationResponseError) {
    return new ProviderError('forbidden', `${title} did not grant access (${error.error}).`, {
      cause: error,
    });
  }
  if (error instanceof oauth.ResponseBodyError) {
    const failure = error.status >= 500 ? 'unavailable' : 'reauthorise';
    return new ProviderError(failure, `${title} refused the authorisation (${error.error}).`, {
      cause: error,
    });
  }
  if (error instanceof oauth.ClientError && error.code !== 'OAUTH_TIMEOUT') {
    return new ProviderError(
      'malformed',
      `${title} gave an answer that cannot be trusted (${error.code ?? 'unknown'}).`,
      { cause: error },
    );
  }
  return new ProviderError('unavailable', `${title} could not be reached. Try again later.`, {
    cause: error,
  });
}

/** Runs an OAuth call, translating its failures. */
export async function withOAuthErrors<T>(title: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw translateOAuthError(error, title);
  }
}
