import { z } from 'zod';

/** What a provider granted. Stored encrypted. */
export const credentialsSchema = z.object({
  accessToken: z.string(),
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

/** How people sign in or connect at a provider. Every method throws ProviderError. */
export interface Authorization {
  /** Where to send the browser. */
  start(request: AuthorizationRequest): Promise<URL>;
  /** Redeems the code of the callback's address; checks state, nonce, PKCE and the granted scopes. */
  finish(callback: URL, request: AuthorizationRequest): Promise<Grant>;
  /** New credentials; `reauthorise` when the grant is gone. Keeps the refresh token where none comes back. */
  refresh(credentials: Credentials): Promise<Credentials>;
  /** Withdraws the grant at the provider. */
  revoke(credentials: Credentials): Promise<void>;
}
