/** The parts of the sandbox that a fault can befall. */
export type Api = 'google' | 'gmail' | 'github-oauth' | 'github';

interface FaultEntry {
  name: string;
  /** Where it can happen; a fault without further match applies to all of these. */
  apis: readonly Api[];
  /** Requests it can befall, as a test of the path below the api. */
  path: RegExp;
  effect: string;
}

const EVERY: readonly Api[] = ['google', 'gmail', 'github-oauth', 'github'];
const DATA: readonly Api[] = ['gmail', 'github'];
const OAUTH: readonly Api[] = ['google', 'github-oauth'];
const ANY = /./;
const TOKEN = /\/(token|access_token)$/;
const LISTS = /\/(messages|threads|pulls)$/;

/** Every fault that can be injected by name, with what it does. Seconds, addresses and the like are set by `options`. */
export const FAULTS = [
  // 1. Authorisation
  {
    name: 'consent-denied',
    apis: OAUTH,
    path: /auth/,
    effect: 'The consent page answers access_denied, whatever is pressed.',
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
    effect: 'The redirect to the product carries another state.',
  },
  {
    name: 'id-token-wrong-nonce',
    apis: ['google'],
    path: TOKEN,
    effect: 'The id token carries another nonce.',
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
    effect: 'The id token names another issuer.',
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
  { name: 'code-reused', apis: OAUTH, path: TOKEN, effect: 'The authorisation code is refused as used.' },
  {
    name: 'invalid-grant',
    apis: OAUTH,
    path: TOKEN,
    effect: 'The refresh token is refused: invalid_grant, or bad_refresh_token at GitHub.',
  },
  {
    name: 'short-token-lifetime',
    apis: OAUTH,
    path: TOKEN,
    effect: 'The access token lives options.seconds (1).',
  },
  {
    name: 'token-expired',
    apis: DATA,
    path: ANY,
    effect: 'The access token is refused with 401, once per hit.',
  },
  {
    name: 'refresh-token-rotates',
    apis: ['google'],
    path: TOKEN,
    effect: 'A refresh answers a new refresh token and ends the old one.',
  },
  {
    name: 'rotated-refresh-token-lost',
    apis: OAUTH,
    path: TOKEN,
    effect: 'The refresh token rotates and the connection breaks before the answer.',
  },
  { name: 'revoke-fails', apis: ['google', 'github'], path: /revoke|grant/, effect: 'Revoking answers 503.' },
  { name: 'insufficient-scope', apis: DATA, path: ANY, effect: 'The API answers 403 for want of a scope.' },
  { name: 'sso-required', apis: ['github'], path: ANY, effect: 'GitHub answers 403 with x-github-sso.' },
  { name: 'access-blocked', apis: ['github'], path: ANY, effect: 'GitHub answers 451.' },
  // 2. Limits
  { name: 'gmail-user-rate-limit', apis: ['gmail'], path: ANY, effect: '403 userRateLimitExceeded.' },
  { name: 'gmail-rate-limit', apis: ['gmail'], path: ANY, effect: '403 rateLimitExceeded.' },
  { name: 'gmail-daily-limit', apis: ['gmail'], path: ANY, effect: '403 dailyLimitExceeded.' },
  {
    name: 'gmail-too-many-concurrent',
    apis: ['gmail'],
    path: ANY,
    effect: '429 Too many concurrent requests for user.',
  },
  {
    name: 'gmail-too-many-requests',
    apis: ['gmail'],
    path: ANY,
    effect: '429 with retry-after options.seconds (1).',
  },
  {
    name: 'github-primary-limit',
    apis: ['github'],
    path: ANY,
    effect: '403, nothing remaining, reset in options.seconds (2).',
  },
  {
    name: 'github-reset-in-past',
    apis: ['github'],
    path: ANY,
    effect: '403, nothing remaining, reset options.seconds (30) ago.',
  },
  {
    name: 'github-secondary-limit',
    apis: ['github'],
    path: ANY,
    effect: '403 secondary limit with retry-after options.seconds (1).',
  },
  {
    name: 'github-secondary-limit-429',
    apis: ['github'],
    path: ANY,
    effect: '429 secondary limit with retry-after options.seconds (1).',
  },
  {
    name: 'github-secondary-limit-bare',
    apis: ['github'],
    path: ANY,
    effect: '403 secondary limit without retry-after.',
  },
  {
    name: 'clock-skew',
    apis: DATA,
    path: ANY,
    effect: 'The Date header, and at GitHub the reset, are off by options.seconds (3600).',
  },
  // 3. Transport
  { name: 'latency', apis: EVERY, path: ANY, effect: 'The answer comes options.milliseconds (500) later.' },
  { name: 'http-500', apis: EVERY, path: ANY, effect: '500 in the form of the api.' },
  { name: 'http-502', apis: EVERY, path: ANY, effect: '502 in the form of the api.' },
  {
    name: 'http-503',
    apis: EVERY,
    path: ANY,
    effect: '503 in the form of the api, with retry-after when options.seconds is set.',
  },
  { name: 'http-504', apis: EVERY, path: ANY, effect: '504 in the form of the api.' },
  { name: 'html-error-body', apis: EVERY, path: ANY, effect: '502 with a page of HTML.' },
  {
    name: 'html-instead-of-json',
    apis: EVERY,
    path: ANY,
    effect: '200 with a page of HTML, as a captive portal answers.',
  },
  { name: 'connection-reset', apis: EVERY, path: ANY, effect: 'The connection breaks before any answer.' },
  {
    name: 'reset-mid-body',
    apis: EVERY,
    path: ANY,
    effect: 'The connection breaks in the middle of the body.',
  },
  {
    name: 'truncated-json',
    apis: EVERY,
    path: ANY,
    effect: 'The body is the first half, its length header fits.',
  },
  { name: 'invalid-json', apis: EVERY, path: ANY, effect: 'The body is not JSON.' },
  { name: 'empty-body', apis: EVERY, path: ANY, effect: 'The body is empty.' },
  {
    name: 'stalled-stream',
    apis: EVERY,
    path: ANY,
    effect: 'Half of the body, then silence on an open connection.',
  },
  {
    name: 'content-length-too-long',
    apis: EVERY,
    path: ANY,
    effect: 'The header promises more bytes than come before the end.',
  },
  {
    name: 'content-length-too-short',
    apis: EVERY,
    path: ANY,
    effect: 'The header promises fewer bytes than come.',
  },
  { name: 'broken-gzip', apis: EVERY, path: ANY, effect: 'The body is damaged gzip.' },
  {
    name: 'redirect',
    apis: EVERY,
    path: ANY,
    effect: '307 to options.location, by default the same address once more.',
  },
  { name: 'redirect-loop', apis: EVERY, path: ANY, effect: '302 to itself, until the fault is used up.' },
  // 4. Drift
  {
    name: 'insert-between-pages',
    apis: DATA,
    path: LISTS,
    effect: 'options.count (1) new records appear before the page is read.',
  },
  {
    name: 'delete-between-pages',
    apis: DATA,
    path: LISTS,
    effect: 'options.count (1) of the newest records vanish before the page is read.',
  },
  {
    name: 'update-between-pages',
    apis: DATA,
    path: LISTS,
    effect: 'options.count (1) of the oldest records change before the page is read.',
  },
  {
    name: 'page-token-expired',
    apis: ['gmail'],
    path: /\/(messages|threads|history)$/,
    effect: 'A page token is refused with 400.',
  },
  {
    name: 'page-token-loop',
    apis: DATA,
    path: LISTS,
    effect: 'The next page token, or next link, is the one just used.',
  },
  {
    name: 'empty-page-with-next',
    apis: DATA,
    path: LISTS,
    effect: 'A page without records that still names a next one.',
  },
  {
    name: 'history-gone',
    apis: ['gmail'],
    path: /\/history$/,
    effect: 'The start history id is out of range: 404.',
  },
  {
    name: 'history-repeats',
    apis: ['gmail'],
    path: /\/history$/,
    effect: 'History records come twice and in reverse.',
  },
  {
    name: 'message-gone',
    apis: ['gmail'],
    path: /\/(messages|threads)\/[^/]+$/,
    effect: 'A listed message is 404 when it is read.',
  },
  {
    name: 'label-renamed',
    apis: ['gmail'],
    path: ANY,
    effect: 'The first user label gets another name before the answer.',
  },
  {
    name: 'label-deleted',
    apis: ['gmail'],
    path: ANY,
    effect: 'The first user label is deleted before the answer.',
  },
  {
    name: 'repo-renamed',
    apis: ['github'],
    path: /^\/repos\//,
    effect: 'The repository is renamed (options.name): 301 to its id from then on.',
  },
  {
    name: 'repo-deleted',
    apis: ['github'],
    path: /^\/repos\//,
    effect: 'The repository is deleted: 404 from then on.',
  },
  {
    name: 'repo-private',
    apis: ['github'],
    path: /^\/repos\//,
    effect: 'The repository turns private and the account loses it: 404 from then on.',
  },
  // 5. Payload, in answers (see MAIL_ODDITIES and PULL_ODDITIES for records that can be inserted)
  {
    name: 'bad-base64url',
    apis: ['gmail'],
    path: /\/messages\/[^/]+$/,
    effect: 'The data of a message body is not base64url.',
  },
  {
    name: 'missing-body',
    apis: ['gmail'],
    path: /\/messages\/[^/]+$/,
    effect: 'The parts of a message have no body.',
  },
  {
    name: 'missing-payload',
    apis: ['gmail'],
    path: /\/messages\/[^/]+$/,
    effect: 'The message has no payload.',
  },
  { name: 'unknown-field', apis: DATA, path: ANY, effect: 'The answer has a field that nobody documented.' },
  {
    name: 'batch-part-refused',
    apis: ['gmail'],
    path: /batch/,
    effect: 'Every second part of a batch is 429 inside a 200.',
  },
] as const satisfies readonly FaultEntry[];

/** The name of an injectable fault. */
export type FaultName = (typeof FAULTS)[number]['name'];

const BY_NAME = new Map<string, FaultEntry>(FAULTS.map((entry) => [entry.name, entry]));

/** The entry of a fault; throws a RangeError with the nearest hint for an unknown name. */
export function faultEntry(name: string): FaultEntry {
  const found = BY_NAME.get(name);
  if (!found) throw new RangeError(`No fault is called "${name}". Known: ${[...BY_NAME.keys()].join(', ')}`);
  return found;
}
