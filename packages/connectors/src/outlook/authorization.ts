import * as oauth from 'openid-client';
import {
  type Authorization,
  type AuthorizationRequest,
  type Credentials,
  credentialsOf,
  type Grant,
  issuerOfTenant,
  type OAuthClient,
  OpenIdClient,
  ProviderError,
} from '../sdk/index.ts';
import { accountOfClaims } from './identity.ts';
import { TITLE, withExplanations } from './refusals.ts';

/** The permission to read mail by IMAP; Microsoft has none that only reads. */
export const IMAP_SCOPE = 'https://outlook.office.com/IMAP.AccessAsUser.All';
const SCOPE = `openid email profile offline_access ${IMAP_SCOPE}`;
/** Answers may name the resource by another of its addresses. */
const GRANTED = /\/imap\.accessasuser\.all$/i;
const TENANT = '{tenantid}';
/** Tenants that stand for several, whose discovery document names a template. */
const SHARED_TENANTS = ['common', 'organizations'];
const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The identity platform and the app that is registered there. */
export interface PlatformOptions {
  /** e.g. https://login.microsoftonline.com */
  url: string;
  /** `common`, `organizations`, `consumers`, or the id or a domain of one organization. */
  tenant: string;
  client: OAuthClient;
}

/** Connects mailboxes through Microsoft's identity platform 2.0 (OpenID Connect, PKCE, state, nonce). */
export class MicrosoftAuthorization implements Authorization {
  readonly #clientId: string;
  readonly #template: string;
  readonly #openId: OpenIdClient;

  constructor({ url, tenant, client }: PlatformOptions) {
    const base = url.replace(/\/$/, '');
    this.#clientId = client.id;
    this.#template = `${base}/${TENANT}/v2.0`;
    const accepts = (issuer: string) => this.#accepts(issuer, tenant.toLowerCase());
    this.#openId = new OpenIdClient(TITLE, `${base}/${tenant}/v2.0`, client, { accepts });
  }

  /** Returns whether the discovery document of a tenant may name this issuer. */
  #accepts(issuer: string, tenant: string): boolean {
    if (SHARED_TENANTS.includes(tenant)) return issuer === this.#template;
    if (ID.test(tenant)) return issuer === issuerOfTenant(this.#template, tenant);
    // The document of a domain, and that of `consumers`, names the issuer by the id of the tenant.
    const [before = '', after = ''] = this.#template.split(TENANT);
    const id = issuer.slice(before.length, issuer.length - after.length);
    return ID.test(id) && issuer === issuerOfTenant(this.#template, id);
  }

  start(request: AuthorizationRequest): Promise<URL> {
    const { selectsAccount, loginHint } = request;
    return withExplanations('connect', () =>
      this.#openId.authorizationUrl(request, {
        scope: SCOPE,
        ...(selectsAccount && { prompt: 'select_account' }),
        ...(loginHint !== undefined && { login_hint: loginHint }),
      }),
    );
  }

  finish(callback: URL, request: AuthorizationRequest): Promise<Grant> {
    return withExplanations('connect', async () => {
      const { tokens, claims } = await this.#openId.finish(callback, request);
      const { identity, user } = this.#accountOf(claims);
      const credentials = credentialsOf(tokens);
      if (!credentials.scopes.some((scope) => GRANTED.test(scope)))
        throw new ProviderError(
          'forbidden',
          'Microsoft did not grant reading mail by IMAP. Connect again and accept the permission.',
        );
      return { identity, credentials: { ...credentials, fields: { user } } };
    });
  }

  refresh(credentials: Credentials): Promise<Credentials> {
    return withExplanations('renewal', async () => {
      const { refreshToken, fields } = credentials;
      if (refreshToken === undefined)
        throw new ProviderError('reauthorise', 'The access to Outlook has expired. Connect Outlook again.');
      const configuration = await this.#openId.configuration();
      const tokens = await oauth.refreshTokenGrant(configuration, refreshToken, { scope: SCOPE });
      const claims = tokens.claims();
      // The address may have changed.
      const user = claims === undefined ? fields?.user : this.#accountOf(claims).user;
      const renewed = credentialsOf(tokens, credentials);
      return { ...renewed, fields: { ...fields, ...(user !== undefined && { user }) } };
    });
  }

  async revoke(): Promise<void> {
    // Microsoft revokes no single grant; the person removes the app on the page of the account.
  }

  describe(): string {
    return 'Mail by IMAP';
  }

  #accountOf(claims: oauth.IDToken) {
    return accountOfClaims(claims, this.#clientId, (tenant) => issuerOfTenant(this.#template, tenant));
  }
}
