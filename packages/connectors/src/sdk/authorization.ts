import type { ConnectAccess, ConnectForm } from '@datadeck/contract';
import { z } from 'zod';
import { ProviderError } from './provider-error.ts';

/** Credentials granted by a provider or typed in by the user. Stored encrypted. */
export const credentialsSchema = z.object({
  /** An access token, or a password. */
  accessToken: z.string(),
  /** The non-secret fields of a connect form by name, e.g. `{ host: 'imap.example.org' }`. */
  fields: z.record(z.string(), z.string()).optional(),
  /** The further secrets of a connect form by name, e.g. `{ appKey: '…' }`. */
  secrets: z.record(z.string(), z.string()).optional(),
  refreshToken: z.string().optional(),
  /** Milliseconds since 1970; absent if the token does not expire. */
  expiresAt: z.number().optional(),
  scopes: z.array(z.string()),
  /** How they were obtained; absent in credentials stored before connectors could offer both ways. */
  method: z.enum(['consent', 'form']).optional(),
});
export type Credentials = z.infer<typeof credentialsSchema>;

/** Returns everything in credentials that nothing may show. */
export function secretsIn({
  accessToken,
  refreshToken,
  secrets = {},
}: Pick<Credentials, 'accessToken' | 'refreshToken' | 'secrets'>): string[] {
  return [accessToken, ...(refreshToken === undefined ? [] : [refreshToken]), ...Object.values(secrets)];
}

/** The account that granted access. */
export interface Identity {
  issuer: string;
  /** Stable id of the account at the provider. */
  subject: string;
  /** E-mail address or login to display, e.g. `octocat`. */
  account: string;
  email: string;
  name: string;
}

/** Parameters of one OAuth authorization request. */
export interface AuthorizationRequest {
  purpose: 'sign-in' | 'connect';
  redirectUri: string;
  state: string;
  nonce: string;
  /** PKCE verifier. */
  verifier: string;
  /** The access that the user chose beyond the least, one of `Authorization.access`, e.g. `private`. */
  access?: string;
  /** True to let the user choose another account at the provider, even if the browser is signed in there. */
  selectsAccount?: boolean;
  /** The account that the provider suggests, an `Identity.account`, e.g. `octocat`; the user may choose another one. */
  loginHint?: string;
}

/** The result of a completed sign-in or connection. */
export interface Grant {
  identity: Identity;
  credentials: Credentials;
}

/** Operations on an existing grant. Every method throws ProviderError. */
export interface GrantLifecycle {
  /** Returns new credentials; keeps the refresh token if the provider sends none. Throws `reauthorise` if revoked. */
  refresh(credentials: Credentials): Promise<Credentials>;
  /** Revokes the grant at the provider: all tokens the account gave to this Datadeck, for all of its users. */
  revoke(credentials: Credentials): Promise<void>;
  /** Describes what the credentials allow, for the provider card, e.g. `Public repositories`. Never throws. */
  describe?(credentials: Credentials): string;
}

/** Access that users may grant beyond the least, and the scope that the provider then grants. */
export interface AccessOption extends Omit<ConnectAccess, 'isGranted'> {
  scope: string;
}

/** Sign-in and connection through the provider's consent page. Every method throws ProviderError. */
export interface Authorization extends GrantLifecycle {
  /** What users may grant beyond the least that works; they choose it before the consent page. */
  access?: readonly AccessOption[];
  /** Returns the URL of the consent page. */
  start(request: AuthorizationRequest): Promise<URL>;
  /** Exchanges the code in the callback URL for tokens; checks state, nonce, PKCE and the granted scopes. */
  finish(callback: URL, request: AuthorizationRequest): Promise<Grant>;
}

/** Connection through a form in Datadeck, e.g. with host and password, or with a token. */
export interface FormAuthorization extends GrantLifecycle {
  form: ConnectForm;
  /**
   * Signs in at the provider with validated values. No client exists yet, so the method sets its own timeout.
   * @throws ProviderError, with `field` set to the field to correct
   */
  connect(values: Readonly<Record<string, string>>): Promise<Grant>;
}

/** The ways in which a connector can be connected; at least one. */
export interface AuthorizationMethods {
  title: string;
  /** Through the provider's consent page. */
  authorization?: Authorization;
  /** Through a form. */
  formAuthorization?: FormAuthorization;
}

/**
 * Returns the operations on a grant, by the way it was obtained.
 * @throws ProviderError `reauthorise` if the connector no longer offers that way
 */
export function lifecycleOf(
  { title, authorization, formAuthorization }: AuthorizationMethods,
  { method }: Pick<Credentials, 'method'>,
): GrantLifecycle {
  const byMethod = { consent: authorization, form: formAuthorization };
  const found = method === undefined ? (authorization ?? formAuthorization) : byMethod[method];
  if (found) return found;
  throw new ProviderError('reauthorise', `${title} can no longer be used in this way. Connect it again.`);
}
