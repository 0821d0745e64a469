import { randomUUID } from 'node:crypto';
import type { ConnectorDocument } from '@datadeck/contract/connector-document';
import type { Credentials } from '../../src/sdk/authorization.ts';
import { ACCOUNT, API_PATH, type ServiceShape, TOKEN_KINDS, type TokenKind } from './shape.ts';

/** Client of the connector, which an administrator entered. */
export const CLIENT = { id: 'deck', secret: 'client-s3cret' } as const;
const TOKEN_PATH = '/oauth/token';
const SESSION_PATH = '/session';

/** Returns whether accounts of a shape get a token, rather than enter what each request sends. */
export function isTokenKind(kind: ServiceShape['authentication']): kind is TokenKind {
  return TOKEN_KINDS.some((one) => one === kind);
}

/** Returns the authentication of a document for a service that issues tokens. @param origin of the service */
export function tokenAuthentication(kind: TokenKind, origin: string): ConnectorDocument['authentication'] {
  const tokenUrl = `${origin}${TOKEN_PATH}`;
  switch (kind) {
    case 'client-credentials':
      return { kind, user: 'user', tokenUrl, scopes: [], send: 'body' };
    case 'refresh-token':
      return { kind, client: 'user', clientSecret: 'clientSecret', tokenUrl, scopes: [], send: 'body' };
    case 'oauth-code':
      return {
        kind,
        authorizationUrl: `${origin}/oauth/page`,
        tokenUrl,
        scopes: [],
        send: 'body',
        parameters: {},
      };
    case 'session-token':
      return {
        ...{ kind, user: 'user', path: SESSION_PATH, send: 'body', token: 'data.token' },
        ...{ userParameter: 'login', secretParameter: 'word', name: 'x-session', prefix: 'S ' },
      } as const;
  }
}

/** Issues the tokens of one account; a new one ends those before it. */
export class TokenIssuer {
  #token = randomUUID();
  #renewal = randomUUID();

  /** Returns what a connection has stored. */
  credentials(kind: TokenKind): Credentials {
    const { user, secret } = ACCOUNT;
    const isCode = kind === 'oauth-code';
    return {
      accessToken: this.#token,
      refreshToken: isCode || kind === 'refresh-token' ? this.#renewal : secret,
      ...(kind === 'refresh-token' && { secrets: { clientSecret: CLIENT.secret } }),
      fields: isCode ? {} : { site: 'acme', user },
      scopes: [],
      method: isCode ? 'consent' : 'form',
    };
  }

  /** Ends all access tokens. */
  expire(): void {
    this.#token = randomUUID();
  }

  isValid(token: string | undefined): boolean {
    return token === this.#token;
  }

  /** Answers a request for a token; undefined for any other request, null for one that is refused. */
  answer(path: string, body: string): object | null | undefined {
    if (path === API_PATH + SESSION_PATH) return this.#session(JSON.parse(body));
    return path === TOKEN_PATH ? this.#grant(new URLSearchParams(body)) : undefined;
  }

  #session({ login, word }: Record<string, unknown>): object | null {
    if (login !== ACCOUNT.user || word !== ACCOUNT.secret) return null;
    this.expire();
    return { data: { token: this.#token } };
  }

  #grant(form: URLSearchParams): object | null {
    const { user, secret } = ACCOUNT;
    const isOf = (id: string, password: string) =>
      form.get('client_id') === id && form.get('client_secret') === password;
    const type = form.get('grant_type');
    if (type === 'client_credentials' && isOf(user, secret)) {
      this.expire();
      return { access_token: this.#token, token_type: 'Bearer', expires_in: 3600 };
    }
    const isRenewal = type === 'refresh_token' && form.get('refresh_token') === this.#renewal;
    if (!isRenewal || !(isOf(CLIENT.id, CLIENT.secret) || isOf(user, CLIENT.secret))) return null;
    this.expire();
    // Each renewal ends the one before.
    this.#renewal = randomUUID();
    return {
      ...{ access_token: this.#token, refresh_token: this.#renewal },
      ...{ token_type: 'Bearer', expires_in: 3600 },
    };
  }
}
