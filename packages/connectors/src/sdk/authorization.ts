import type { ConnectField } from '@datadeck/contract';
import { z } from 'zod';

/** What a provider granted, or what a person typed in. Stored encrypted. */
export const credentialsSchema = z.object({
  /** What the provider takes as proof: a token, or a password. */
  accessToken: z.string(),
  /** The other fields of a connect form, by name; none of them is secret. */
  fields: z.record(z.string(), z.string()).optional(),
  refreshToken: z.string().optional(),
  /** Milliseconds since 1970; absent: does not expire. */
  expiresAt: z.number().optional(),
  scopes: z.array(z.string()),
});
export type Credentials = z.infer<typeof credentialsSchema>;

/** Who granted it. */
export interface Identity {
  issuer: string;
  /** Stable id of the account at the provider. */
  subject: string;
  /** E-mail address or login, for people. */
  account: string;
  email: string;
  name: string;
}

export interface AuthorizationRequest {
  purpose: 'sign-in' | 'connect';
  redirectUri: string;
  state: string;
  nonce: string;
  /** PKCE verifier. */
  verifier: string;
}

export interface Grant {
  identity: Identity;
  credentials: Credentials;
}

/** What becomes of a grant. Every method throws ProviderError. */
interface GrantLife {
  /** New credentials; `reauthorise` when the grant is gone. Keeps the refresh token where none comes back. */
  refresh(credentials: Credentials): Promise<Credentials>;
  /** Withdraws the grant at the provider: every token that the account gave to this Datadeck, whichever user holds it. */
  revoke(credentials: Credentials): Promise<void>;
}

/** How people sign in or connect at a provider's own consent page. Every method throws ProviderError. */
export interface Authorization extends GrantLife {
  /** Where to send the browser. */
  start(request: AuthorizationRequest): Promise<URL>;
  /** Redeems the code of the callback's address; checks state, nonce, PKCE and the granted scopes. */
  finish(callback: URL, request: AuthorizationRequest): Promise<Grant>;
}

/** How people connect by what they type into a form of ours. */
export interface FormAuthorization extends GrantLife {
  fields: readonly ConnectField[];
  /**
   * Really signs in with values that passed the fields' own checks; there is no client yet, so it keeps to a time itself.
   * @throws ProviderError, with `field` where one of them is to blame
   */
  connect(values: Readonly<Record<string, string>>): Promise<Grant>;
}

/** Whether people connect by a form rather than at the provider's consent page. */
export function isForm(authorization: Authorization | FormAuthorization): authorization is FormAuthorization {
  return 'fields' in authorization;
}
