import type { IncomingMessage } from 'node:http';
import type { ConnectorDocument } from '@datadeck/contract/connector-document';
import { expect, it, onTestFinished } from 'vitest';
import { failuresOf } from '../../test-support/declarative/proofs.ts';
import { documentWith, item, SECRET } from '../../test-support/declarative/things.ts';
import { Reader } from '../sdk/conformance/reading.ts';
import { startSmallServer } from '../sdk/conformance/small-server.ts';
import { ProviderError } from '../sdk/index.ts';
import { tryEntity } from './builder/index.ts';
import { documentProblems } from './document-problems.ts';
import { declarativeConnector } from './index.ts';
import { proveDocument } from './prove/index.ts';

/** Values of the form: `plain` is one that expressions may read. */
const VALUES = { plain: 'visible', first: 'first-51Hq/z+2w', second: 'second-9Tk%4=x', token: SECRET };
const { plain: _plain, ...PLANTED } = VALUES;
const field = (name: string, hidden: boolean) => ({ name, label: name, ...(hidden && { hidden }) });

/** Authentications with the hidden fields that each names. */
const KINDS: Record<string, { authentication: object; names: string[] }> = {
  'keys in headers': {
    authentication: {
      ...{ kind: 'api-key', in: 'header', name: 'X-Key', prefix: 'Key ' },
      others: [
        { in: 'header', name: 'X-First', prefix: 'One ', field: 'first' },
        { in: 'header', name: 'X-Second', field: 'second' },
      ],
    },
    names: ['first', 'second'],
  },
  'keys in the query': {
    authentication: {
      ...{ kind: 'api-key', in: 'query', name: 'key' },
      others: [
        { in: 'query', name: 'first', field: 'first' },
        { in: 'header', name: 'X-Second', field: 'second' },
      ],
    },
    names: ['first', 'second'],
  },
  'a user that is secret': { authentication: { kind: 'basic', user: 'first' }, names: ['first'] },
  'a client that is secret': {
    authentication: { kind: 'client-credentials', user: 'first', send: 'body' },
    names: ['first'],
  },
  'a refresh token with the secret of its client': {
    authentication: { kind: 'refresh-token', client: 'plain', clientSecret: 'first', send: 'body' },
    names: ['first'],
  },
  'a session of a user that is secret': {
    authentication: { kind: 'session-token', user: 'first', path: '/token', token: 'access_token' },
    names: ['first'],
  },
  'a text in a header': {
    authentication: {
      ...{
        kind: 'api-key',
        in: 'header',
        name: 'Authorization',
        value: 'K first="{first}", plain="{plain}", t="{token}"',
      },
    },
    names: ['first'],
  },
  'a text in the query': {
    authentication: { kind: 'api-key', in: 'query', name: 'key', value: '{first}:{token}' },
    names: ['first'],
  },
  'a text that is the user': {
    authentication: { kind: 'basic', user: 'plain', userText: '{plain}/{first}' },
    names: ['first'],
  },
  'parts of a request for a token': {
    authentication: {
      ...{
        kind: 'session-token',
        path: '/token',
        token: 'access_token',
        in: 'query',
        name: 'session',
        prefix: '',
      },
      tokenParts: [
        { in: 'header', name: 'X-First', value: 'One {first}' },
        { in: 'query', name: 'second', value: '{second}' },
        { in: 'body', name: 'token', value: '{token}' },
      ],
    },
    names: ['first', 'second'],
  },
  'keys beside a token': {
    authentication: {
      ...{ kind: 'client-credentials', user: 'plain', send: 'basic' },
      keys: [
        { in: 'header', name: 'X-First', prefix: 'One ', field: 'first' },
        { in: 'query', name: 'again', field: 'token' },
      ],
    },
    names: ['first'],
  },
  'keys beside a session': {
    authentication: {
      ...{ kind: 'session-token', user: 'plain', path: '/token', token: 'access_token', form: true },
      keys: [{ in: 'query', name: 'first', field: 'first' }],
    },
    names: ['first'],
  },
  'keys beside a user': {
    authentication: {
      ...{ kind: 'basic', user: 'plain' },
      keys: [
        { in: 'header', name: 'X-First', field: 'first' },
        { in: 'query', name: 'second', prefix: 'Two ', field: 'second' },
      ],
    },
    names: ['first', 'second'],
  },
};
const kinds = it.each(Object.keys(KINDS));

/** What was sent by one request, decoded. */
async function sentBy(request: IncomingMessage): Promise<string> {
  const [, basic = ''] = /^Basic (.*)$/.exec(request.headers.authorization ?? '') ?? [];
  const body = (await request.toArray()).join('');
  const parts = [new URL(request.url ?? '/', 'http://a').searchParams, new URLSearchParams(body)];
  const decoded = parts.flatMap((part) => [...part].flat());
  return [JSON.stringify(request.headers), Buffer.from(basic, 'base64').toString(), body, ...decoded].join(
    '\n',
  );
}

/** Starts a service that repeats what it is asked to, and a document for it. */
async function serve(kind: string, { entity = {}, ...more }: Record<string, unknown> = {}, answer?: object) {
  const sent: string[] = [];
  const server = await startSmallServer(async (request, response) => {
    sent.push(await sentBy(request));
    const isToken = request.url?.startsWith('/token');
    const found = isToken
      ? { access_token: 'issued-token-1' }
      : (answer ?? { items: [2, 1].map(item), id: 7, name: 'Desk' });
    response.setHeader('content-type', 'application/json').end(JSON.stringify(found));
  });
  onTestFinished(() => server.close());
  const { authentication, names } = KINDS[kind] as (typeof KINDS)[string];
  const isClient = 'send' in authentication;
  const document: ConnectorDocument = documentWith(entity as object, {
    authentication: { ...authentication, ...(isClient && { tokenUrl: `${server.url}/token` }) },
    connect: {
      fields: [field('plain', false), ...names.map((name) => field(name, true))],
      secret: { name: 'token', label: 'Token' },
    },
    ...more,
  });
  return { server, document, sent, connector: declarativeConnector(document, { baseUrl: server.url }) };
}

type Served = Awaited<ReturnType<typeof serve>>;

async function connect({ connector }: Pick<Served, 'connector'>, values = {}) {
  const grant = await connector.formAuthorization?.connect({ ...VALUES, ...values });
  if (!grant) throw new Error('no form');
  return grant;
}

async function read({ connector }: Served) {
  const { credentials } = await connect({ connector });
  return new Reader({ entity: 'things-items', settings: {} }, { connector, credentials });
}

/** Returns a value as text, with the JSON of its records. */
const textOf = (value: unknown) =>
  JSON.stringify(value, (_, one) => (one?.type === 'Buffer' ? Buffer.from(one.data).toString() : one));

/** Expects that a value has no planted secret in it, as it is or encoded. */
function expectNoSecret(value: unknown): void {
  const text = textOf(value);
  for (const secret of Object.values(PLANTED))
    for (const one of [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64')])
      expect(text).not.toContain(one);
}

kinds('sends %s, and shows nothing of them to expressions', async (kind) => {
  const add = { all: '$string(config)', one: '$lookup(config, "first")' };
  const served = await serve(kind, { entity: { add } });
  const run = await (await read(served)).run();
  const records = run.pages.flatMap((page) => page.records);
  expect(records).toHaveLength(2);
  expect(textOf(records)).toContain('visible');
  expectNoSecret(run.pages);
  for (const name of KINDS[kind]?.names ?? [])
    expect(served.sent.join('\n')).toContain(PLANTED[name as 'first']);
  const { form } = served.connector.formAuthorization ?? {};
  const types = form?.fields.map(({ name, type }) => [name, type]);
  expect(types).toEqual(expect.arrayContaining((KINDS[kind]?.names ?? []).map((name) => [name, 'token'])));
});

kinds('identifies an account without %s', async (kind) => {
  const served = await serve(kind);
  const [one, other] = [await connect(served), await connect(served, { first: 'another-first-1' })];
  expectNoSecret([one.identity, one.credentials.fields]);
  expect(one.identity).toEqual(other.identity);
  expect(one.identity).not.toEqual((await connect(served, { plain: 'x' })).identity);
});

kinds('refuses to store %s that the service repeats as the account or the next page', async (kind) => {
  const next = `/items?first=${encodeURIComponent(PLANTED.first)}&page=2`;
  for (const repeated of [{ next: PLANTED.first }, { next: `x${encodeURIComponent(PLANTED.first)}` }]) {
    const pagination = { kind: 'cursor', in: 'query', parameter: 'c', next: 'response.next' };
    const served = await serve(kind, { entity: { pagination } }, { items: [item(1)], ...repeated });
    const error = await (await read(served)).run().catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ProviderError);
    expectNoSecret([error, String(error), (error as Error).stack]);
  }
  const pagination = { kind: 'address', next: 'response.next' };
  const entity = { pagination, sortedBy: 'at' };
  const served = await serve(kind, { entity }, { items: [item(1)], next });
  const reader = await read(served);
  const pages = reader.read(reader.request());
  const { value: page } = await pages.next();
  expect(textOf(page)).toContain('page=2');
  expectNoSecret(page);
  const identity = { request: { path: '/me' }, subject: 'response.id', account: 'response.name' };
  const named = await serve(kind, { identity }, { id: 7, name: `of ${PLANTED.first}` });
  const refused = await connect(named).catch((error: unknown) => error);
  expect(refused).toMatchObject({ failure: 'malformed' });
  expectNoSecret([refused, String(refused)]);
});

kinds('hides %s in trials and recordings, and proves the document', async (kind) => {
  const { first } = PLANTED;
  const echo = { ...item(1), echo: first, part: first.slice(2, 11), name: encodeURIComponent(first) };
  const served = await serve(kind, {}, { items: [echo, item(2)], [first]: first });
  const { document, server } = served;
  const { token: secret, ...config } = VALUES;
  const trial = { document: JSON.stringify(document), entity: 'things-items', config, secret, settings: {} };
  const tried = await tryEntity(trial, { baseUrl: server.url, hosts: ['127.0.0.1'] });
  expect(tried.result.records.count).toBe(2);
  expectNoSecret(tried);
  expect(JSON.stringify(tried)).not.toContain(first.slice(2, 11));
  const plain = await serve(kind, { failed: "$not($type(response.items) = 'array')" });
  const options = { baseUrl: plain.server.url, hosts: ['127.0.0.1'] };
  const again = await tryEntity({ ...trial, document: JSON.stringify(plain.document) }, options);
  const proof = await proveDocument(plain.document, again.recording ? [again.recording] : []);
  expect(failuresOf(proof)).toEqual([]);
  expect(proof.checks.filter(({ outcome }) => outcome === 'passed').length).toBeGreaterThan(12);
});

kinds(
  'asks to connect again where %s were not secret before, and shows no expression the stored ones',
  async (kind) => {
    const served = await serve(kind, { entity: { add: { all: '$string(config)' } } });
    const { credentials } = await connect(served);
    const { secrets = {}, ...rest } = credentials;
    const stored = { ...rest, fields: { ...credentials.fields, ...secrets } };
    const reader = new Reader(
      { entity: 'things-items', settings: {} },
      { connector: served.connector, credentials: stored },
    );
    const run = await reader.run().catch((error: unknown) => error);
    // A token that was issued before needs no further secret until it ends.
    if (run instanceof Error) expect(run).toMatchObject({ failure: 'reauthorise' });
    expectNoSecret(run instanceof Error ? String(run) : (run as { pages: unknown }).pages);
  },
);

it.each([
  [{ kind: 'bearer' }, [field('first', true)], 'connect.fields.0'],
  [{ kind: 'basic', user: 'second' }, [field('first', true)], 'authentication.user'],
  [{ kind: 'basic', user: 'first', password: 'x' }, [field('first', true)], 'authentication.password'],
  [
    { kind: 'refresh-token', tokenUrl: 'https://a.example/t', client: 'first', clientSecret: 'second' },
    [field('first', false), field('second', false)],
    'authentication.clientSecret',
  ],
  [
    { kind: 'refresh-token', tokenUrl: 'https://a.example/t', client: 'second' },
    [field('first', false)],
    'authentication.client',
  ],
  [
    { kind: 'basic', user: 'first' },
    [{ ...field('first', true), defaultValue: 'x' }],
    'connect.fields.0.defaultValue',
  ],
  ...(
    [
      [[{ in: 'header', name: 'X-B', field: 'first' }], false, 'authentication.others.0.field'],
      [[{ in: 'header', name: 'X-B', field: 'none' }], true, 'authentication.others.0.field'],
      [[{ in: 'header', name: 'x-a', field: 'first' }], true, 'authentication.others.0.name'],
    ] as const
  ).map(([others, hidden, path]): [object, object[], string] => [
    { kind: 'api-key', in: 'header', name: 'X-A', others },
    [field('first', hidden)],
    path,
  ]),
])('reports faults of hidden fields: %j', (authentication, fields, path) => {
  const document = documentWith(
    {},
    { authentication, connect: { fields, secret: { name: 'token', label: 'Token' } } },
  );
  expect(documentProblems(document).map((problem) => problem.path)).toContain(path);
});

it('reports expressions and addresses that name a hidden field', () => {
  const connect = { fields: [field('first', true)], secret: { name: 'token', label: 'Token' } };
  const authentication = { kind: 'basic', user: 'first' };
  const baseUrl = 'https://{config.first}.example.com';
  const document = documentWith({ add: { a: 'config.first' } }, { authentication, connect, baseUrl });
  expect(documentProblems(document).map(({ path }) => path)).toEqual(['baseUrl', 'connect.fields.0']);
});

it('sends a fixed password beside a secret that is the user', async () => {
  const served = await serve('a user that is secret', {
    authentication: { kind: 'basic', password: 'X' },
    connect: { secret: { name: 'token', label: 'Token' } },
  });
  await (await read(served)).run();
  expect(served.sent.join('\n')).toContain(`${SECRET}:X`);
});
