import type { ConnectField } from '@datadeck/contract';
import { z } from 'zod';

/** Credentials granted by a provider or typed in by the user. Stored encrypted. */
export const credentialsSchema = z.object({
  /** An access token, or a password. */
  accessToken: z.string(),
  /** The non-secret fields of a connect form by name, e.g. `{ host: 'imap.example.org' }`. */
  fields: z.record(z.string(), z.string()).optional(),
  refreshToken: z.string().optional(),
  /** Milliseconds since 1970; absent if the token does not expire. */
  expiresAt: z.number().optional(),
  scopes: z.array(z.string()),
});
export type Credentials = z.infer<typeof credentialsSchema>;

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
}

/** The result of a completed sign-in or connection. */
export interface Grant {
  identity: Identity;
  credentials: Credentials;
}

/** Operations on an existing grant. Every method throws ProviderError. */
interface GrantLifecycle {
  /** Returns new credentials; keeps the refresh token if the provider sends none. Throws `reauthorise` if revoked. */
  refresh(credentials: Credentials): Promise<Credentials>;
  /** Revokes the grant at the provider: all tokens the account gave to this Datadeck, for all of its users. */
  revoke(credentials: Credentials): Promise<void>;
}

/** Sign-in and connection through the provider's consent page. Every method throws ProviderError. */
export interface Authorization extends GrantLifecycle {
  /** Returns the URL of the consent page. */
  start(request: AuthorizationRequest): Promise<URL>;
  /** Exchanges the code in the callback URL for tokens; checks state, nonce, PKCE and the granted scopes. */
  finish(callback: URL, request: AuthorizationRequest): Promise<Grant>;
}

/** Connection through a form in Datadeck, e.g. host and password. */
export interface FormAuthorization extends GrantLifecycle {
  fields: readonly ConnectField[];
  /**
   * Signs in at the provider with validated values. No client exists yet, so the method sets its own timeout.
   * @throws ProviderError, with `field` set to the field to correct
   */
  connect(values: Readonly<Record<string, string>>): Promise<Grant>;
}

/** Returns whether users connect through a form instead of the provider's consent page. */
export function isFormAuthorization(
  authorization: Authorization | FormAuthorization,
): authorization is FormAuthorization {
  return 'fields' in authorization;
}
