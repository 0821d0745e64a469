import { createHash } from 'node:crypto';
import type { TokenClaims } from '../oauth/signed-token.ts';
import { fullName } from './google-account.ts';
import type { CodeGrant, GoogleService } from './google-service.ts';

/** The response of the token endpoint. */
export interface TokenAnswer {
  access_token: string;
  expires_in: number;
  scope: string;
  token_type: 'Bearer';
  id_token?: string;
  refresh_token?: string;
}

/** Returns the response to a code: access token, id token if openid was requested, refresh token if offline. */
export async function issueTokens(google: GoogleService, code: CodeGrant): Promise<TokenAnswer> {
  const claims = baseClaims(google, { subject: code.subject, scope: code.scopes.join(' ') });
  const answer = await accessAnswer(google, { ...claims, oidcNonce: code.request.nonce });
  if (code.offline) answer.refresh_token = google.tokens.issue('1//0', { ...claims, kind: 'refresh' });
  return answer;
}

/** Returns the response to a refresh token, which stays valid and is not repeated unless tokens rotate. */
export async function refreshTokens(
  google: GoogleService,
  token: string,
  claims: TokenClaims,
): Promise<TokenAnswer> {
  const answer = await accessAnswer(google, baseClaims(google, claims));
  if (google.rotatesRefreshTokens) answer.refresh_token = rotateRefreshToken(google, token, claims);
  return answer;
}

/** Ends a refresh token and returns its successor. */
export function rotateRefreshToken(google: GoogleService, token: string, claims: TokenClaims): string {
  google.tokens.end(token);
  return google.tokens.issue('1//0', { ...baseClaims(google, claims), kind: 'refresh' });
}

type BaseClaims = Pick<TokenClaims, 'client' | 'subject' | 'scope'>;

function baseClaims(google: GoogleService, { subject, scope }: Omit<BaseClaims, 'client'>): BaseClaims {
  return { client: google.context.settings.clients.google.id, subject, scope };
}

async function accessAnswer(
  google: GoogleService,
  claims: BaseClaims & { oidcNonce?: string | undefined },
): Promise<TokenAnswer> {
  const { oidcNonce, ...base } = claims;
  const lifetime = google.accessTokenSeconds;
  const token = google.tokens.issue('ya29.a0', {
    ...base,
    kind: 'access',
    exp: Date.now() / 1000 + lifetime,
  });
  const answer: TokenAnswer = {
    access_token: token,
    expires_in: lifetime,
    scope: claims.scope,
    token_type: 'Bearer',
  };
  if (claims.scope.split(' ').includes('openid')) {
    const about = { subject: claims.subject, nonce: oidcNonce, accessToken: token };
    answer.id_token = await idToken(google, about);
  }
  return answer;
}

async function idToken(
  google: GoogleService,
  about: { subject: string; nonce: string | undefined; accessToken: string },
): Promise<string> {
  const account = google.accounts.bySubject(about.subject);
  if (!account) throw new Error(`No account has the subject ${about.subject}`);
  const now = Math.floor(Date.now() / 1000);
  const { id } = google.context.settings.clients.google;
  const claims = {
    iss: google.issuer,
    azp: id,
    aud: id,
    sub: account.subject,
    email: account.email,
    email_verified: true,
    at_hash: accessTokenHash(about.accessToken),
    ...(about.nonce === undefined ? {} : { nonce: about.nonce }),
    name: fullName(account),
    given_name: account.givenName,
    family_name: account.familyName,
    iat: now,
    exp: now + 3600,
  };
  return google.keys.sign(claims);
}

/** Returns the claim `at_hash`, which binds an id token to an access token. */
export function accessTokenHash(token: string): string {
  return createHash('sha256').update(token).digest().subarray(0, 16).toString('base64url');
}
