import { connectorDocumentSchema } from '@datadeck/contract/connector-document';
import { describe, expect, it } from 'vitest';
import { documentOf, itemsIdOf } from '../../../test-support/declarative/generate.ts';
import { startService } from '../../../test-support/declarative/service.ts';
import { ACCOUNT, API_PATH } from '../../../test-support/declarative/shape.ts';
import { generateShapes } from '../../../test-support/declarative/shapes.ts';
import { Reader } from '../../sdk/conformance/reading.ts';
import { startSmallServer } from '../../sdk/conformance/small-server.ts';
import { declarativeConnector } from '../index.ts';
import { tryEntity } from './try-entity.ts';

const { secret, user } = ACCOUNT;
const trialOf = (document: unknown, changes: object = {}) => ({
  document: JSON.stringify(document),
  entity: itemsIdOf(1),
  config: { site: 'acme', user },
  secret,
  settings: { project: 'work' },
  ...changes,
});

/** Texts in which a secret could be seen. */
const seen = (value: unknown) => decodeURIComponent(JSON.stringify(value).replaceAll('%', '%25'));

describe('a trial of generated services', () => {
  it.each(generateShapes().map((shape, index) => [index, shape] as const))(
    'shows the first page of service %i as a run reads it',
    async (index, shape) => {
      const document = documentOf(shape, index);
      let baseUrl = '';
      const standIn = await startService(shape, (address) => {
        baseUrl = address;
        return declarativeConnector(document, {
          baseUrl: address,
          hosts: ['127.0.0.1'],
          unitsPerMinute: Number.POSITIVE_INFINITY,
        });
      });
      try {
        const entity = itemsIdOf(index);
        const { result, recording } = await tryEntity(trialOf(document, { entity }), {
          baseUrl,
          hosts: ['127.0.0.1'],
        });
        expect(result.problems).toEqual([]);
        expect(result.answer).toMatchObject({ status: 200 });
        expect(result.columns.map(({ name }) => name)).toEqual(
          Object.keys(document.entities.find(({ id }) => id === entity)?.columns ?? {}),
        );
        for (const form of [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64')])
          expect(seen([result, recording])).not.toContain(form);
        expect(recording).toBeDefined();
        expect(result.records.count).toBeGreaterThan(0);
        // A run takes a second: every fifth service is also read by one.
        if (index % 5 !== 0) return;
        const read = await new Reader({ entity, settings: { project: 'work' } }, standIn).run();
        const stored = new Map(
          read.pages.flatMap(({ records }) => records).map((record) => [record.id, record.columns]),
        );
        for (const [at, text] of result.records.first.entries()) {
          const record = JSON.parse(text);
          const columns = stored.get(String(record.id ?? record['@id']));
          expect(columns?.title).toBe(result.columns.find(({ name }) => name === 'title')?.values[at]);
        }
      } finally {
        await standIn.close();
      }
    },
  );
});

/** A document of one entity with the changes. */
function itemsDocument(changes: object = {}, more: object = {}) {
  return connectorDocumentSchema.parse({
    version: 1,
    key: 'gen1',
    title: 'Items',
    description: 'Items of a test.',
    baseUrl: 'https://api.example.com/api/v1',
    authentication: { kind: 'bearer' },
    connect: { secret: { name: 'token', label: 'Token' } },
    quota: { perMinute: 60 },
    entities: [
      {
        id: itemsIdOf(1),
        title: 'Items',
        description: 'All items.',
        request: { path: '/items' },
        records: 'response.items',
        date: 'record.created',
        columns: {
          title: { type: 'text', value: 'record.title' },
          due: { type: 'time', value: 'record.due' },
        },
        titleColumn: 'title',
        templates: [{ kind: 'records', key: 'gen1-all', title: 'All', description: 'All items.' }],
        ...changes,
      },
    ],
    ...more,
  });
}

/** Tries a document against one answer. */
async function tried(
  document: unknown,
  answer: unknown,
  { status = 200, headers = {}, ...changes }: Record<string, unknown> = {},
) {
  const server = await startSmallServer((_, response) => {
    response.writeHead(status as number, headers as Record<string, string>);
    response.end(typeof answer === 'string' ? answer : JSON.stringify(answer));
  });
  const trial = trialOf(document, { settings: {}, ...changes });
  const { result, recording } = await tryEntity(trial, {
    baseUrl: `${server.url}${API_PATH}`,
    hosts: ['127.0.0.1'],
  });
  server.close();
  return {
    ...result,
    recording,
    places: result.problems.map(({ path, message }) => `${path}: ${message}`).join('\n'),
  };
}

const item = (id: number, more: object = {}) => ({
  id,
  title: `Item ${id}`,
  created: '2026-01-01T00:00:00Z',
  due: null,
  ...more,
});

describe('problems of a trial', () => {
  it.each([
    [
      'records that are not there',
      { records: 'response.rows' },
      undefined,
      /^entities\.0\.records: It yields no list/,
    ],
    [
      'records that are no objects',
      { records: 'response.items.id' },
      undefined,
      /^entities\.0\.records: It yields 1: records must be objects/,
    ],
    [
      'an expression that fails',
      { records: '$number(response)' },
      undefined,
      /^entities\.0\.records: It fails: .+\.$/m,
    ],
    [
      'keys that are missing',
      { key: 'record.uid' },
      undefined,
      /^entities\.0\.key: It yields no text or number for 2 records/,
    ],
    [
      'keys that are repeated',
      { key: "'a'" },
      undefined,
      /^entities\.0\.key: Records 1 and 2 have the same key “a”/,
    ],
    [
      'dates that are none',
      {},
      [item(1), item(2, { created: 'soon' })],
      /^entities\.0\.date: It yields “soon”, which is no date, for record 2/,
    ],
    [
      'values of another type',
      {},
      [item(1, { due: 'yesterday' })],
      /^entities\.0\.columns\.due\.value: It yields “yesterday” for record 1, which is no time/,
    ],
    [
      'fields that are not there',
      {
        columns: {
          title: { type: 'text', value: 'record.title' },
          b: { type: 'text', value: 'record.nmae' },
        },
      },
      undefined,
      /^entities\.0\.columns\.b\.value: No record of this page has this field/,
    ],
    [
      'titles that are empty',
      { columns: { title: { type: 'text', value: 'record.name' } } },
      undefined,
      /^entities\.0\.titleColumn: /,
    ],
    [
      'a list that is not sorted',
      { sortedBy: 'due' },
      [item(1, { due: '2026-01-01' }), item(2, { due: '2026-02-01' })],
      /^entities\.0\.sortedBy: Record 2 is newer/m,
    ],
    [
      'a next page that is an object',
      { pagination: { kind: 'address', next: 'response' } },
      undefined,
      /^entities\.0\.pagination\.next: It yields an object/,
    ],
    [
      'a next page at another host',
      { pagination: { kind: 'address', next: "'https://evil.example/x'" } },
      undefined,
      /^entities\.0\.pagination\.next: The next page is at another host, evil\.example/,
    ],
    [
      'a next page that is the same',
      { pagination: { kind: 'address', next: "'/api/v1/items'" } },
      undefined,
      /^entities\.0\.pagination\.next: It names the same page/,
    ],
    [
      'a page larger than its size',
      { pagination: { kind: 'page', parameter: 'p', size: 1 } },
      undefined,
      /^entities\.0\.pagination\.size: The page has 2 records/,
    ],
    ['a total that is none', { total: "'many'" }, undefined, /^entities\.0\.total: /],
    [
      'a failed answer',
      {},
      undefined,
      /^failed: The answer counts as a failure, because this yields true/,
      { failed: 'response.items[0].id = 1' },
    ],
    [
      'expressions that never end',
      { date: '($f := function($n) { $f($n + 1) }; $f(1))' },
      undefined,
      /^entities\.0\.date: It fails for record 1/,
    ],
    [
      'an expression of the request',
      { request: { path: '/{$number("x")}' } },
      undefined,
      /^entities\.0\.request\.path: .*number/,
    ],
    [
      'an empty hole',
      { request: { path: '/{settings.none}' } },
      undefined,
      /^entities\.0\.request\.path: .*needs a value/,
    ],
    [
      'a header that cannot be sent',
      { request: { path: '/', headers: { 'x-a': '"a\\nb"' } } },
      undefined,
      /^entities\.0\.request\.headers\.x-a: /,
    ],
    [
      'another format',
      { request: { path: '/', decode: 'feed' } },
      undefined,
      /^entities\.0\.request\.decode: The answer is not a feed/,
    ],
  ])('names the field of %s', async (_, changes, items, message, more: object = {}) => {
    const { places } = await tried(itemsDocument(changes, more), { items: items ?? [item(1), item(2)] });
    expect(places).toMatch(message);
  });

  it.each([
    [401, /^authentication: .*“Token”/],
    [403, /^authentication: /],
    [404, /^entities\.0\.request\.path: /],
    [405, /^entities\.0\.request: .*POST/],
    [422, /^entities\.0\.request: /],
    [429, /^quota: /],
    [500, /^entities\.0\.request: The service failed/],
    [304, /^entities\.0\.request\.path: /],
  ])('explains the status %i', async (status, message) => {
    const { places, answer } = await tried(itemsDocument(), '{"error":"no"}', { status });
    expect(places).toMatch(message);
    expect(answer?.status).toBe(status);
  });

  it.each([
    ['an unknown entity', { entity: 'gen1-other' }, /^entities: There is no entity/],
    ['no document', { document: '' }, /^: The text is empty/],
    ['a document with faults', { document: '{}' }, /^version: It is missing/],
    ['no secret', { secret: '' }, /^connect\.secret: Enter a value for “Token”/],
    ['a secret that cannot be sent', { secret: 'a\nb→' }, /^connect\.secret: /],
  ])('reports %s', async (_, changes, message) => {
    const { places, request } = await tried(itemsDocument(), '{}', changes);
    expect(places).toMatch(message);
    expect(request).toBeNull();
  });

  it('names faults of the connection at the address, without calling hosts that are not allowed', async () => {
    const trial = trialOf(itemsDocument(), { settings: {} });
    const closed = await tryEntity(trial, { baseUrl: 'http://127.0.0.1:1', hosts: ['127.0.0.1'] });
    expect(closed.result.problems).toEqual([
      { path: 'baseUrl', message: expect.stringMatching(/ECONNREFUSED/) },
    ]);
    const refused = await tryEntity(trial, { baseUrl: 'http://127.0.0.1:1', hosts: ['*'] });
    expect(refused.result.problems[0]?.message).toMatch(/may not connect/);
  });

  const session = {
    authentication: { kind: 'session-token', user: 'user', path: '/login', token: 'data.token' },
    connect: {
      fields: [{ name: 'user', label: 'User' }],
      secret: { name: 'password', label: 'Password' },
    },
  };

  it('signs in for a token where the document says so, and hides it', async () => {
    const server = await startSmallServer((request, response) => {
      const isLogin = request.url?.endsWith('/login');
      const token = request.headers.authorization;
      response.end(
        JSON.stringify(isLogin ? { data: { token: 'tok-123456789' } } : { items: [item(1, { token })] }),
      );
    });
    const trial = trialOf(itemsDocument({}, session), { settings: {} });
    const { result } = await tryEntity(trial, { baseUrl: server.url, hosts: ['127.0.0.1'] });
    server.close();
    expect(result.problems).toEqual([]);
    expect(result.records.first[0]).toContain('"Bearer •••"');
    expect(result.request?.headers.authorization).toBe('Bearer •••');
    expect(JSON.stringify(result)).not.toContain('tok-123456789');
  });

  it('names the hosts of the sign-in and of the service, which got the secret', async () => {
    const answer = JSON.stringify({ token: 'tok-123456789', items: [item(1)] });
    const [login, service] = await Promise.all(
      [1, 2].map(() => startSmallServer((_request, response) => response.end(answer))),
    );
    const tokenParts = [{ in: 'body', name: 'key', value: '{password}' }];
    const authentication = {
      kind: 'session-token',
      tokenUrl: `${login?.url}/login`,
      token: 'token',
      tokenParts,
    };
    const trial = trialOf(itemsDocument({}, { ...session, authentication }), { settings: {} });
    const { hosts } = await tryEntity(trial, { baseUrl: service?.url, hosts: ['127.0.0.1'] });
    for (const server of [login, service]) server?.close();
    expect(hosts).toEqual([login, service].map((server) => new URL(server?.url ?? '').host));
  });

  it('reports a sign-in that is refused, or has no token', async () => {
    const refused = await tried(itemsDocument({}, session), '{}', { status: 401 });
    expect(refused.places).toMatch(/^connect\.secret: .*refused the sign-in/);
    expect((await tried(itemsDocument({}, session), '{}')).places).toMatch(
      /^authentication: .*without a token/,
    );
  });

  it('takes an access token in the place of the page of the provider', async () => {
    const code = {
      authentication: {
        kind: 'oauth-code',
        authorizationUrl: 'https://a.example/authorize',
        tokenUrl: 'https://a.example/token',
      },
      connect: {},
      identity: { request: { path: '/me' }, subject: 'response.id', account: 'response.name' },
    };
    const { places } = await tried(itemsDocument({}, code), '{}', { secret: '' });
    expect(places).toMatch(/^authentication: Enter an access token/);
    const { request, answer } = await tried(itemsDocument({}, code), { items: [item(1)] });
    expect([request?.headers.authorization, answer?.status]).toEqual(['Bearer •••', 200]);
  });

  it('suggests columns for fields that no column reads', async () => {
    const items = [
      item(1, {
        author: { name: 'Ada', isBot: false },
        labels: [{ name: 'bug' }],
        'odd name': 1.5,
        updated_at: '2026-01-02',
      }),
    ];
    const { suggestions } = await tried(itemsDocument(), { items });
    expect(suggestions).toEqual([
      { name: 'created', type: 'time', value: 'record.created', example: '2026-01-01T00:00:00Z' },
      { name: 'author_name', type: 'text', value: 'record.author.name', example: 'Ada' },
      { name: 'author_is_bot', type: 'boolean', value: 'record.author.isBot', example: 'false' },
      { name: 'labels_name', type: 'texts', value: 'record.labels.name', example: 'bug' },
      { name: 'odd_name', type: 'number', value: 'record.`odd name`', example: '1.5' },
      { name: 'updated_at', type: 'time', value: 'record.updated_at', example: '2026-01-02' },
    ]);
  });
});
