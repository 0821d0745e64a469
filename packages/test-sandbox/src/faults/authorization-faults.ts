import type { FaultEntry } from './fault-entry.ts';

const DATA = ['gmail', 'github'] as const;
const OAUTH = ['google', 'github-oauth'] as const;
const ANY = /./;
const TOKEN = /\/(token|access_token)$/;

/** Faults of the token flow and of tokens. */
export const AUTHORIZATION_FAULTS = [
  {
    name: 'consent-denied',
    apis: OAUTH,
    path: /auth/,
    effect: 'The consent page answers access_denied, even if the user consents.',
  },
  {
    name: 'partial-scope',
    apis: OAUTH,
    path: TOKEN,
    effect: 'The grant lacks the last scope beyond sign-in, as if it had been unticked.',
  },
  {
    name: 'no-refresh-token',
    apis: ['google'],
    path: TOKEN,
    effect: 'The token answer has no refresh token.',
  },
  {
    name: 'wrong-state',
    apis: OAUTH,
    path: /auth/,
    effect: 'The redirect to the product has a different state.',
  },
  {
    name: 'id-token-wrong-nonce',
    apis: ['google'],
    path: TOKEN,
    effect: 'The id token has a different nonce.',
  },
  {
    name: 'id-token-wrong-audience',
    apis: ['google'],
    path: TOKEN,
    effect: 'The id token is for another client.',
  },
  {
    name: 'id-token-wrong-issuer',
    apis: ['google'],
    path: TOKEN,
    effect: 'The id token has a different issuer.',
  },
  { name: 'id-token-expired', apis: ['google'], path: TOKEN, effect: 'The id token expired an hour ago.' },
  {
    name: 'id-token-wrong-signature',
    apis: ['google'],
    path: TOKEN,
    effect: 'The id token is signed by a key that is not published.',
  },
  {
    name: 'key-rotated',
    apis: ['google'],
    path: TOKEN,
    effect: 'The signing key is replaced just before the id token is signed.',
  },
  {
    name: 'code-reused',
    apis: OAUTH,
    path: TOKEN,
    effect: 'The authorisation code is rejected as already used.',
  },
  {
    name: 'invalid-grant',
    apis: OAUTH,
    path: TOKEN,
    effect: 'The refresh token is rejected: invalid_grant, or bad_refresh_token at GitHub.',
  },
  {
    name: 'short-token-lifetime',
    apis: OAUTH,
    path: TOKEN,
    effect: 'The access token expires after options.seconds (1).',
  },
  {
    name: 'token-expired',
    apis: DATA,
    path: ANY,
    effect: 'The access token is rejected with 401, once per hit.',
  },
  {
    name: 'refresh-token-rotates',
    apis: ['google'],
    path: TOKEN,
    effect: 'A refresh returns a new refresh token and revokes the old one.',
  },
  {
    name: 'rotated-refresh-token-lost',
    apis: OAUTH,
    path: TOKEN,
    effect: 'The refresh token rotates and the connection breaks before the answer.',
  },
  {
    name: 'revoke-fails',
    apis: ['google', 'github'],
    path: /revoke|grant/,
    effect: 'Revoking fails with 503.',
  },
  {
    name: 'insufficient-scope',
    apis: DATA,
    path: ANY,
    effect: 'The API answers 403 because a scope is missing.',
  },
  { name: 'sso-required', apis: ['github'], path: ANY, effect: 'GitHub answers 403 with x-github-sso.' },
  { name: 'access-blocked', apis: ['github'], path: ANY, effect: 'GitHub answers 451.' },
] as const satisfies readonly FaultEntry[];
