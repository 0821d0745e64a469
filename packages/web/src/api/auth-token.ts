import { membersOf, textOf } from './hand-schema.ts';
import { readJson, removeJson, storeJson } from './json-storage.ts';

/** Where the token is stored; other tabs hear of its changes. */
export const TOKEN_KEY = 'dd-authToken';
const COOKIE_KEY = 'dd-session';
/** Milliseconds that the cookie-like entry lives; the server's session slides by the same 30 days. */
const LIFETIME = 30 * 24 * 60 * 60 * 1000;

/** The token that this page works with: undefined before the first, null after the page has signed out. */
let held: string | null | undefined;

function asCookie(value: unknown): { value: string; expires: number } {
  const { value: token, expires } = membersOf(value);
  if (typeof expires !== 'number') throw new TypeError('without an end');
  return { value: textOf(token), expires };
}

/** The token as the tabs share it, whether or not its time is up. */
export function sharedToken(): string | null {
  return readJson<string | null>(TOKEN_KEY, null, textOf);
}

/** Tells whether a token is only the one of a sign-in, which is being exchanged for a session token (see the server's `sign-in-tokens.ts`). */
export function isSignInToken(token: string | null): boolean {
  return token?.startsWith('signin_') ?? false;
}

/** Reads the stored session token, or null; the cookie-like entry counts first, while it has not expired. */
export function readToken(now = Date.now()): string | null {
  const token = readStored(now);
  return isSignInToken(token) ? null : token;
}

function readStored(now: number): string | null {
  const cookie = readJson<ReturnType<typeof asCookie> | null>(COOKIE_KEY, null, asCookie);
  if (cookie !== null) return cookie.expires > now ? cookie.value : null;
  return sharedToken();
}

/** The token to send: the page's own once it has had one, whatever another tab has stored since. */
export function pageToken(): string | null {
  return held === undefined ? readToken() : held;
}

/** Makes the token the page's own and keeps it in both places. */
export function storeToken(token: string, now = Date.now()): void {
  held = token;
  storeJson(COOKIE_KEY, { value: token, expires: now + LIFETIME });
  // Last: what other tabs hear of is in both places by then.
  storeJson(TOKEN_KEY, token);
}

/** Forgets the page's token, and what is stored unless that is another tab's by now; tells whether it was the page's. */
export function clearToken(): boolean {
  const own = held;
  held = null;
  const shared = sharedToken();
  if (own !== undefined && shared !== null && shared !== own) return false;
  removeJson(COOKIE_KEY);
  removeJson(TOKEN_KEY);
  return true;
}
