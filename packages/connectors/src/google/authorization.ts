import * as oauth from 'openid-client';
import {
  type Authorization,
  type AuthorizationRequest,
  type Credentials,
  credentialsOf,
  type Grant,
  identityOfClaims,
  isUnverified,
  type OAuthClient,
  OpenIdClient,
  ProviderError,
  withOAuthErrors,
} from '../sdk/index.ts';

const TITLE = 'Google';
const UNVERIFIED =
  'The e-mail address of this Google account is not verified. Verify it at Google, then sign in again.';
const ACCESS_REVOKED = 'Google no longer accepts the access it granted. Connect Gmail again.';
const SIGN_IN_SCOPES = 'openid email profile';
export const GMAIL_SCOPE = 'https://www.googleapis.com/auth/gmail.readonly';

/** Google sign-in by OpenID Connect (discovery, PKCE, state, nonce); checks that the user granted Gmail access. */
export class GoogleAuthorization implements Authorization {
  readonly #clientId: string;
  readonly #openId: OpenIdClient;

  /** @param issuer URL of the OpenID provider, e.g. https://accounts.google.com */
  constructor(issuer: string, client: OAuthClient) {
    this.#clientId = client.id;
    this.#openId = new OpenIdClient(TITLE, issuer, client);
  }

  start(request: AuthorizationRequest): Promise<URL> {
    const connect = request.purpose === 'connect';
    const { selectsAccount, loginHint } = request;
    // Google sends a refresh token after a consent only.
    const prompts = [...(selectsAccount ? ['select_account'] : []), ...(connect ? ['consent'] : [])];
    return withOAuthErrors(TITLE, () =>
      this.#openId.authorizationUrl(request, {
        scope: connect ? `${SIGN_IN_SCOPES} ${GMAIL_SCOPE}` : SIGN_IN_SCOPES,
        ...(prompts.length > 0 && { prompt: prompts.join(' ') }),
        ...(connect && { access_type: 'offline', include_granted_scopes: 'true' }),
        ...(loginHint !== undefined && { login_hint: loginHint }),
      }),
    );
  }

  finish(callback: URL, request: AuthorizationRequest): Promise<Grant> {
    return withOAuthErrors(TITLE, async () => {
      const { tokens, claims } = await this.#openId.finish(callback, request);
      const identity = identityOfClaims(TITLE, claims, this.#clientId);
      if (request.purpose === 'sign-in' && isUnverified(claims))
        throw new ProviderError('forbidden', UNVERIFIED);
      const credentials = credentialsOf(tokens);
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
      const configuration = await this.#openId.configuration();
      return credentialsOf(
        await oauth.refreshTokenGrant(configuration, credentials.refreshToken),
        credentials,
      );
    };
    return withOAuthErrors(TITLE, renew, ACCESS_REVOKED);
  }

  revoke(credentials: Credentials): Promise<void> {
    return withOAuthErrors(TITLE, async () => {
      const configuration = await this.#openId.configuration();
      try {
        await oauth.tokenRevocation(configuration, credentials.refreshToken ?? credentials.accessToken);
      } catch (error) {
        // Google answers 400 for a token that is already revoked, which is fine.
        if (!(error instanceof oauth.ResponseBodyError && error.error === 'invalid_token')) throw error;
      }
    });
  }
}
