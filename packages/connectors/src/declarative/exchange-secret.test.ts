import type { RequestListener } from 'node:http';
import { type ConnectorDocument, connectorDocumentSchema } from '@datadeck/contract/connector-document';
import { afterEach, describe, expect, it } from 'vitest';
import { type SmallServer, startSmallServer } from '../sdk/conformance/small-server.ts';
import { declarativeConnector } from './index.ts';

const SECRET = 'secret:with%signs&more-4c1d';
const USER = 'desk client';
const CLIENT_SECRET = 'client:with%signs&more-77';
/** Refresh tokens that the service has given after the entered one; the last one is the one that it accepts. */
let rotated: string[] = [];
/** Tokens that the service has given, the last one is the one that it accepts. */
let given: string[] = [];
const opened: SmallServer[] = [];
afterEach(() => {
  for (const one of opened.splice(0)) one.close();
  given = [];
  rotated = [];
});

const KINDS = {
  'client credentials in the header': { kind: 'client-credentials', user: 'user', scopes: ['read', 'all'] },
  'client credentials in the body': { kind: 'client-credentials', user: 'user', send: 'body' },
  'a refresh token with the client in the body': {
    ...{ kind: 'refresh-token', client: 'user', clientSecret: 'clientSecret' },
  },
  'a refresh token with the client in the header': {
    ...{ kind: 'refresh-token', client: 'user', clientSecret: 'clientSecret', send: 'header' },
    scopes: ['read', 'all'],
  },
  'a refresh token of a client without a secret': { kind: 'refresh-token', client: 'user', send: 'header' },
  'a session by a JSON body': {
    kind: 'session-token',
    user: 'user',
    path: '/token',
    token: 'data.token',
    name: 'X-Session',
    prefix: '',
  },
  'a session by Basic': {
    kind: 'session-token',
    user: 'user',
    path: '/token',
    token: 'data.token',
    send: 'header',
  },
} as const;
type Kind = keyof typeof KINDS;

async function bodyOf(request: Parameters<RequestListener>[0]): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/** Returns the client and the refresh token of a request, if that is as RFC 6749 has it. */
function byRefreshToken(kind: Kind, pair: string, form: URLSearchParams): unknown[] {
  const known = {
    client_id: USER,
    ...(kind.endsWith('body') && { client_secret: CLIENT_SECRET }),
  };
  const ofClient = Object.entries(known).map(([name, value]) => form.get(name) === value);
  const isByHeader = kind.endsWith('header');
  const encoded = [USER, CLIENT_SECRET].map((one) => new URLSearchParams({ a: one }).toString().slice(2));
  const isOfClient = isByHeader
    ? pair === encoded.join(':') && form.get('client_id') === null && form.get('scope') === 'read all'
    : pair === '' && ofClient.every(Boolean) && form.get('client_secret') === (known.client_secret ?? null);
  const isGrant = form.get('grant_type') === 'refresh_token';
  const isCurrent = form.get('refresh_token') === (rotated.at(-1) ?? SECRET);
  return isOfClient && isGrant && isCurrent ? [USER, SECRET] : [];
}

/** Returns who signs in, by the header or the body. */
function entered(kind: Kind, headers: Record<string, unknown>, body: string): unknown[] {
  const [, encoded = ''] = String(headers.authorization ?? '').split(' ');
  const pair = Buffer.from(encoded, 'base64').toString();
  const [user = '', ...rest] = pair.split(':');
  switch (kind) {
    case 'client credentials in the header':
      return [user, rest.join(':')].map((one) => new URLSearchParams(`a=${one}`).get('a'));
    case 'client credentials in the body': {
      const form = new URLSearchParams(body);
      return [form.get('client_id'), form.get('client_secret')];
    }
    case 'a refresh token with the client in the body':
    case 'a refresh token with the client in the header':
    case 'a refresh token of a client without a secret':
      return byRefreshToken(kind, pair, new URLSearchParams(body));
    case 'a session by a JSON body': {
      const { username, password } = JSON.parse(body);
      return [username, password];
    }
    case 'a session by Basic':
      return [user, rest.join(':')];
  }
}

async function serve(
  kind: Kind,
  answer?: RequestListener,
): Promise<{ url: string; connector: ReturnType<typeof declarativeConnector> }> {
  const server = await startSmallServer(async (request, response) => {
    const send = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    const body = await bodyOf(request);
    if (request.url === '/token') {
      if (answer) return answer(request, response);
      const [user, secret] = entered(kind, request.headers, body);
      if (request.method !== 'POST' || user !== USER || secret !== SECRET) return send(401, { echo: body });
      const token = `token-${given.length}-${'x'.repeat(20)}`;
      given.push(token);
      const isRotated = KINDS[kind].kind === 'refresh-token' && given.length > 1;
      if (isRotated) rotated.push(`rotated-${given.length}`);
      const refresh = isRotated ? { refresh_token: rotated.at(-1) } : {};
      return send(200, { access_token: token, expires_in: 3600, data: { token }, ...refresh });
    }
    const token =
      kind === 'a session by a JSON body'
        ? request.headers['x-session']
        : request.headers.authorization?.slice(7);
    if (token !== given.at(-1)) return send(401, {});
    return send(200, request.url === '/me' ? { id: 7, name: 'Desk' } : { items: [] });
  });
  opened.push(server);
  return { url: server.url, connector: declarativeConnector(documentOf(kind, server.url)) };
}

function documentOf(kind: Kind, url: string): ConnectorDocument {
  const authentication =
    KINDS[kind].kind === 'session-token' ? KINDS[kind] : { ...KINDS[kind], tokenUrl: `${url}/token` };
  return connectorDocumentSchema.parse({
    version: 1,
    key: 'desk',
    title: 'Desk',
    description: 'A desk.',
    baseUrl: url,
    authentication,
    connect: {
      fields: [
        { name: 'user', label: 'User' },
        ...('clientSecret' in authentication
          ? [{ name: 'clientSecret', label: 'Client secret', hidden: true }]
          : []),
      ],
      secret: { name: 'secret', label: 'Secret' },
    },
    identity: { request: { path: '/me' }, subject: 'response.id', account: 'response.name' },
    quota: { perMinute: 1000 },
    entities: [
      {
        id: 'desk-items',
        title: 'Items',
        description: 'Items.',
        request: { path: '/items' },
        records: 'response.items',
        date: 'record.at',
        columns: { name: { type: 'text', value: 'record.name' } },
        titleColumn: 'name',
        templates: [{ key: 'desk-all', kind: 'records', title: 'All', description: 'All.' }],
      },
    ],
  });
}

async function failureOf(work: Promise<unknown>) {
  const error = await work.then(
    () => undefined,
    (found: unknown) => found as Error & { failure: string; field?: string },
  );
  expect(error?.message ?? '').not.toContain(SECRET);
  expect(error?.message ?? '').not.toContain(encodeURIComponent(SECRET));
  expect(error?.message ?? '').not.toContain(CLIENT_SECRET);
  return error;
}

const VALUES = { user: USER, secret: SECRET, clientSecret: CLIENT_SECRET };

describe.each(Object.keys(KINDS) as Kind[])('an account with %s', (kind) => {
  it('is connected with the token that the secret yields, and renews it with the secret', async () => {
    const { connector } = await serve(kind);
    const form = connector.formAuthorization;
    const grant = await form?.connect(VALUES);
    expect(grant?.identity).toMatchObject({ subject: '7', account: 'Desk' });
    expect(grant?.credentials.accessToken).toBe(given[0]);
    const isClient = KINDS[kind].kind !== 'session-token';
    expect((grant?.credentials.expiresAt ?? 0) > Date.now()).toBe(isClient);
    const renewed = grant && (await form?.refresh(grant.credentials));
    expect(renewed?.accessToken).toBe(given[1]);
    expect(renewed?.refreshToken).toBe(rotated[0] ?? SECRET);
    expect(rotated).toHaveLength(KINDS[kind].kind === 'refresh-token' ? 1 : 0);
    const again = renewed && (await form?.refresh(renewed));
    expect(again?.accessToken).toBe(given[2]);
  });

  it('is refused at the field of the secret, which no message has', async () => {
    const { connector } = await serve(kind);
    const error = await failureOf(
      connector.formAuthorization?.connect({ ...VALUES, secret: `${SECRET}!` }) ?? Promise.resolve(),
    );
    expect(error).toMatchObject({ failure: 'reauthorise', field: 'secret' });
  });

  it.each([
    ['no token', '{"data": {}}', 'malformed'],
    ['no JSON', '<html>', 'malformed'],
    ['a token that is no text', '{"access_token": {"a": 1}, "data": {"token": [1]}}', 'malformed'],
    ['more than a token', `{"access_token": "${'a'.repeat(100_000)}"}`, 'malformed'],
  ])('is refused when the answer has %s', async (_, text, failure) => {
    const { connector } = await serve(kind, (_request, response) => response.end(text));
    const error = await failureOf(connector.formAuthorization?.connect(VALUES) ?? Promise.resolve());
    expect(error).toMatchObject({ failure });
  });

  it('sends the secret nowhere else: a document with another address asks to connect again', async () => {
    const first = await serve(kind);
    const grant = await first.connector.formAuthorization?.connect(VALUES);
    const before = given.length;
    const second = await serve(kind);
    const renewal = grant && second.connector.formAuthorization?.refresh(grant.credentials);
    expect(await failureOf(Promise.resolve(renewal))).toMatchObject({ failure: 'reauthorise' });
    expect(given).toHaveLength(before);
  });
});
