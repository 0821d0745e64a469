import type { ConnectorDocument } from '@datadeck/contract/connector-document';
import { ProviderError, sendHttp, urlOf } from '../sdk/index.ts';
import { type AccessOptions, baseAddressOf } from './access.ts';
import { fieldAt } from './field-at.ts';

/** Longest time for the answer with a token, ms. */
const TIMEOUT_MS = 15_000;
/** Largest answer with a token, bytes. */
const MAX_ANSWER_BYTES = 64 * 1024;
/** Longest token, characters. */
const MAX_TOKEN = 16_000;

/** The secret of a form, and its other values. */
export interface EnteredSecret {
  secret: string;
  fields: Readonly<Record<string, string>>;
}

/** A token that a secret yielded. */
export interface ExchangedToken {
  accessToken: string;
  /** ms since 1970; of client credentials only. */
  expiresAt?: number;
}

/** Options of `exchangeSecret`. */
export interface ExchangeOptions extends AccessOptions {
  /** Hosts that may be called; see `resolveHost`. Default: all. */
  hosts?: readonly string[] | undefined;
}

type Authentication = ConnectorDocument['authentication'];
type Exchanged = Extract<Authentication, { kind: 'client-credentials' | 'session-token' }>;

interface TokenRequest {
  url: URL;
  headers: Record<string, string>;
  body: string;
}

const basic = (user: string, secret: string) =>
  `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}`;

/** Encodes a part of `client_secret_basic` (RFC 6749, section 2.3.1). */
const formEncoded = (text: string) => new URLSearchParams([['', text]]).toString().slice(1);

function clientRequest(
  { tokenUrl, scopes, send }: Extract<Exchanged, { kind: 'client-credentials' }>,
  { user, secret }: { user: string; secret: string },
): TokenRequest {
  const form = new URLSearchParams({ grant_type: 'client_credentials' });
  if (scopes.length > 0) form.set('scope', scopes.join(' '));
  if (send === 'body') {
    form.set('client_id', user);
    form.set('client_secret', secret);
  }
  return {
    url: new URL(tokenUrl),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      ...(send === 'header' && { authorization: basic(formEncoded(user), formEncoded(secret)) }),
    },
    body: form.toString(),
  };
}

function sessionRequest(
  { path, send, userParameter, secretParameter }: Extract<Exchanged, { kind: 'session-token' }>,
  base: string,
  { user, secret }: { user: string; secret: string },
): TokenRequest {
  return {
    url: urlOf({ path }, base),
    headers: send === 'header' ? { authorization: basic(user, secret) } : {},
    body: send === 'header' ? '{}' : JSON.stringify({ [userParameter]: user, [secretParameter]: secret }),
  };
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
  { url, headers, body }: TokenRequest,
  hosts: readonly string[] | undefined,
): Promise<unknown> {
  const unreachable = new ProviderError('unavailable', `${title} could not be reached. Try again later.`);
  const known = (error: unknown) => (error instanceof ProviderError ? error : unreachable);
  const answer = await sendHttp({
    url,
    hosts,
    json: body,
    maxBytes: MAX_ANSWER_BYTES,
    headers: { accept: 'application/json', 'user-agent': 'Datadeck (gzip)', ...headers },
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

/**
 * Exchanges the secret of a form for a token, where the document says so.
 * @returns undefined for documents that send the secret itself
 * @throws ProviderError `reauthorise` for any other status than success, 429 and 5xx; `unavailable` for these two and without an answer;
 *   `malformed` for an answer without a token or one that is too large; `forbidden` for a host that is not allowed; `invalid` for a value
 *   that leads elsewhere
 */
export async function exchangeSecret(
  document: Pick<ConnectorDocument, 'title' | 'baseUrl' | 'authentication' | 'connect'>,
  options: ExchangeOptions,
  { secret, fields }: EnteredSecret,
): Promise<ExchangedToken | undefined> {
  const { authentication, title } = document;
  if (authentication.kind !== 'client-credentials' && authentication.kind !== 'session-token')
    return undefined;
  const user = fields[authentication.user] ?? '';
  const isClient = authentication.kind === 'client-credentials';
  const request = isClient
    ? clientRequest(authentication, { user, secret })
    : sessionRequest(authentication, baseAddressOf(document, fields, options), { user, secret });
  const answer = await requestToken(title, request, options.hosts);
  const accessToken = fieldAt(answer, isClient ? 'access_token' : authentication.token);
  const isToken = typeof accessToken === 'string' && accessToken !== '' && accessToken.length <= MAX_TOKEN;
  if (!isToken) throw new ProviderError('malformed', `${title} answered the sign-in without a token.`);
  const seconds = isClient ? Number(fieldAt(answer, 'expires_in')) : Number.NaN;
  return { accessToken, ...(seconds > 0 && { expiresAt: Date.now() + seconds * 1000 }) };
}
