import type { ConnectorDocument } from '@datadeck/contract/connector-document';
import * as oauth from 'openid-client';
import {
  type Authorization,
  type AuthorizationRequest,
  allowPlainHttp,
  type Credentials,
  credentialsOf,
  type Grant,
  type OAuthClient,
  ProviderError,
  sendHttp,
  withOAuthErrors,
} from '../sdk/index.ts';
import { accessOf, BOUND_ADDRESS, baseAddressOf, boundTo } from './access.ts';
import { type IdentifyOptions, identify } from './identify.ts';

const TIMEOUT_SECONDS = 15;
/** Largest answer with tokens, bytes. */
const MAX_ANSWER_BYTES = 64 * 1024;

type CodeFlow = Extract<ConnectorDocument['authentication'], { kind: 'oauth-code' }>;

/** Options of `documentConsent`. */
export interface ConsentOptions extends IdentifyOptions {
  /** Returns the client that the administrator entered. @throws ProviderError when there is none */
  client(): Promise<OAuthClient>;
}

/** Connects accounts on the page of a provider that a document describes. There are no tokens to revoke. */
class DocumentConsent implements Authorization {
  readonly #document: ConnectorDocument;
  readonly #flow: CodeFlow;
  readonly #options: ConsentOptions;

  constructor(document: ConnectorDocument, flow: CodeFlow, options: ConsentOptions) {
    this.#document = document;
    this.#flow = flow;
    this.#options = options;
  }

  start(request: AuthorizationRequest): Promise<URL> {
    const { scopes, parameters } = this.#flow;
    return this.#call(async () =>
      oauth.buildAuthorizationUrl(await this.#configuration(), {
        ...parameters,
        ...(scopes.length > 0 && { scope: scopes.join(' ') }),
        ...(request.loginHint !== undefined && { login_hint: request.loginHint }),
        redirect_uri: request.redirectUri,
        state: request.state,
        code_challenge: await oauth.calculatePKCECodeChallenge(request.verifier),
        code_challenge_method: 'S256',
      }),
    );
  }

  finish(callback: URL, request: AuthorizationRequest): Promise<Grant> {
    return this.#call(async () => {
      const tokens = await oauth.authorizationCodeGrant(await this.#configuration(), callback, {
        expectedState: request.state,
        pkceCodeVerifier: request.verifier,
      });
      const credentials = credentialsOf(tokens);
      const { accessToken } = credentials;
      const account = await identify(this.#document, this.#options, { accessToken, fields: {} });
      const issuer = baseAddressOf(this.#document, {}, this.#options);
      const fields = { [BOUND_ADDRESS]: boundTo(this.#document, issuer) };
      return {
        identity: { issuer, ...account, email: '', name: '' },
        credentials: { ...credentials, fields },
      };
    });
  }

  refresh(credentials: Credentials): Promise<Credentials> {
    const { refreshToken, fields } = credentials;
    const lapsed = `${this.#document.title} no longer accepts the access that was given. Connect it again.`;
    return this.#call(async () => {
      // Throws for a version of the document that sends the tokens elsewhere.
      accessOf(this.#document, this.#options)(credentials);
      if (refreshToken === undefined) throw new ProviderError('reauthorise', lapsed);
      const tokens = await oauth.refreshTokenGrant(await this.#configuration(), refreshToken);
      return { ...credentialsOf(tokens, credentials), ...(fields && { fields }) };
    }, lapsed);
  }

  async revoke(): Promise<void> {
    // The person removes the access on the page of the provider.
  }

  #call<T>(work: () => Promise<T>, lapsed?: string): Promise<T> {
    return withOAuthErrors(this.#document.title, work, lapsed);
  }

  /** Creates a configuration for a call, with the client of now. */
  async #configuration(): Promise<oauth.Configuration> {
    const { authorizationUrl, tokenUrl, send, issuer = new URL(authorizationUrl).origin } = this.#flow;
    const { id, secret } = await this.#options.client();
    const configuration = new oauth.Configuration(
      { issuer, authorization_endpoint: authorizationUrl, token_endpoint: tokenUrl },
      id,
      secret,
      send === 'header' ? oauth.ClientSecretBasic(secret) : oauth.ClientSecretPost(secret),
    );
    configuration.timeout = TIMEOUT_SECONDS;
    configuration[oauth.customFetch] = this.#fetch;
    allowPlainHttp(configuration, tokenUrl);
    return configuration;
  }

  /** Sends a request for tokens to an allowed host, and reads a bounded answer. */
  readonly #fetch: oauth.CustomFetch = async (url, { body, headers, signal }) => {
    const {
      status,
      headers: answered,
      bytes,
    } = await sendHttp({
      url: new URL(url),
      hosts: this.#options.hosts,
      json: String(body ?? ''),
      maxBytes: MAX_ANSWER_BYTES,
      headers: { ...Object.fromEntries(new Headers(headers)), 'user-agent': 'Datadeck (gzip)' },
      signal: signal ?? AbortSignal.timeout(TIMEOUT_SECONDS * 1000),
      idleTimeoutMs: TIMEOUT_SECONDS * 1000,
      title: this.#document.title,
      onRequest: () => undefined,
    });
    const text = await bytes;
    // GitHub and others send refusals with status 200.
    const isRefusal = status === 200 && /^\s*\{\s*"error"/.test(text.subarray(0, 200).toString());
    const type = answered.get('content-type') ?? 'application/json';
    return new Response(new Uint8Array(text), {
      status: isRefusal ? 400 : status,
      headers: { 'content-type': type },
    });
  };
}

/** Returns how accounts are connected on the page of a provider; undefined for documents with a form. */
export function documentConsent(
  document: ConnectorDocument,
  options: ConsentOptions,
): Authorization | undefined {
  const { authentication } = document;
  return authentication.kind === 'oauth-code'
    ? new DocumentConsent(document, authentication, options)
    : undefined;
}
