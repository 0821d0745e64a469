import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ConnectorDocument, connectorDocumentSchema } from '@datadeck/contract/connector-document';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type SmallServer, startSmallServer } from '../sdk/conformance/small-server.ts';
import { type FormAuthorization, type Grant, ProviderError } from '../sdk/index.ts';
import { documentAuthorization } from './authorization.ts';
import type { IdentifyOptions, IdentityReader } from './identify.ts';
import type { WireRequest } from './wire-request.ts';

/** Contains what URLs and forms encode. */
const SECRET = 's3cret /&+~';
const SECRET_FORMS = [
  SECRET,
  encodeURIComponent(SECRET),
  's3cret',
  Buffer.from(SECRET).toString('base64').slice(0, 12),
  Buffer.from(`${SECRET}:`).toString('base64'),
  Buffer.from(`ada:${SECRET}`).toString('base64').slice(0, 12),
];
const AUTHENTICATIONS: ConnectorDocument['authentication'][] = [
  { kind: 'bearer' },
  { kind: 'api-key', in: 'header', name: 'x-key', prefix: '' },
  { kind: 'api-key', in: 'query', name: 'key', prefix: '' },
  { kind: 'basic', user: 'user' },
  { kind: 'basic' },
];

let answer: (request: IncomingMessage, response: ServerResponse) => void;
let seen: { url: string; method: string; headers: IncomingMessage['headers']; body: string }[];
let server: SmallServer;

beforeEach(async () => {
  seen = [];
  answer = (_request, response) => response.end('{"id":"u1","name":"Ada"}');
  server = await startSmallServer(async (request, response) => {
    const body = (await request.toArray()).join('');
    seen.push({ url: request.url ?? '', method: request.method ?? '', headers: request.headers, body });
    answer(request, response);
  });
});
afterEach(() => server.close());

function documentWith(more: Record<string, unknown> = {}): ConnectorDocument {
  const entity = {
    id: 'tickets-issues',
    title: 'Issues',
    description: 'Issues.',
    request: { path: '/issues' },
    records: 'response',
    date: 'record.at',
    columns: { title: { type: 'text', value: 'record.title' } },
    titleColumn: 'title',
    templates: [{ kind: 'records', key: 'tickets-all', title: 'All', description: 'All issues.' }],
  };
  return connectorDocumentSchema.parse({
    version: 1,
    key: 'tickets',
    title: 'Tickets',
    description: 'Synchronize issues.',
    baseUrl: 'https://api.example.com',
    authentication: { kind: 'bearer' },
    connect: {
      fields: [{ name: 'user', label: 'User', required: false }],
      secret: { name: 'token', label: 'API token' },
      links: [{ label: 'Create a token', url: 'https://example.com/tokens' }],
    },
    quota: { perMinute: 60 },
    entities: [entity],
    ...more,
  });
}

/** Reads `id` and `name` of a JSON answer, or `errors` as a failure. */
const readerOf = (request: Partial<WireRequest> = {}): IdentityReader => ({
  request: async () => ({ path: '/me', query: {}, headers: {}, body: null, ...request }),
  read: async ({ bytes }) => {
    const { id, name, errors } = JSON.parse(Buffer.from(bytes).toString());
    return errors ? { failedBody: JSON.stringify(errors) } : { subject: id, account: name };
  },
});

const authorizationOf = (
  document: ConnectorDocument = documentWith(),
  options: IdentifyOptions = {},
): FormAuthorization =>
  documentAuthorization(document, { baseUrl: server.url, identity: readerOf(), ...options });

const VALUES = { user: 'ada', token: SECRET };
const connect = (document?: ConnectorDocument, options?: IdentifyOptions, values = {}): Promise<Grant> =>
  authorizationOf(document, options).connect({ ...VALUES, ...values });

async function failureOf(connected: Promise<unknown>): Promise<ProviderError> {
  const outcome = await connected.catch((error: unknown) => error);
  if (!(outcome instanceof ProviderError)) throw new Error(`not refused: ${JSON.stringify(outcome)}`);
  const text = JSON.stringify([outcome.message, outcome.stack, outcome, String(outcome.cause)]);
  for (const form of SECRET_FORMS) expect(text).not.toContain(form);
  return outcome;
}

describe('the connect form of a document', () => {
  it.each([
    [{ kind: 'bearer' }, 'token', 'Use a token'],
    [{ kind: 'api-key', in: 'query', name: 'key' }, 'token', 'Use a token'],
    [{ kind: 'basic', user: 'user' }, 'password', 'Enter user and password'],
    [{ kind: 'basic' }, 'token', 'Use a token'],
    [{ kind: 'none' }, undefined, 'Connect'],
  ] as const)('asks for the secret of %j', (authentication, type, action) => {
    const { form } = authorizationOf(documentWith({ authentication }));
    expect(form.action).toBe(action);
    expect(form.fields.map((field) => [field.name, field.type])).toEqual([
      ['user', 'text'],
      ...(type ? [['token', type]] : []),
    ]);
    expect(form.leftBehind?.link.url).toBe(type === 'token' ? 'https://example.com/tokens' : undefined);
  });

  it('accepts one label of a host name for a hole of the base address', () => {
    const fields = [{ name: 'site', label: 'Site' }];
    const baseUrl = 'https://{config.site}.example.com';
    const document = documentWith({
      baseUrl,
      connect: { fields, secret: { name: 'token', label: 'Token' } },
    });
    const [site] = authorizationOf(document).form.fields;
    const pattern = new RegExp(`^(?:${site?.pattern})$`, 'u');
    expect(['acme', 'A-1', 'a.b', '-a', 'a/b', ''].map((value) => pattern.test(value))).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
    expect(site?.errorText).toBe('Please enter the part before .example.com');
    const [part] = authorizationOf({ ...document, baseUrl: 'https://a-{config.site}-b.example.com' }).form
      .fields;
    expect(part?.errorText).toBe('Please enter the part between a- and -b.example.com');
  });
});

describe('connecting by a document', () => {
  it.each(AUTHENTICATIONS)('asks the provider whose access it is: %j', async (authentication) => {
    const grant = await connect(documentWith({ authentication }), { baseUrl: `${server.url}/api/` });
    expect(grant).toEqual({
      identity: { issuer: `${server.url}/api`, subject: 'u1', account: 'Ada', email: '', name: '' },
      credentials: {
        accessToken: SECRET,
        fields: { user: 'ada', '@base': expect.stringMatching(/^http/) },
        scopes: [],
      },
    });
    expect(seen).toHaveLength(1);
    const { url = '', headers } = seen[0] ?? {};
    const sent = `${headers?.authorization} ${headers?.['x-key']} ${new URL(url, server.url).searchParams}`;
    const pair = 'user' in authentication ? `ada:${SECRET}` : `${SECRET}:`;
    const basic = Buffer.from(pair).toString('base64');
    const byQuery = new URLSearchParams({ key: SECRET }).toString();
    expect([SECRET, basic, byQuery].filter((form) => sent.includes(form))).toHaveLength(1);
    expect(new URL(url, server.url).pathname).toBe('/api/me');
  });

  it('sends a body by POST, with headers and a query', async () => {
    const request = { query: { a: '1' }, headers: { 'x-version': '2' }, body: { query: '{ me }' } };
    await connect(undefined, { identity: readerOf(request) });
    expect(seen).toMatchObject([
      { method: 'POST', url: '/me?a=1', body: '{"query":"{ me }"}', headers: { 'x-version': '2' } },
    ]);
  });

  it.each([
    [401, 'reauthorise', 'token'],
    [403, 'forbidden', 'token'],
    [404, 'not-found', 'token'],
    [400, 'invalid', 'token'],
    [418, 'malformed', 'token'],
    [429, 'rate-limited', undefined],
    [500, 'unavailable', undefined],
    [304, 'malformed', 'token'],
  ])(
    'reports status %i at the field to correct, without what the provider says',
    async (status, failure, field) => {
      for (const authentication of AUTHENTICATIONS) {
        answer = (request, response) =>
          response
            .writeHead(status, { 'x-echo': encodeURI(SECRET), 'retry-after': '7' })
            .end(`${request.url} ${SECRET} ${JSON.stringify(request.headers)}`);
        const error = await failureOf(connect(documentWith({ authentication })));
        expect([error.failure, error.field]).toEqual([failure, field]);
        if (status === 429) expect(error.until?.getTime()).toBeGreaterThan(Date.now());
      }
    },
  );

  it('decides by the status where a rule says that lists have no records', async () => {
    const failures = [403, 404, 200].map((status) => ({ status, means: 'no-records' }));
    const meanings = [
      [403, '{}', 'forbidden'],
      [404, '{}', 'not-found'],
      [200, '{"errors":["none"]}', 'malformed'],
    ] as const;
    for (const [status, body, failure] of meanings) {
      answer = (_request, response) => response.writeHead(status).end(body);
      expect((await failureOf(connect(documentWith({ failures })))).failure).toBe(failure);
    }
  });

  it('classifies an answer of status 200 that is a failure', async () => {
    answer = (_request, response) => response.end(`{"errors":["AUTHENTICATION ${SECRET}"]}`);
    const failures = [{ contains: 'AUTHENTICATION', means: 'expired-token' }];
    const error = await failureOf(connect(documentWith({ failures })));
    expect([error.failure, error.field]).toEqual(['reauthorise', 'token']);
    expect(error.message).toContain('“API token”');
    expect((await failureOf(connect())).failure).toBe('malformed');
  });

  it.each([
    ['text', (echo: string) => echo],
    ['another document', (echo: string) => JSON.stringify({ token: echo })],
    ['the id of the account', (echo: string) => JSON.stringify({ id: echo, name: 'Ada' })],
    ['the name of the account', (echo: string) => JSON.stringify({ id: 'u1', name: `Ada ${echo}` })],
    ['an endless id', () => JSON.stringify({ id: 'x'.repeat(2001), name: 'Ada' })],
    ['an id with invisible characters', () => JSON.stringify({ id: 'a\u202eb', name: 'Ada' })],
    ['no id', () => JSON.stringify({ id: '', name: 'Ada' })],
    ['an id that is no text', () => JSON.stringify({ id: {}, name: 'Ada' })],
    ['nothing', () => ''],
  ])('accepts no account from %s', async (_what, body) => {
    answer = (_request, response) => response.end(body(SECRET));
    const error = await failureOf(connect());
    expect([error.failure, error.message]).toEqual(['malformed', 'Tickets did not say who connected.']);
  });

  it('shows a name on one line, and the id without a name', async () => {
    answer = (_request, response) =>
      response.end(JSON.stringify({ id: 'u1', name: ` A\nd\u202ea ${'x'.repeat(900)}` }));
    expect((await connect()).identity.account).toMatch(/^A da x{195}$/);
    answer = (_request, response) => response.end('{"id":"u1","name":""}');
    expect((await connect()).identity.account).toBe('u1');
  });

  it('stores a long id by its hash', async () => {
    const subjectOf = async (id: string) => {
      answer = (_request, response) => response.end(JSON.stringify({ id, name: 'Ada' }));
      return (await connect()).identity.subject;
    };
    expect(await subjectOf('x'.repeat(255))).toBe('x'.repeat(255));
    const long = await subjectOf('x'.repeat(256));
    expect(long).toMatch(/^[0-9a-f]{64}$/);
    expect(await subjectOf(`${'x'.repeat(256)}y`)).not.toBe(long);
  });

  it('asks the address that a person entered, and no other host', async () => {
    const fields = [{ name: 'address', label: 'Address' }];
    const none = { authentication: { kind: 'none' }, connect: { fields } };
    const document = documentWith({ baseUrl: '{config.address}', ...none });
    const address = `${server.url}/feed.xml?a=1`;
    const connectTo = (path: string) =>
      documentAuthorization(document, { identity: readerOf({ path }) }).connect({ address });
    const grant = await connectTo(address);
    expect(seen.map(({ url }) => url)).toEqual(['/feed.xml?a=1']);
    expect(grant.identity).toMatchObject({ issuer: server.url, subject: 'u1' });
    expect(grant.credentials.fields).toEqual({ address });
    const { failure, field } = await failureOf(connectTo('https://other.example/feed.xml'));
    expect([failure, field]).toEqual(['malformed', 'address']);
  });

  it('refuses an answer beyond 1 MB, and follows no redirect to another host', async () => {
    answer = (_request, response) => response.end(JSON.stringify({ id: 'u1', name: 'x'.repeat(1_100_000) }));
    expect((await failureOf(connect())).failure).toBe('malformed');
    const other = await startSmallServer((request, response) => {
      seen.push({ url: request.url ?? '', method: 'GET', headers: request.headers, body: '' });
      response.end('{"id":"u2","name":"Eve"}');
    });
    seen = [];
    answer = (_request, response) => response.writeHead(307, { location: `${other.url}/me` }).end();
    for (const authentication of AUTHENTICATIONS)
      expect((await failureOf(connect(documentWith({ authentication })))).failure).toBe('malformed');
    expect(seen).toHaveLength(AUTHENTICATIONS.length);
    const elsewhere = { identity: readerOf({ path: `${other.url}/me` }) };
    expect((await failureOf(connect(undefined, elsewhere))).failure).toBe('malformed');
    expect(seen).toHaveLength(AUTHENTICATIONS.length);
    other.close();
  });

  it('reports a server that cannot be reached', async () => {
    answer = (request) => request.socket.destroy();
    const error = await failureOf(connect());
    expect([error.failure, error.field]).toEqual(['unavailable', undefined]);
    expect(error.message).toBe('Tickets could not be reached. Try again later.');
  });

  it('passes on why an expression failed, at a field', async () => {
    const request = async () => {
      throw new ProviderError('invalid', 'The address needs a value.');
    };
    const error = await failureOf(connect(undefined, { identity: { ...readerOf(), request } }));
    expect([error.failure, error.field]).toEqual(['invalid', 'token']);
  });

  it('sends nothing to a private host that is not listed', async () => {
    for (const identity of [readerOf(), undefined]) {
      const error = await failureOf(connect(undefined, { hosts: ['*'], identity }));
      expect([error.failure, error.field]).toEqual(['forbidden', 'token']);
      expect((await connect(undefined, { hosts: ['127.0.0.1'], identity })).identity.issuer).toBe(server.url);
    }
    expect(seen).toHaveLength(1);
  });

  it('refuses a label that leads elsewhere, and a secret that cannot be sent, at their fields', async () => {
    const fields = [{ name: 'site', label: 'Site' }];
    const secret = { name: 'token', label: 'Token' };
    const document = documentWith({
      baseUrl: 'https://{config.site}.example.com',
      connect: { fields, secret },
    });
    const own = { baseUrl: undefined };
    for (const identity of [readerOf(), undefined]) {
      const error = await failureOf(connect(document, { ...own, identity }, { site: 'evil.example/' }));
      expect([error.failure, error.field]).toEqual(['invalid', 'site']);
    }
    const error = await failureOf(connect(undefined, {}, { token: `${SECRET}\n` }));
    expect([error.failure, error.field]).toEqual(['invalid', 'token']);
    const unknown = documentWith({
      baseUrl: 'https://{config.site}.invalid.invalid',
      connect: { fields, secret },
    });
    const { failure, field } = await failureOf(connect(unknown, { ...own, hosts: ['*'] }, { site: 'acme' }));
    expect([failure, field]).toEqual(['unavailable', 'site']);
  });

  it('cannot renew what was entered, and leaves it at the provider', async () => {
    const authorization = authorizationOf();
    const { credentials } = await authorization.connect(VALUES);
    expect((await failureOf(authorization.refresh(credentials))).failure).toBe('reauthorise');
    await authorization.revoke(credentials);
    expect(seen).toHaveLength(1);
  });
});

describe('connecting without a request', () => {
  const identify = async (document: ConnectorDocument, values: Record<string, string>, baseUrl?: string) =>
    (await documentAuthorization(document, { baseUrl }).connect(values)).identity;

  it('identifies an account by address and values, but not by the secret', async () => {
    const first = await identify(documentWith(), { user: 'ada', token: SECRET });
    expect(first).toMatchObject({ issuer: 'https://api.example.com', account: 'ada api.example.com' });
    expect(first.subject).toMatch(/^[0-9a-f]{64}$/);
    expect(await identify(documentWith(), { user: 'ada', token: 'another', more: 'x' })).toEqual(first);
    const others = await Promise.all([
      identify(documentWith(), { user: 'eve', token: SECRET }),
      identify(documentWith(), { token: SECRET }),
      identify(documentWith(), { user: 'ada', token: SECRET }, 'https://git.example.org'),
    ]);
    expect(new Set([first, ...others].map(({ subject }) => subject)).size).toBe(4);
    expect(others[1]?.account).toBe('api.example.com');
    expect(seen).toEqual([]);
  });

  it('distinguishes entered addresses, but does not show their query', async () => {
    const fields = [{ name: 'address', label: 'Address' }];
    const document = documentWith({
      baseUrl: '{config.address}',
      authentication: { kind: 'none' },
      connect: { fields },
    });
    const at = (address: string) => identify(document, { address });
    const [feed, same, other, root] = await Promise.all(
      [
        'https://example.org/feed.xml?key=s3cret',
        ' https://EXAMPLE.org:443/feed.xml?key=s3cret',
        'https://example.org/other.xml',
        'https://example.org',
      ].map(at),
    );
    expect(feed).toMatchObject({ issuer: 'https://example.org', account: 'example.org/feed.xml' });
    expect(same).toEqual(feed);
    expect(other?.subject).not.toBe(feed?.subject);
    expect(root?.account).toBe('example.org');
    expect((await failureOf(at('ftp://example.org'))).field).toBe('address');
  });

  it('keeps no secret where none belongs', async () => {
    const document = { ...documentWith(), authentication: { kind: 'none' } as const };
    const grant = await documentAuthorization(document).connect(VALUES);
    expect(grant.credentials).toEqual({ accessToken: '', fields: { user: 'ada' }, scopes: [] });
  });
});
