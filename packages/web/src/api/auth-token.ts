import { membersOf, textOf } from './hand-schema.ts';
import { readJson, removeJson, storeJson } from './json-storage.ts';

/** The `localStorage` key of the token. The `storage` event reports its changes to other tabs. */
export const TOKEN_KEY = 'dd-authToken';
const COOKIE_KEY = 'dd-session';
/** Lifetime of the cookie-like entry, ms: 30 days, like the server's session, which each use extends. */
const LIFETIME = 30 * 24 * 60 * 60 * 1000;

/** The token in use by this page: undefined until it has one, null after it signed out. */
let held: string | null | undefined;

function asCookie(value: unknown): { value: string; expires: number } {
  const { value: token, expires } = membersOf(value);
  if (typeof expires !== 'number') throw new TypeError('expires is not a number');
  return { value: textOf(token), expires };
}

/** Returns the token that all tabs share, even if it has expired; null when there is none. */
export function sharedToken(): string | null {
  return readJson<string | null>(TOKEN_KEY, null, textOf);
}

/** Returns true for a sign-in token, which is still to be exchanged for a session token (see the server's `sign-in-tokens.ts`). */
export function isSignInToken(token: string | null): boolean {
  return token?.startsWith('signin_') ?? false;
}

/** Returns the stored session token, or null. The cookie-like entry takes precedence until it expires. */
export function readToken(now = Date.now()): string | null {
  const token = storedReader(now);
  return isSignInToken(token) ? null : token;
}

function storedReader(now: number): string | null {
  const cookie = readJson<ReturnType<typeof asCookie> | null>(COOKIE_KEY, null, asCookie);
  if (cookie !== null) return cookie.expires > now ? cookie.value : null;
  return sharedToken();
}

/** Returns the token to send. Once the page has a token of its own, tokens stored by other tabs are ignored. */
export function pageToken(): string | null {
  return held === undefined ? readToken() : held;
}

/** Makes the token this page's own and writes it to both entries. */
export function storeToken(token: string, now = Date.now()): void {
  held = token;
  storeJson(COOKIE_KEY, { value: token, expires: now + LIFETIME });
  // Write this entry last: its `storage` event makes other tabs read both.
  storeJson(TOKEN_KEY, token);
}

/**
 * Clears this page's token. Keeps the stored token if another tab has replaced it.
 * @returns whether the stored token was cleared
 */
export function clearToken(): boolean {
  const own = held;
  held = null;
  const shared = sharedToken();
  if (own !== undefined && shared !== null && shared !== own) return false;
  removeJson(COOKIE_KEY);
  removeJson(TOKEN_KEY);
  return true;
}
