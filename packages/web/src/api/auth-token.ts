import { membersOf, textOf } from './hand-schema.ts';
import { readJson, removeJson, storeJson } from './json-storage.ts';

const STORAGE_KEY = 'dd-authToken';
const COOKIE_KEY = 'dd-session';
/** Milliseconds that the cookie-like entry lives; the server's session slides by the same 30 days. */
const LIFETIME = 30 * 24 * 60 * 60 * 1000;

function asCookie(value: unknown): { value: string; expires: number } {
  const { value: token, expires } = membersOf(value);
  if (typeof expires !== 'number') throw new TypeError('without an end');
  return { value: textOf(token), expires };
}

/** The stored token, or null; the cookie-like entry counts first, while it has not expired. */
export function readToken(now = Date.now()): string | null {
  const cookie = readJson<ReturnType<typeof asCookie> | null>(COOKIE_KEY, null, asCookie);
  if (cookie !== null) return cookie.expires > now ? cookie.value : null;
  return readJson<string | null>(STORAGE_KEY, null, textOf);
}

/** Keeps the token in both places. */
export function storeToken(token: string, now = Date.now()): void {
  storeJson(STORAGE_KEY, token);
  storeJson(COOKIE_KEY, { value: token, expires: now + LIFETIME });
}

/** Forgets the token in both places. */
export function clearToken(): void {
  removeJson(STORAGE_KEY);
  removeJson(COOKIE_KEY);
}
