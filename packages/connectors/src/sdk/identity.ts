import type { Identity } from './authorization.ts';
import { ProviderError } from './provider-error.ts';

/** Longest texts of an identity, characters. Sources: OpenID Connect Core 2, RFC 5321 4.5.3.1.3, our screen width. */
const MAX_SUBJECT = 255;
const MAX_EMAIL = 254;
const MAX_NAME = 200;
/** Seconds that an issuer's clock may be ahead of ours. */
const CLOCK_TOLERANCE = 60;

/** Controls, format characters such as bidirectional overrides, unpaired surrogates and line separators. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
const ADDRESS = /^[^\s@]+@[^\s@]+$/u;

/**
 * Makes a provider's text safe to store and show: one line, no invisible characters, at most `max` characters.
 * @returns an empty text if the value is not a text
 */
export function displayText(value: unknown, max: number = MAX_NAME): string {
  if (typeof value !== 'string') return '';
  // Truncate before cleaning to bound the work.
  const line = value
    .slice(0, 4 * max)
    .replace(/\s/g, ' ')
    .replace(INVISIBLE, '');
  return [...line.split(' ').filter(Boolean).join(' ')].slice(0, max).join('').trim();
}

/** Returns the value if it is an e-mail address, else an empty text. Never truncates: that would be another address. */
export function emailText(value: unknown): string {
  if (typeof value !== 'string' || value.length > MAX_EMAIL) return '';
  return ADDRESS.test(value) && value.search(INVISIBLE) === -1 ? value : '';
}

/** The claims of a validated ID token. */
interface IdTokenClaims extends Record<string, unknown> {
  iss: string;
  sub: unknown;
  iat: unknown;
  azp?: unknown;
  email?: unknown;
  email_verified?: unknown;
  name?: unknown;
}

function untrustedError(title: string, claim: string): ProviderError {
  return new ProviderError('malformed', `${title} sent an answer that cannot be trusted (${claim}).`);
}

/**
 * Reads the identity from an ID token whose signature, issuer, audience, nonce and expiry were already checked. The
 * e-mail address is empty when it is missing, malformed or unverified; a missing name is empty too.
 * @throws ProviderError `malformed` for an invalid subject, authorised party or issue time
 */
export function identityOfClaims(title: string, claims: IdTokenClaims, clientId: string): Identity {
  const { sub, azp, iat } = claims;
  if (
    typeof sub !== 'string' ||
    sub.trim() === '' ||
    sub.length > MAX_SUBJECT ||
    sub.search(INVISIBLE) !== -1
  )
    throw untrustedError(title, 'sub');
  if (azp !== undefined && azp !== clientId) throw untrustedError(title, 'azp');
  if (typeof iat !== 'number' || !(iat <= Date.now() / 1000 + CLOCK_TOLERANCE))
    throw untrustedError(title, 'iat');
  const email = isUnverified(claims) ? '' : emailText(claims.email);
  return { issuer: claims.iss, subject: sub, account: email || sub, email, name: displayText(claims.name) };
}

/** Returns whether the issuer marks the e-mail address as unverified (some send the boolean as text). */
export function isUnverified({ email_verified: verified }: Record<string, unknown>): boolean {
  return verified === false || verified === 'false';
}

/** Returns whether a value has the form of a signed JWT: three parts, the first two of them JSON objects. */
export function hasJwtForm(text: unknown): boolean {
  if (typeof text !== 'string') return false;
  const parts = text.split('.', 4);
  return parts.length === 3 && parts.slice(0, 2).every(isJsonObject);
}

function isJsonObject(part: string): boolean {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
