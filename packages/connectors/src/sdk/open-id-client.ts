import * as oauth from 'openid-client';
import type { AuthorizationRequest } from './authorization.ts';
import { hasJwtForm } from './identity.ts';
import { allowPlainHttp, type OAuthClient } from './oauth.ts';
import { ProviderError } from './provider-error.ts';
import { configurationOfTemplate, isIssuerTemplate, type TenantIssuers } from './tenant-issuers.ts';

const TIMEOUT_SECONDS = 15;
/** Largest answer of an issuer, bytes. Key sets and discovery documents have a few kilobytes. */
const MAX_ANSWER_BYTES = 1024 * 1024;

/** Reads a body, giving up beyond `MAX_ANSWER_BYTES`. */
async function readBounded(response: Response, title: string): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > MAX_ANSWER_BYTES)
      throw new ProviderError('malformed', `${title} sent an answer that is too large.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function parseObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Fetches for openid-client with a maximum size. Checks that an ID token is a JWT, because the library reports a
 * malformed one like a truncated response.
 */
function boundedFetch(title: string): oauth.CustomFetch {
  return async (...call) => {
    const response = await fetch(call[0], call[1] as RequestInit);
    const body = await readBounded(response, title);
    const answer = response.ok ? parseObject(body.toString('utf8')) : undefined;
    if (answer && 'id_token' in answer && !hasJwtForm(answer.id_token))
      throw new ProviderError('malformed', `${title} sent an answer that cannot be trusted (id_token).`);
    const { status, statusText, headers } = response;
    return new Response(body.length === 0 ? null : new Uint8Array(body), { status, statusText, headers });
  };
}

/** The outcome of an authorization: the tokens, and the claims of the validated ID token. */
export interface OpenIdGrant {
  configuration: oauth.Configuration;
  tokens: oauth.TokenEndpointResponse;
  claims: oauth.IDToken;
}

/**
 * A client of an OpenID Connect issuer: discovery, PKCE, state, nonce, and ID tokens with a checked signature. Answers are
 * bounded in size and time. Methods throw the errors of openid-client, for `withOAuthErrors`.
 */
export class OpenIdClient {
  readonly #title: string;
  readonly #issuer: string;
  readonly #client: OAuthClient;
  readonly #tenants: TenantIssuers | undefined;
  #discovered: Promise<oauth.ServerMetadata> | undefined;

  /**
   * @param issuer URL of the OpenID provider, e.g. https://accounts.google.com
   * @param tenants for an issuer whose tenants have issuers of their own
   */
  constructor(title: string, issuer: string, client: OAuthClient, tenants?: TenantIssuers) {
    this.#title = title;
    this.#issuer = issuer;
    this.#client = client;
    this.#tenants = tenants;
  }

  /** Returns the discovery document. It is fetched once; a failure is not kept. */
  discover(): Promise<oauth.ServerMetadata> {
    this.#discovered ??= this.#fetchMetadata().catch((error) => {
      this.#discovered = undefined;
      throw error;
    });
    return this.#discovered;
  }

  async #fetchMetadata(): Promise<oauth.ServerMetadata> {
    const issuer = new URL(this.#issuer);
    // With the address of the document, the library leaves the check of its issuer to us.
    const document = new URL(`${issuer.href.replace(/\/$/, '')}/.well-known/openid-configuration`);
    const configuration = await oauth.discovery(
      this.#tenants ? document : issuer,
      this.#client.id,
      this.#client.secret,
      undefined,
      {
        execute: issuer.protocol === 'http:' ? [oauth.allowInsecureRequests] : [],
        timeout: TIMEOUT_SECONDS,
        [oauth.customFetch]: boundedFetch(this.#title),
      },
    );
    const metadata = configuration.serverMetadata();
    // The library accepts another issuer from Microsoft, whose documents for all tenants name a template.
    const isExpected = this.#tenants
      ? this.#tenants.accepts(metadata.issuer)
      : new URL(metadata.issuer).href === issuer.href;
    if (!isExpected)
      throw new ProviderError(
        'malformed',
        `${this.#title} names another issuer than the configured one. Configure the issuer of its discovery document.`,
      );
    return metadata;
  }

  /** Creates a configuration per call: its empty key cache makes sure that a newly rotated key is fetched. */
  async configuration(): Promise<oauth.Configuration> {
    const metadata = await this.discover();
    const { id, secret } = this.#client;
    const methods = metadata.token_endpoint_auth_methods_supported;
    const needsBasic = methods !== undefined && !methods.includes('client_secret_post');
    const authentication = needsBasic ? oauth.ClientSecretBasic(secret) : oauth.ClientSecretPost(secret);
    const configuration = isIssuerTemplate(metadata.issuer)
      ? await configurationOfTemplate(metadata, { id, secret }, authentication)
      : new oauth.Configuration(metadata, id, secret, authentication);
    configuration.timeout = TIMEOUT_SECONDS;
    allowPlainHttp(configuration, this.#issuer);
    oauth.enableNonRepudiationChecks(configuration);
    configuration[oauth.customFetch] = boundedFetch(this.#title);
    return configuration;
  }

  /** Returns the URL of the issuer's page. @param parameters the scope and what the issuer needs in addition */
  async authorizationUrl(
    request: AuthorizationRequest,
    parameters: { scope: string } & Record<string, string>,
  ): Promise<URL> {
    return oauth.buildAuthorizationUrl(await this.configuration(), {
      redirect_uri: request.redirectUri,
      state: request.state,
      nonce: request.nonce,
      code_challenge: await oauth.calculatePKCECodeChallenge(request.verifier),
      code_challenge_method: 'S256',
      ...parameters,
    });
  }

  /** Exchanges the code in the callback URL; checks state, nonce, PKCE, `iss` and the ID token. */
  async finish(callback: URL, request: AuthorizationRequest): Promise<OpenIdGrant> {
    const configuration = await this.configuration();
    const tokens = await oauth.authorizationCodeGrant(configuration, callback, {
      expectedState: request.state,
      expectedNonce: request.nonce,
      pkceCodeVerifier: request.verifier,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (!claims) throw new ProviderError('malformed', `${this.#title} did not say who signed in.`);
    return { configuration, tokens, claims };
  }
}
