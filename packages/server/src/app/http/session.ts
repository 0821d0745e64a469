import { type Endpoint, mayChange } from '@datadeck/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { administratorOnly, mayAdminister, SESSION_DAYS, type User } from '../../features/accounts/index.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Product } from '../product.ts';

/** Accepted only on the `/auth/*` navigations, so that a cookie never authenticates an API call. */
const SESSION_COOKIE = 'dd-session';
const BROWSER_COOKIE = 'dd-attempt';
/** Read by the Providers screen; see `takeConnectFailure` of the web app. */
const FAILURE_COOKIE = 'dd-failure';
/** Longest sentence, UTF-16 units. A cookie has at most 4 KB. */
const MAX_FAILURE = 600;
const FAILURE_SECONDS = 60;

/** Returns the token of the `Authorization` header, with or without 'Bearer'. */
export function tokenOf(request: FastifyRequest): string | undefined {
  const header = request.headers.authorization?.trim();
  if (!header) return undefined;
  return header.replace(/^Bearer\s+/i, '') || undefined;
}

/** Returns the user of an API call; undefined without a session. */
export async function userOf(product: Product, request: FastifyRequest): Promise<User | undefined> {
  const token = tokenOf(request);
  return token === undefined ? undefined : product.sessions.find(token);
}

/**
 * Checks that the user has access.
 * @throws AppError unauthenticated without a user; plan-forbids when the plan does not allow changes; administrator-only
 */
export function requireAccess(
  user: User | undefined,
  access: Exclude<Endpoint['access'], 'none' | 'share'>,
): void {
  if (!user) throw new AppError('unauthenticated', 'Your session has ended. Sign in again.');
  if (access === 'change' && !mayChange(user.plan)) {
    throw new AppError('plan-forbids', 'Your plan does not allow this. It needs the plan standard or pro.');
  }
  if (access === 'administrator' && !mayAdminister(user)) throw administratorOnly();
}

/** Returns the session token of the cookie; empty without one. */
export function sessionCookie(request: FastifyRequest): string {
  return request.cookies[SESSION_COOKIE] ?? '';
}

/** Returns the user of a navigation, by the session cookie. */
export async function navigationUser(product: Product, request: FastifyRequest): Promise<User | undefined> {
  const token = sessionCookie(request);
  return token === '' ? undefined : product.sessions.find(token);
}

function cookieOptions(product: Product) {
  return {
    path: '/auth',
    httpOnly: true,
    sameSite: 'lax' as const,
    secure: product.publicUrl().startsWith('https:'),
  };
}

/** Sets the session cookie for the `/auth/*` navigations. */
export function setSessionCookie(product: Product, reply: FastifyReply, token: string): void {
  reply.setCookie(SESSION_COOKIE, token, { ...cookieOptions(product), maxAge: SESSION_DAYS * 86_400 });
}

/** Deletes the session cookie. */
export function clearSessionCookie(product: Product, reply: FastifyReply): void {
  reply.clearCookie(SESSION_COOKIE, cookieOptions(product));
}

/** Sets the cookie that binds an authorisation to this browser until the callback. */
export function setBrowserCookie(product: Product, reply: FastifyReply, value: string): void {
  reply.setCookie(BROWSER_COOKIE, value, { ...cookieOptions(product), maxAge: 900 });
}

/** Returns the value of the browser cookie; empty without one. */
export function browserCookie(request: FastifyRequest): string {
  return request.cookies[BROWSER_COOKIE] ?? '';
}

/**
 * Reports to the Providers screen why a connection failed. A parameter of its address could not: anybody can write a link.
 * @param path of the screen
 */
export function setConnectFailure(
  product: Product,
  reply: FastifyReply,
  path: string,
  sentence: string,
): void {
  const options = { ...cookieOptions(product), path, httpOnly: false, maxAge: FAILURE_SECONDS };
  reply.setCookie(FAILURE_COOKIE, sentence.slice(0, MAX_FAILURE).toWellFormed(), options);
}
