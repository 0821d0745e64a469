import { createHash } from 'node:crypto';
import type { DueFaults } from '../faults/fault-injector.ts';
import type { TokenClaims } from '../oauth/signed-token.ts';
import { fullName } from './google-account.ts';
import { isSignInScope } from './google-scopes.ts';
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
export async function issueTokens(
  google: GoogleService,
  code: CodeGrant,
  faults: DueFaults,
): Promise<TokenAnswer> {
  const scopes = faults.take('partial-scope') ? withoutLast(code.scopes) : code.scopes;
  const claims = baseClaims(google, { subject: code.subject, scope: scopes.join(' ') });
  const answer = await accessAnswer(google, { ...claims, oidcNonce: code.request.nonce }, faults);
  if (code.offline && !faults.take('no-refresh-token')) {
    answer.refresh_token = google.tokens.issue('1//0', { ...claims, kind: 'refresh' });
  }
  return answer;
}

/** Returns the response to a refresh token. Without `rotate`, the token stays valid and is not repeated. */
export async function refreshTokens(
  google: GoogleService,
  used: { token: string; claims: TokenClaims; rotate: boolean },
  faults: DueFaults,
): Promise<TokenAnswer> {
  const { subject, scope } = used.claims;
  const claims = baseClaims(google, { subject, scope });
  const answer = await accessAnswer(google, claims, faults);
  if (used.rotate) {
    google.tokens.end(used.token);
    answer.refresh_token = google.tokens.issue('1//0', { ...claims, kind: 'refresh' });
  }
  return answer;
}

type BaseClaims = Pick<TokenClaims, 'client' | 'subject' | 'scope'>;

function baseClaims(google: GoogleService, of: Omit<BaseClaims, 'client'>): BaseClaims {
  return { client: google.context.settings.clients.google.id, ...of };
}

async function accessAnswer(
  google: GoogleService,
  claims: BaseClaims & { oidcNonce?: string | undefined },
  faults: DueFaults,
): Promise<TokenAnswer> {
  const { oidcNonce, ...base } = claims;
  const short = faults.take('short-token-lifetime');
  const lifetime = short ? (short.seconds ?? 1) : google.accessTokenSeconds;
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
    answer.id_token = await idToken(
      google,
      { subject: claims.subject, nonce: oidcNonce, accessToken: token },
      faults,
    );
  }
  return answer;
}

async function idToken(
  google: GoogleService,
  about: { subject: string; nonce: string | undefined; accessToken: string },
  faults: DueFaults,
): Promise<string> {
  const account = google.accounts.bySubject(about.subject);
  if (!account) throw new Error(`No account has the subject ${about.subject}`);
  const now = Math.floor(Date.now() / 1000);
  const issuedAt = faults.take('id-token-expired') ? now - 7200 : now;
  const audience = faults.take('id-token-wrong-audience')
    ? 'another-client'
    : google.context.settings.clients.google.id;
  const nonce = faults.take('id-token-wrong-nonce') ? 'another-nonce' : about.nonce;
  if (faults.take('key-rotated')) await google.keys.rotate();
  const claims = {
    iss: faults.take('id-token-wrong-issuer') ? 'https://issuer.example' : google.issuer,
    azp: audience,
    aud: audience,
    sub: account.subject,
    email: account.email,
    email_verified: true,
    at_hash: createHash('sha256').update(about.accessToken).digest().subarray(0, 16).toString('base64url'),
    ...(nonce === undefined ? {} : { nonce }),
    name: fullName(account),
    given_name: account.givenName,
    family_name: account.familyName,
    iat: issuedAt,
    exp: issuedAt + 3600,
  };
  return google.keys.sign(claims, faults.take('id-token-wrong-signature') !== undefined);
}

function withoutLast(scopes: readonly string[]): string[] {
  const last = scopes.findLast((scope) => !isSignInScope(scope));
  return scopes.filter((scope) => scope !== last);
}
