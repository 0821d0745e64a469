import { z } from 'zod';
import { readJson, removeJson, storeJson } from './json-storage.ts';

const STORAGE_KEY = 'dd-authToken';
const COOKIE_KEY = 'dd-session';
/** Milliseconds that the cookie-like entry lives; the server's session slides by the same 30 days. */
const LIFETIME = 30 * 24 * 60 * 60 * 1000;

const cookieSchema = z.object({ value: z.string().min(1), expires: z.number() });

/** The stored token, or null; the cookie-like entry counts first, while it has not expired. */
export function readToken(now = Date.now()): string | null {
  const cookie = readJson(COOKIE_KEY, null, (value) => cookieSchema.parse(value));
  if (cookie !== null) return cookie.expires > now ? cookie.value : null;
  return readJson(STORAGE_KEY, null, (value) => z.string().min(1).parse(value));
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
