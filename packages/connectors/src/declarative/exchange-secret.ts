import type { ConnectorDocument } from '@datadeck/contract/connector-document';
import { ProviderError, sendHttp, urlOf } from '../sdk/index.ts';
import { type AccessOptions, baseAddressOf, HEADER_VALUE } from './access.ts';
import { fieldAt } from './field-at.ts';
import { type FormValues, filledText, namedValue } from './form-values.ts';

/** Longest time for the answer with a token, ms. */
const TIMEOUT_MS = 15_000;
/** Largest answer with a token, bytes. */
const MAX_ANSWER_BYTES = 64 * 1024;
/** Longest token, characters. */
const MAX_TOKEN = 16_000;

/** The secret of a form, and its other values. */
export interface EnteredSecret extends FormValues {
  secret: string;
}

/** A token that a secret yielded. */
export interface ExchangedToken {
  accessToken: string;
  /** ms since 1970; absent where nobody says when. */
  expiresAt?: number;
  /** Replaces the refresh token that yielded it. */
  refreshToken?: string;
}

/** Options of `exchangeSecret`. */
export interface ExchangeOptions extends AccessOptions {
  /** Hosts that may be called; see `resolveHost`. Default: all. */
  hosts?: readonly string[] | undefined;
}

type Authentication = ConnectorDocument['authentication'];
type Exchanged = Extract<Authentication, { kind: 'client-credentials' | 'refresh-token' | 'session-token' }>;

/** A request for a token. */
interface TokenRequest {
  url: URL;
  headers: Record<string, string>;
  /** Parameters of the address. */
  query: Record<string, string>;
  /** Members of the body by name; a name may repeat in a form. */
  members: [name: string, value: string][];
  /** `none`: a GET. `object`: JSON, also without members. */
  body: 'none' | 'form' | 'json' | 'object';
}

const basic = (user: string, secret: string) =>
  `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}`;

/** Encodes a part of `client_secret_basic` (RFC 6749, section 2.3.1). */
const formEncoded = (text: string) => new URLSearchParams([['', text]]).toString().slice(1);

type OfClient = Extract<Exchanged, { kind: 'client-credentials' | 'refresh-token' }>;

/** Returns the request of a client for a token (RFC 6749, sections 4.4.2 and 6). A client without a secret sends only its id. */
function clientRequest(
  { tokenUrl, scopes, send }: OfClient,
  { user, secret }: { user: string; secret: string },
  grant: Readonly<Record<string, string>>,
): TokenRequest {
  const members = Object.entries(grant);
  if (scopes.length > 0) members.push(['scope', scopes.join(' ')]);
  const isInHeader = send !== 'body' && secret !== '';
  if (!isInHeader) {
    members.push(['client_id', user]);
    if (secret !== '') members.push(['client_secret', secret]);
  }
  const pair = send === 'basic' ? basic(user, secret) : basic(formEncoded(user), formEncoded(secret));
  return {
    url: new URL(tokenUrl),
    headers: isInHeader ? { authorization: pair } : {},
    query: {},
    members,
    body: 'form',
  };
}

type Document = Pick<ConnectorDocument, 'title' | 'baseUrl' | 'connect'>;

/** Returns the request that exchanges a secret. @throws ProviderError */
function requestOf(
  document: Document & { authentication: Exchanged },
  options: ExchangeOptions,
  { secret, ...values }: EnteredSecret,
): TokenRequest {
  const { authentication, connect } = document;
  const valueFor = (name: string) =>
    name === connect.secret?.name ? secret : namedValue(document, values, name);
  const request = () => {
    switch (authentication.kind) {
      case 'client-credentials':
        return clientRequest(
          authentication,
          { user: valueFor(authentication.user), secret },
          { grant_type: 'client_credentials' },
        );
      case 'refresh-token': {
        const { client, clientSecret } = authentication;
        const of = {
          user: valueFor(client),
          secret: clientSecret === undefined ? '' : valueFor(clientSecret),
        };
        return clientRequest(authentication, of, { grant_type: 'refresh_token', refresh_token: secret });
      }
      case 'session-token': {
        const { path = '/', tokenUrl, user } = authentication;
        const url =
          tokenUrl === undefined
            ? urlOf({ path }, baseAddressOf(document, values.fields, options))
            : new URL(tokenUrl);
        return sessionRequest(authentication, url, user === undefined ? undefined : [valueFor(user), secret]);
      }
    }
  };
  return withParts(request(), authentication.tokenParts ?? [], valueFor);
}

function sessionRequest(
  { method, send, form, userParameter, secretParameter }: Extract<Exchanged, { kind: 'session-token' }>,
  url: URL,
  pair: [user: string, secret: string] | undefined,
): TokenRequest {
  const isInHeader = send === 'header' && pair !== undefined;
  const kind = form ? 'form' : isInHeader ? 'object' : 'json';
  return {
    url,
    headers: isInHeader ? { authorization: basic(...pair) } : {},
    query: {},
    members:
      pair === undefined || isInHeader
        ? []
        : [
            [userParameter, pair[0]],
            [secretParameter, pair[1]],
          ],
    body: method === 'GET' ? 'none' : kind,
  };
}

/** Adds the further parts of a request for a token, but those that are empty. */
function withParts(
  request: TokenRequest,
  parts: NonNullable<Exchanged['tokenParts']>,
  valueFor: (name: string) => string,
): TokenRequest {
  for (const { in: place, name, value } of parts) {
    const text = filledText(value, valueFor);
    if (text === undefined) continue;
    if (place === 'body') request.members.push([name, text]);
    else if (place === 'query') request.query[name] = text;
    else request.headers[name.toLowerCase()] = text;
  }
  return request;
}

/** Returns the body of a request; undefined for a GET. */
function bodyOf({ body, members }: TokenRequest): string | undefined {
  if (body === 'none') return undefined;
  if (body === 'form') return new URLSearchParams(members).toString();
  return members.length === 0 && body === 'json' ? '' : JSON.stringify(Object.fromEntries(members));
}

function parseAnswer(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}

/** Sends a request for a token. @throws ProviderError without what was sent */
async function requestToken(
  title: string,
  request: TokenRequest,
  hosts: readonly string[] | undefined,
): Promise<unknown> {
  const unreachable = new ProviderError('unavailable', `${title} could not be reached. Try again later.`);
  const known = (error: unknown) => (error instanceof ProviderError ? error : unreachable);
  const { url, query, headers } = request;
  if (Object.values(headers).some((value) => !HEADER_VALUE.test(value)))
    throw new ProviderError('invalid', 'What you entered has characters that cannot be sent.');
  const body = bodyOf(request);
  const type = request.body === 'form' && body !== '' && 'application/x-www-form-urlencoded';
  const answer = await sendHttp({
    url,
    secretQuery: query,
    hosts,
    json: body,
    maxBytes: MAX_ANSWER_BYTES,
    headers: {
      accept: 'application/json',
      'user-agent': 'Datadeck (gzip)',
      ...(type && { 'content-type': type }),
      ...headers,
    },
    signal: AbortSignal.timeout(TIMEOUT_MS),
    idleTimeoutMs: TIMEOUT_MS,
    title,
    onRequest: () => undefined,
  }).catch((error: unknown) => {
    throw known(error);
  });
  const bytes = await answer.bytes.catch((error: unknown) => {
    throw known(error);
  });
  if (answer.status < 300) return parseAnswer(bytes);
  if (answer.status === 429 || answer.status >= 500)
    throw new ProviderError('unavailable', `${title} is failing (status ${answer.status}). Try again later.`);
  throw new ProviderError(
    'reauthorise',
    `${title} refused the sign-in (status ${answer.status}). Check what you entered.`,
  );
}

const isToken = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= MAX_TOKEN;

function isExchanged(authentication: Authentication): authentication is Exchanged {
  return ['client-credentials', 'refresh-token', 'session-token'].includes(authentication.kind);
}

/**
 * Exchanges the secret of a form for a token, where the document says so.
 * @returns undefined for documents that send the secret itself
 * @throws ProviderError `reauthorise` for any other status than success, 429 and 5xx; `unavailable` for these two and without an answer;
 *   `malformed` for an answer without a token or one that is too large; `forbidden` for a host that is not allowed; `invalid` for a value
 *   that leads elsewhere or that no header can have
 */
export async function exchangeSecret(
  document: Pick<ConnectorDocument, 'title' | 'baseUrl' | 'authentication' | 'connect'>,
  options: ExchangeOptions,
  entered: EnteredSecret,
): Promise<ExchangedToken | undefined> {
  const { authentication, title } = document;
  if (!isExchanged(authentication)) return undefined;
  const isOAuth = authentication.kind !== 'session-token';
  const request = requestOf({ ...document, authentication }, options, entered);
  const answer = await requestToken(title, request, options.hosts);
  const accessToken = fieldAt(answer, isOAuth ? 'access_token' : authentication.token);
  if (!isToken(accessToken))
    throw new ProviderError('malformed', `${title} answered the sign-in without a token.`);
  const seconds = Number(isOAuth ? fieldAt(answer, 'expires_in') : authentication.expiresAfter);
  const rotated = authentication.kind === 'refresh-token' ? fieldAt(answer, 'refresh_token') : undefined;
  return {
    accessToken,
    ...(seconds > 0 && { expiresAt: Date.now() + seconds * 1000 }),
    ...(isToken(rotated) && { refreshToken: rotated }),
  };
}
