import * as oauth from 'openid-client';
import {
  type Authorization,
  type AuthorizationRequest,
  allowPlainHttp,
  type Credentials,
  credentialsOf,
  type Grant,
  hasJwtForm,
  identityOfClaims,
  isUnverified,
  type OAuthClient,
  ProviderError,
  withOAuthErrors,
} from '../sdk/index.ts';

const TITLE = 'Google';
const UNVERIFIED =
  'The e-mail address of this Google account is not verified. Verify it at Google, then sign in again.';
const ACCESS_REVOKED = 'Google no longer accepts the access it granted. Connect Gmail again.';
const TIMEOUT_SECONDS = 15;
const SIGN_IN_SCOPES = 'openid email profile';
export const GMAIL_SCOPE = 'https://www.googleapis.com/auth/gmail.readonly';

/**
 * Fetches and checks that an ID token is a JWT, because the library reports a malformed one like a truncated response.
 * @throws ProviderError `malformed`
 */
async function fetchWithIdTokenCheck(...call: Parameters<oauth.CustomFetch>): Promise<Response> {
  const response = await fetch(call[0], call[1] as RequestInit);
  if (!response.ok) return response;
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  const hasIdToken = typeof body === 'object' && body !== null && 'id_token' in body;
  if (hasIdToken && !hasJwtForm(body.id_token))
    throw new ProviderError('malformed', `${TITLE} sent an answer that cannot be trusted (id_token).`);
  return response;
}

/** Google sign-in by OpenID Connect (discovery, PKCE, state, nonce); checks that the user granted Gmail access. */
export class GoogleAuthorization implements Authorization {
  readonly #issuer: string;
  readonly #client: OAuthClient;
  #discovered: Promise<oauth.ServerMetadata> | undefined;

  /** @param issuer URL of the OpenID provider, e.g. https://accounts.google.com */
  constructor(issuer: string, client: OAuthClient) {
    this.#issuer = issuer;
    this.#client = client;
  }

  #discover(): Promise<oauth.ServerMetadata> {
    this.#discovered ??= oauth
      .discovery(new URL(this.#issuer), this.#client.id, this.#client.secret, undefined, {
        execute: this.#issuer.startsWith('http:') ? [oauth.allowInsecureRequests] : [],
        timeout: TIMEOUT_SECONDS,
      })
      .then((configuration) => configuration.serverMetadata())
      .catch((error) => {
        this.#discovered = undefined;
        throw error;
      });
    return this.#discovered;
  }

  /** Creates a configuration per call: its empty key cache makes sure that a newly rotated key is fetched. */
  async #configuration(): Promise<oauth.Configuration> {
    const configuration = new oauth.Configuration(
      await this.#discover(),
      this.#client.id,
      this.#client.secret,
    );
    configuration.timeout = TIMEOUT_SECONDS;
    allowPlainHttp(configuration, this.#issuer);
    oauth.enableNonRepudiationChecks(configuration);
    configuration[oauth.customFetch] = fetchWithIdTokenCheck;
    return configuration;
  }

  start(request: AuthorizationRequest): Promise<URL> {
    return withOAuthErrors(TITLE, async () => {
      const configuration = await this.#configuration();
      const connect = request.purpose === 'connect';
      return oauth.buildAuthorizationUrl(configuration, {
        redirect_uri: request.redirectUri,
        scope: connect ? `${SIGN_IN_SCOPES} ${GMAIL_SCOPE}` : SIGN_IN_SCOPES,
        state: request.state,
        nonce: request.nonce,
        code_challenge: await oauth.calculatePKCECodeChallenge(request.verifier),
        code_challenge_method: 'S256',
        ...(connect ? { access_type: 'offline', prompt: 'consent', include_granted_scopes: 'true' } : {}),
      });
    });
  }

  finish(callback: URL, request: AuthorizationRequest): Promise<Grant> {
    return withOAuthErrors(TITLE, async () => {
      const configuration = await this.#configuration();
      const answer = await oauth.authorizationCodeGrant(configuration, callback, {
        expectedState: request.state,
        expectedNonce: request.nonce,
        pkceCodeVerifier: request.verifier,
        idTokenExpected: true,
      });
      const claims = answer.claims();
      if (!claims) throw new ProviderError('malformed', 'Google did not say who signed in.');
      const identity = identityOfClaims(TITLE, claims, this.#client.id);
      if (request.purpose === 'sign-in' && isUnverified(claims))
        throw new ProviderError('forbidden', UNVERIFIED);
      const credentials = credentialsOf(answer);
      // Do not revoke: that would also end earlier grants of the account.
      if (request.purpose === 'connect' && !credentials.scopes.includes(GMAIL_SCOPE)) {
        throw new ProviderError(
          'forbidden',
          'Reading Gmail was not allowed on the consent page. Connect again and leave that box ticked.',
        );
      }
      return { identity, credentials };
    });
  }

  refresh(credentials: Credentials): Promise<Credentials> {
    const renew = async () => {
      if (credentials.refreshToken === undefined) throw new ProviderError('reauthorise', ACCESS_REVOKED);
      const configuration = await this.#configuration();
      return credentialsOf(
        await oauth.refreshTokenGrant(configuration, credentials.refreshToken),
        credentials,
      );
    };
    return withOAuthErrors(TITLE, renew, ACCESS_REVOKED);
  }

  revoke(credentials: Credentials): Promise<void> {
    return withOAuthErrors(TITLE, async () => {
      const configuration = await this.#configuration();
      try {
        await oauth.tokenRevocation(configuration, credentials.refreshToken ?? credentials.accessToken);
      } catch (error) {
        // Google answers 400 for a token that is already revoked, which is fine.
        if (!(error instanceof oauth.ResponseBodyError && error.error === 'invalid_token')) throw error;
      }
    });
  }
}
