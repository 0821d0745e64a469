import * as oauth from 'openid-client';
import type { AuthorizationRequest, Grant } from './authorization.ts';
import { identityOfClaims } from './identity.ts';
import { credentialsOf, type OAuthClient, withOAuthErrors } from './oauth.ts';
import { OpenIdClient, type OpenIdGrant } from './open-id-client.ts';
import { ProviderError } from './provider-error.ts';

/** Shortest interval between two attempts to reach an issuer for `check`, ms. */
const RETRY_MS = 30_000;

/** Options of `OpenIdSignIn`. */
export interface OpenIdOptions {
  /** The issuer's name for its button and for messages, e.g. `Keycloak`. */
  title: string;
  /** e.g. https://id.example.org/realms/main */
  issuer: string;
  client: OAuthClient;
  /** Scopes separated by spaces. */
  scopes: string;
}

/** Adds the e-mail address and the name from the userinfo endpoint if the ID token has none of them. */
async function withUserInfo({ configuration, tokens, claims }: OpenIdGrant) {
  const isComplete = claims.email !== undefined && claims.name !== undefined;
  if (isComplete || configuration.serverMetadata().userinfo_endpoint === undefined) return claims;
  const info = await oauth.fetchUserInfo(configuration, tokens.access_token, claims.sub);
  const { email, email_verified } = claims.email === undefined ? info : claims;
  return { ...claims, email, email_verified, name: claims.name ?? info.name };
}

/** Signs in at an OpenID Connect issuer. Methods throw ProviderError. */
export class OpenIdSignIn {
  readonly #options: OpenIdOptions;
  readonly #client: OpenIdClient;
  #problem: string | undefined;
  #checkedAt = Number.NEGATIVE_INFINITY;

  constructor(options: OpenIdOptions) {
    this.#options = options;
    this.#client = new OpenIdClient(options.title, options.issuer, options.client);
  }

  /** Why the last attempt to reach the issuer failed, as a sentence; undefined if it did not. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** Tries in the background to reach an issuer that has not answered yet, at most every 30 s. */
  check(): void {
    if (Date.now() - this.#checkedAt < RETRY_MS) return;
    this.#reach().catch(() => undefined);
  }

  async #reach(): Promise<void> {
    this.#checkedAt = Date.now();
    try {
      await withOAuthErrors(this.#options.title, () => this.#client.discover());
      this.#problem = undefined;
    } catch (error) {
      this.#problem = error instanceof ProviderError ? error.message : String(error);
      throw error;
    }
  }

  /** Returns the URL of the issuer's page. */
  async start(request: AuthorizationRequest): Promise<URL> {
    await this.#reach();
    const { title, scopes } = this.#options;
    return withOAuthErrors(title, () => this.#client.authorizationUrl(request, { scope: scopes }));
  }

  /** Exchanges the code in the callback URL for the identity; checks state, nonce, PKCE, `iss` and the ID token. */
  finish(callback: URL, request: AuthorizationRequest): Promise<Grant> {
    const { title, client } = this.#options;
    return withOAuthErrors(title, async () => {
      const grant = await this.#client.finish(callback, request);
      const identity = identityOfClaims(title, await withUserInfo(grant), client.id);
      return { identity, credentials: credentialsOf(grant.tokens) };
    });
  }
}
