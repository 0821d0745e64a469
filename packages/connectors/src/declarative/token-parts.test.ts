import type { IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { type ConnectorDocument, connectorDocumentSchema } from '@datadeck/contract/connector-document';
import { afterEach, describe, expect, it } from 'vitest';
import { type SmallServer, startSmallServer } from '../sdk/conformance/small-server.ts';
import { documentProblems } from './document-problems.ts';
import { declarativeConnector } from './index.ts';

const VALUES = {
  user: 'desk client',
  extra: 'extra&value',
  hidden: 'hidden+4c1d',
  secret: 'secret%/with=signs',
};
const TOKEN = 'token-1234567890';

/** A request as the service got it. */
interface Seen {
  method: string;
  path: string;
  query: Record<string, string>;
  headers: IncomingHttpHeaders;
  body: string;
}

const opened: SmallServer[] = [];
afterEach(() => {
  for (const one of opened.splice(0)) one.close();
});

/** Starts a service that answers each request with a token, an account and an empty list. */
async function serve(status = 200): Promise<{ url: string; seen: Seen[] }> {
  const seen: Seen[] = [];
  const server = await startSmallServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://service.test');
    seen.push({
      ...{ method: request.method ?? '', path: pathname, query: Object.fromEntries(searchParams) },
      ...{ headers: request.headers, body: await text(request) },
    });
    response.writeHead(pathname === '/login' ? status : 200, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify({ access_token: TOKEN, data: { token: TOKEN }, id: 7, name: 'Desk', items: [] }),
    );
  });
  opened.push(server);
  return { url: server.url, seen };
}

function documentOf(url: string, authentication: object): ConnectorDocument {
  return connectorDocumentSchema.parse({
    ...{ version: 1, key: 'desk', title: 'Desk', description: 'A desk.', baseUrl: url, authentication },
    connect: {
      fields: [
        { name: 'user', label: 'User' },
        { name: 'extra', label: 'Extra' },
        { name: 'empty', label: 'Empty', required: false },
        ...(JSON.stringify(authentication).includes('hidden')
          ? [{ name: 'hidden', label: 'Hidden', hidden: true }]
          : []),
      ],
      secret: { name: 'secret', label: 'Secret' },
    },
    identity: { request: { path: '/me' }, subject: 'response.id', account: 'response.name' },
    quota: { perMinute: 1000 },
    entities: [
      {
        ...{ id: 'desk-items', title: 'Items', description: 'Items.', request: { path: '/items' } },
        ...{ records: 'response.items', date: 'record.at', titleColumn: 'name' },
        columns: { name: { type: 'text', value: 'record.name' } },
        templates: [{ key: 'desk-all', kind: 'records', title: 'All', description: 'All.' }],
      },
    ],
  });
}

/** Connects an account. @returns the requests of token and account, and the credentials */
async function connected(url: string, seen: readonly Seen[], authentication: object) {
  const document = documentOf(url, authentication);
  expect(documentProblems(document)).toEqual([]);
  const grant = await declarativeConnector(document).formAuthorization?.connect(VALUES);
  const [login, account] = seen as [Seen, Seen];
  return { login, account, credentials: grant?.credentials };
}

const PARTS = [
  { in: 'body', name: 'grant', value: 'fixed text' },
  { in: 'body', name: 'both', value: '{extra}/{hidden}' },
  { in: 'query', name: 'asked', value: '<{hidden}>' },
  { in: 'query', name: 'left', value: 'a{empty}' },
  { in: 'header', name: 'X-Extra', value: 'K {extra}' },
] as const;
const basic = (user: string, password: string) => `Basic ${btoa(`${user}:${password}`)}`;
const withoutBody = PARTS.filter((part) => part.in !== 'body');
const BODY = { grant: 'fixed text', both: 'extra&value/hidden+4c1d' };

function expectParts(login: Seen): void {
  expect(login.query).toEqual({ asked: '<hidden+4c1d>' });
  expect(login.headers['x-extra']).toBe('K extra&value');
}

describe.each(['path', 'tokenUrl'])('a sign-in by its %s', (address) => {
  const cases = (['body', 'header', 'parts'] as const).flatMap((by) =>
    (['json', 'form', 'GET'] as const)
      .filter((body) => body !== 'GET' || by !== 'body')
      .flatMap((body) => (['header', 'query'] as const).map((place) => [by, body, place] as const)),
  );
  it.each(cases)('sends the secret by %s with %s, and the token in a %s', async (by, body, place) => {
    const service = await serve();
    const own = {
      in: body === 'GET' ? ('header' as const) : ('body' as const),
      name: 'X-Key',
      value: 'K {secret}',
    };
    const { login, account, credentials } = await connected(service.url, service.seen, {
      ...{
        kind: 'session-token',
        token: 'data.token',
        expiresAfter: 600,
        in: place,
        name: 'x-session',
        prefix: 'S ',
      },
      ...(address === 'path' ? { path: '/login' } : { tokenUrl: `${service.url}/login` }),
      ...(by === 'parts' ? {} : { user: 'user', send: by }),
      ...(body === 'form' && { form: true }),
      ...(body === 'GET' && { method: 'GET' }),
      tokenParts: [...(body === 'GET' ? withoutBody : PARTS), ...(by === 'parts' ? [own] : [])],
    });
    expect(login).toMatchObject({ method: body === 'GET' ? 'GET' : 'POST', path: '/login' });
    expectParts(login);
    const sent = {
      ...(by === 'body' && { username: VALUES.user, password: VALUES.secret }),
      ...BODY,
      ...(by === 'parts' && { 'X-Key': `K ${VALUES.secret}` }),
    };
    const read =
      body === 'json' ? JSON.parse(login.body) : Object.fromEntries(new URLSearchParams(login.body));
    expect(read).toEqual(body === 'GET' ? {} : sent);
    const types = { json: 'application/json', form: 'application/x-www-form-urlencoded', GET: undefined };
    expect(login.headers['content-type']).toBe(types[body]);
    expect(login.headers.authorization).toBe(by === 'header' ? basic(VALUES.user, VALUES.secret) : undefined);
    expect(login.headers['x-key']).toBe(by === 'parts' && body === 'GET' ? `K ${VALUES.secret}` : undefined);
    expect([account.headers['x-session'], account.query['x-session']]).toEqual(
      place === 'header' ? [`S ${TOKEN}`, undefined] : [undefined, `S ${TOKEN}`],
    );
    expect((credentials?.expiresAt ?? 0) - Date.now()).toBeGreaterThan(500_000);
    expect(JSON.stringify(account)).not.toContain(VALUES.secret);
  });

  it('sends an empty body without a type where nothing is in it', async () => {
    const service = await serve();
    const { login } = await connected(service.url, service.seen, {
      ...{ kind: 'session-token', token: 'data.token', user: 'user', send: 'header', form: true },
      ...(address === 'path' ? { path: '/login' } : { tokenUrl: `${service.url}/login` }),
    });
    expect([login.method, login.body, login.headers['content-type']]).toEqual(['POST', '', undefined]);
  });
});

describe('a request of OAuth', () => {
  const SCOPES = ['read', 'write'].map((value) => ({ in: 'body', name: 'scopes', value }));
  const cases = (['client-credentials', 'refresh-token'] as const).flatMap((kind) =>
    (['header', 'body', 'basic'] as const).map((send) => [kind, send] as const),
  );
  it.each(cases)('has further parts: %s by %s', async (kind, send) => {
    const service = await serve();
    const isRefresh = kind === 'refresh-token';
    const { login, account } = await connected(service.url, service.seen, {
      ...{ kind, send, tokenUrl: `${service.url}/login`, tokenParts: [...PARTS, ...SCOPES] },
      ...(isRefresh ? { client: 'user', clientSecret: 'hidden' } : { user: 'user' }),
    });
    expectParts(login);
    const form = new URLSearchParams(login.body);
    expect(form.getAll('scopes')).toEqual(['read', 'write']);
    form.delete('scopes');
    const secret = isRefresh ? VALUES.hidden : VALUES.secret;
    expect(Object.fromEntries(form)).toEqual({
      ...BODY,
      grant_type: isRefresh ? 'refresh_token' : 'client_credentials',
      ...(isRefresh && { refresh_token: VALUES.secret }),
      ...(send === 'body' && { client_id: VALUES.user, client_secret: secret }),
    });
    const encoded = (one: string) => new URLSearchParams({ a: one }).toString().slice(2);
    expect(login.headers.authorization).toBe(
      {
        body: undefined,
        basic: basic(VALUES.user, secret),
        header: basic(encoded(VALUES.user), encoded(secret)),
      }[send],
    );
    expect(account.headers.authorization).toBe(`Bearer ${TOKEN}`);
  });
});

describe('keys beside a token, or user and password', () => {
  const keys = [
    { in: 'header', name: 'X-Key', prefix: 'K ', field: 'hidden' },
    { in: 'query', name: 'again', field: 'secret' },
  ] as const;
  const KINDS = {
    basic: { user: 'user' },
    'client-credentials': { user: 'user' },
    'session-token': { user: 'user', token: 'data.token' },
    'refresh-token': { client: 'user' },
  };

  it.each(Object.entries(KINDS))('are sent with each request: %s', async (kind, members) => {
    const service = await serve();
    const isRefresh = kind === 'refresh-token';
    const address = kind === 'basic' ? {} : { tokenUrl: `${service.url}/login` };
    const authentication = { kind, ...members, ...address, keys: isRefresh ? keys.slice(0, 1) : keys };
    const { login, account, credentials } = await connected(service.url, service.seen, authentication);
    const sent = kind === 'basic' ? login : account;
    expect(sent.headers['x-key']).toBe(`K ${VALUES.hidden}`);
    expect(sent.query).toEqual(isRefresh ? {} : { again: VALUES.secret });
    const proof = kind === 'basic' ? basic(VALUES.user, VALUES.secret) : `Bearer ${TOKEN}`;
    expect(sent.headers.authorization).toBe(proof);
    if (kind !== 'basic') expect(JSON.stringify(login)).not.toContain(VALUES.hidden);
    expect(JSON.stringify(credentials?.fields)).not.toContain(VALUES.hidden);
  });

  it.each<[string, readonly object[]]>([
    ['a refresh token, which changes', [{ in: 'header', name: 'X-Key', field: 'secret' }]],
    ['a field that is no secret', [{ in: 'header', name: 'X-Key', field: 'user' }]],
    ['no field', [{ in: 'header', name: 'X-Key', field: 'other' }]],
    ['the header of the token', [{ in: 'header', name: 'Authorization', field: 'hidden' }]],
  ])('are refused where one is %s', (_, refused) => {
    const authentication = {
      kind: 'refresh-token',
      client: 'user',
      tokenUrl: 'https://a.example/b',
      keys: refused,
    };
    const [problem] = documentProblems(documentOf('https://a.example', authentication));
    expect(problem?.path).toMatch(/^authentication\.keys\.0\./);
  });
});

describe('the secrets of a sign-in', () => {
  const session = (url: string, tokenParts: readonly object[]) => ({
    ...{ kind: 'session-token', tokenUrl: `${url}/login`, token: 'data.token', tokenParts },
  });
  const all = (['body', 'query', 'header'] as const).map((place) => ({
    ...{ in: place, name: 'key', value: '{hidden} {secret}' },
  }));

  it.each([400, 401, 403, 429, 500])('are in no error: status %i', async (status) => {
    const { url } = await serve(status);
    const connector = declarativeConnector(documentOf(url, session(url, all)));
    const error = await connector.formAuthorization?.connect(VALUES).catch((failure: Error) => failure);
    expect(error).toBeInstanceOf(Error);
    const shown = decodeURIComponent(`${error}`);
    for (const secret of [VALUES.secret, VALUES.hidden]) expect(shown).not.toContain(secret);
  });

  it('are in no error where a header cannot have them', async () => {
    const { url, seen } = await serve();
    const connector = declarativeConnector(documentOf(url, session(url, all)));
    const values = { ...VALUES, secret: 'line\nbreak' };
    const error = await connector.formAuthorization?.connect(values).catch((failure: Error) => failure);
    expect(error).toMatchObject({ failure: 'invalid' });
    expect(seen).toEqual([]);
  });

  it('are sent to no other address: a document with another one asks to connect again', async () => {
    const [first, second] = [await serve(), await serve()];
    const { credentials } = await connected(first.url, first.seen, session(first.url, all));
    const moved = declarativeConnector(documentOf(first.url, session(second.url, all)));
    const renewal = credentials && moved.formAuthorization?.refresh(credentials);
    await expect(renewal).rejects.toMatchObject({ failure: 'reauthorise' });
    expect(second.seen).toEqual([]);
  });
});

describe('a text with fields', () => {
  it('is a key', async () => {
    const service = await serve();
    const { login } = await connected(service.url, service.seen, {
      ...{
        kind: 'api-key',
        in: 'header',
        name: 'Authorization',
        value: 'OAuth key="{hidden}", token="{secret}"',
      },
    });
    expect(login.headers.authorization).toBe(`OAuth key="${VALUES.hidden}", token="${VALUES.secret}"`);
  });

  it('is the user of Basic', async () => {
    const service = await serve();
    const authentication = { kind: 'basic', user: 'user', userText: '{user}/token' };
    const { login } = await connected(service.url, service.seen, authentication);
    expect(login.headers.authorization).toBe(basic(`${VALUES.user}/token`, VALUES.secret));
  });

  const url = 'https://api.example.com';
  const SESSION = { kind: 'session-token', token: 'token' };
  it.each<[string, object, string]>([
    ['names no field', { kind: 'api-key', in: 'query', name: 'key', value: '{other}{secret}' }, 'value'],
    ['lacks the secret', { kind: 'api-key', in: 'query', name: 'key', value: '{user}' }, 'value'],
    ['has a prefix', { kind: 'api-key', in: 'query', name: 'key', value: '{secret}', prefix: 'K' }, 'prefix'],
    ['has the secret as the user', { kind: 'basic', user: 'user', userText: '{secret}' }, 'userText'],
    ['has a colon in the user', { kind: 'basic', user: 'user', userText: '{user}/token:x' }, 'userText'],
    ['has no user', { kind: 'basic', userText: '{user}/a' }, 'userText'],
    ['has no address', { ...SESSION, user: 'user' }, 'path'],
    ['has two addresses', { ...SESSION, user: 'user', path: '/a', tokenUrl: `${url}/a` }, 'path'],
    ['has no secret', { ...SESSION, path: '/a', tokenParts: [PARTS[0]] }, 'user'],
    ['has a body by GET', { ...SESSION, path: '/a', user: 'user', method: 'GET' }, 'method'],
  ])('is refused where it %s', (_, authentication, member) => {
    const [problem] = documentProblems(documentOf(url, authentication));
    expect(problem?.path).toBe(`authentication.${member}`);
  });

  const CLIENT = { kind: 'client-credentials', user: 'user', tokenUrl: `${url}/token` };
  const REFRESH = { kind: 'refresh-token', client: 'user', clientSecret: 'hidden', tokenUrl: `${url}/token` };
  const LOGIN = { ...SESSION, user: 'user', path: '/a' };
  const body = (name: string) => ({ in: 'body', name, value: 'x' });
  const header = (name: string) => ({ in: 'header', name, value: 'x' });
  it.each<[object, ...object[]]>([
    [LOGIN, body('username')],
    [LOGIN, body('password')],
    [{ ...LOGIN, send: 'header' }, header('Authorization')],
    [LOGIN, body('a'), { in: 'query', name: 'a', value: 'x' }, body('a')],
    [LOGIN, header('X-A'), header('x-a')],
    [CLIENT, body('grant_type')],
    [CLIENT, header('Authorization')],
    [{ ...CLIENT, send: 'body' }, body('client_id')],
    [{ ...CLIENT, send: 'basic', scopes: ['a'] }, body('scope')],
    [REFRESH, body('refresh_token')],
    [REFRESH, body('client_secret')],
    [{ ...REFRESH, clientSecret: undefined, send: 'header' }, body('client_id')],
  ])('cannot repeat another part: %j %j', (authentication, ...tokenParts) => {
    const problems = documentProblems(documentOf(url, { ...authentication, tokenParts }));
    expect(problems.map(({ path }) => path)).toEqual([
      `authentication.tokenParts.${tokenParts.length - 1}.name`,
    ]);
  });

  it.each<[object, ...object[]]>([
    [LOGIN, header('Authorization'), body('grant_type')],
    [{ ...LOGIN, send: 'header' }, body('username')],
    [CLIENT, body('client_id'), body('scope'), body('scopes'), body('scopes')],
    [{ ...REFRESH, clientSecret: undefined }, header('Authorization')],
  ])('may have a name that nothing else has: %j', (authentication, ...tokenParts) => {
    expect(documentProblems(documentOf(url, { ...authentication, tokenParts }))).toEqual([]);
  });
});
