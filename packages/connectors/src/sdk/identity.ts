import type { Identity } from './authorization.ts';
import { ProviderError } from './provider-error.ts';

/** Longest texts of an identity, in characters: OpenID Connect Core 2, RFC 5321 4.5.3.1.3, and what a screen shows. */
const MAX_SUBJECT = 255;
const MAX_EMAIL = 254;
const MAX_NAME = 200;
/** Seconds by which an issuer's clock may run ahead of this one. */
const CLOCK_TOLERANCE = 60;

/** Controls, format characters such as bidirectional overrides, unpaired surrogates and line separators. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
const ADDRESS = /^[^\s@]+@[^\s@]+$/u;

/**
 * Makes a text of a provider safe to store and show: one line, no invisible characters, at most `max` characters.
 * @returns an empty text for anything but text
 */
export function displayText(value: unknown, max: number = MAX_NAME): string {
  if (typeof value !== 'string') return '';
  // Cut before it is cleaned, so that the work does not grow with the text.
  const line = value
    .slice(0, 4 * max)
    .replace(/\s/g, ' ')
    .replace(INVISIBLE, '');
  return [...line.split(' ').filter(Boolean).join(' ')].slice(0, max).join('').trim();
}

/** Reads an e-mail address; empty for anything that is none. Never cuts one: that would be another address. */
export function emailText(value: unknown): string {
  if (typeof value !== 'string' || value.length > MAX_EMAIL) return '';
  return ADDRESS.test(value) && value.search(INVISIBLE) === -1 ? value : '';
}

/** The claims that a validated ID token must hold. */
interface IdTokenClaims extends Record<string, unknown> {
  iss: string;
  sub: unknown;
  iat: unknown;
  azp?: unknown;
  email?: unknown;
  email_verified?: unknown;
  name?: unknown;
}

function untrusted(title: string, claim: string): ProviderError {
  return new ProviderError('malformed', `${title} gave an answer that cannot be trusted (${claim}).`);
}

/**
 * Reads the identity from the claims of an ID token whose signature, issuer, audience, nonce and expiry are checked
 * already. The e-mail address is empty when it is missing, malformed or not verified; so is a missing name.
 * @throws ProviderError malformed for a subject, authorised party or issue time that cannot be trusted
 */
export function identityOfClaims(title: string, claims: IdTokenClaims, clientId: string): Identity {
  const { sub, azp, iat } = claims;
  if (
    typeof sub !== 'string' ||
    sub.trim() === '' ||
    sub.length > MAX_SUBJECT ||
    sub.search(INVISIBLE) !== -1
  )
    throw untrusted(title, 'sub');
  if (azp !== undefined && azp !== clientId) throw untrusted(title, 'azp');
  if (typeof iat !== 'number' || !(iat <= Date.now() / 1000 + CLOCK_TOLERANCE)) throw untrusted(title, 'iat');
  const email = isUnverified(claims) ? '' : emailText(claims.email);
  return { issuer: claims.iss, subject: sub, account: email || sub, email, name: displayText(claims.name) };
}

/** Tells whether the issuer says that it has not verified the e-mail address (some send the boolean as text). */
export function isUnverified({ email_verified: verified }: Record<string, unknown>): boolean {
  return verified === false || verified === 'false';
}

/** Tells whether a text has the form of a signed JWT: three parts, the first two of them JSON objects. */
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
