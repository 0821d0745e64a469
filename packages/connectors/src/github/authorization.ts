import * as oauth from 'openid-client';
import { z } from 'zod';
import {
  type Authorization,
  type AuthorizationRequest,
  allowPlainHttp,
  type Credentials,
  credentialsOf,
  type Grant,
  type OAuthClient,
  ProviderError,
  withOAuthErrors,
} from '../sdk/index.ts';
import { fetchUser, identityOf } from './user.ts';

const TITLE = 'GitHub';
const TIMEOUT_SECONDS = 15;
const ACCESS_REVOKED = 'GitHub no longer accepts the access it granted. Connect GitHub again.';
/** The scope of private repositories. GitHub has none that only reads them. */
const PRIVATE_SCOPE = 'repo';
/** Prefix of the tokens of GitHub Apps, which have no scopes: their installation defines what they may read. */
const APP_TOKEN = 'ghu_';

const errorSchema = z.object({ error: z.string() });

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Changes the status of GitHub's token errors from 200 to 400, which OAuth requires. */
const fetchWithStatus: oauth.CustomFetch = async (url, options) => {
  const response = await fetch(url, options as RequestInit);
  if (response.status !== 200 || !response.headers.get('content-type')?.includes('json')) return response;
  const text = await response.text();
  const status = errorSchema.safeParse(parseJson(text)).success ? 400 : 200;
  return new Response(text, { status, headers: { 'content-type': 'application/json' } });
};

/** GitHub's OAuth (OAuth apps and GitHub Apps), on github.com or an Enterprise server. */
export class GithubAuthorization implements Authorization {
  readonly access = [
    {
      value: 'private',
      scope: PRIVATE_SCOPE,
      label: 'Also private repositories',
      tip: 'GitHub then grants the scope “repo”, which includes write access to all your repositories: it has no scope that only reads private ones. Datadeck only reads.',
    },
  ];
  readonly #configuration: oauth.Configuration;
  readonly #client: OAuthClient;
  readonly #githubUrl: string;
  readonly #apiUrl: string;

  constructor(addresses: { githubUrl: string; apiUrl: string }, client: OAuthClient) {
    this.#githubUrl = addresses.githubUrl;
    this.#apiUrl = addresses.apiUrl;
    this.#client = client;
    this.#configuration = new oauth.Configuration(
      {
        // GitHub's `iss` parameter in the callback (RFC 9207) must equal this.
        issuer: `${addresses.githubUrl}/login/oauth`,
        authorization_endpoint: `${addresses.githubUrl}/login/oauth/authorize`,
        token_endpoint: `${addresses.githubUrl}/login/oauth/access_token`,
      },
      client.id,
      client.secret,
      oauth.ClientSecretPost(client.secret),
    );
    this.#configuration.timeout = TIMEOUT_SECONDS;
    this.#configuration[oauth.customFetch] = fetchWithStatus;
    allowPlainHttp(this.#configuration, addresses.githubUrl);
  }

  start(request: AuthorizationRequest): Promise<URL> {
    return withOAuthErrors(TITLE, async () =>
      oauth.buildAuthorizationUrl(this.#configuration, {
        redirect_uri: request.redirectUri,
        // Without a scope, GitHub grants read access to public information.
        ...(request.access === 'private' && { scope: PRIVATE_SCOPE }),
        ...(request.selectsAccount && { prompt: 'select_account' }),
        ...(request.loginHint !== undefined && { login: request.loginHint }),
        state: request.state,
        code_challenge: await oauth.calculatePKCECodeChallenge(request.verifier),
        code_challenge_method: 'S256',
      }),
    );
  }

  finish(callback: URL, request: AuthorizationRequest): Promise<Grant> {
    return withOAuthErrors(TITLE, async () => {
      const answer = await oauth.authorizationCodeGrant(this.#configuration, callback, {
        expectedState: request.state,
        pkceCodeVerifier: request.verifier,
      });
      const credentials = credentialsOf(answer);
      const { user } = await fetchUser(this.#apiUrl, credentials.accessToken);
      return { identity: identityOf(user, this.#githubUrl), credentials };
    });
  }

  refresh(credentials: Credentials): Promise<Credentials> {
    const renew = async () => {
      if (credentials.refreshToken === undefined) throw new ProviderError('reauthorise', ACCESS_REVOKED);
      return credentialsOf(
        await oauth.refreshTokenGrant(this.#configuration, credentials.refreshToken),
        credentials,
      );
    };
    return withOAuthErrors(TITLE, renew, ACCESS_REVOKED);
  }

  describe({ accessToken, scopes }: Credentials): string {
    if (accessToken.startsWith(APP_TOKEN)) return 'Repositories on which the GitHub App is installed';
    const granted = scopes.length > 0 ? `scopes: ${scopes.join(', ')}` : 'no scope';
    return scopes.includes(PRIVATE_SCOPE)
      ? `Public and private repositories (${granted})`
      : `Public repositories (${granted})`;
  }

  async revoke(credentials: Credentials): Promise<void> {
    const isEnded = await this.#deleteGrant(credentials);
    if (isEnded || credentials.refreshToken === undefined) return;
    // The access token has expired or the grant was revoked; only a refresh shows which.
    const renewed = await this.refresh(credentials).catch((error: unknown) => {
      if (error instanceof ProviderError && error.failure === 'reauthorise') return undefined;
      throw error;
    });
    if (renewed) await this.#deleteGrant(renewed);
  }

  /**
   * Deletes the grant with all tokens of the account for this app, by `DELETE /applications/{client_id}/grant` with the
   * client's credentials.
   * @returns false when GitHub does not find the token
   */
  async #deleteGrant(credentials: Credentials): Promise<boolean> {
    const response = await fetch(
      `${this.#apiUrl}/applications/${encodeURIComponent(this.#client.id)}/grant`,
      {
        method: 'DELETE',
        headers: {
          accept: 'application/vnd.github+json',
          'content-type': 'application/json',
          'user-agent': 'Datadeck',
          authorization: `Basic ${Buffer.from(`${this.#client.id}:${this.#client.secret}`).toString('base64')}`,
        },
        body: JSON.stringify({ access_token: credentials.accessToken }),
        signal: AbortSignal.timeout(1000 * TIMEOUT_SECONDS),
      },
    ).catch((error) => {
      throw new ProviderError('unavailable', 'GitHub could not be reached. Try again later.', {
        cause: error,
      });
    });
    await response.body?.cancel();
    if (!response.ok && response.status !== 404 && response.status !== 422) {
      throw new ProviderError('unavailable', `GitHub did not revoke the access (status ${response.status}).`);
    }
    return response.ok;
  }
}
