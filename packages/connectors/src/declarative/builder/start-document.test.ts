import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { startSmallServer } from '../../sdk/conformance/small-server.ts';
import { shippedDocuments } from '../shipped/index.ts';
import { checkDocument, draftDocument, readDocument } from './documents.ts';
import type { TextStart } from './start-document-text.ts';
import { tryEntity } from './try-entity.ts';

/** Starts a document, after checking that nothing refuses it. */
async function started(start: TextStart) {
  const { document: text, remarks } = await draftDocument(start);
  const { document, problems } = await readDocument(text);
  expect([text, problems, document && (await checkDocument(document))]).toEqual([text, [], []]);
  if (!document) throw new Error('no document');
  return {
    document,
    entity: document.entities[0] as (typeof document.entities)[0],
    remarks: remarks.join('\n'),
  };
}

const example = (address: string, answer: unknown, more: object = {}) =>
  started({
    from: 'example',
    key: 'help-desk',
    title: 'Help desk',
    address,
    answer: typeof answer === 'string' ? answer : JSON.stringify(answer),
    ...more,
  });

const issue = (id: number) => ({
  id,
  number: id,
  title: `Issue ${id}`,
  state: 'open',
  user: { login: 'ada' },
  labels: [{ name: 'bug' }],
  comments: 2,
  locked: false,
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-02T00:00:00Z',
  html_url: 'https://example.com/1',
});

describe('documents that start from an example', () => {
  it('reads a list as GitHub sends it', async () => {
    const { document, entity, remarks } = await example(
      'https://api.github.com/repos/a/b/issues?state=all&sort=updated&direction=desc&per_page=50',
      [issue(1), issue(2)],
    );
    expect(document).toMatchObject({
      key: 'help-desk',
      title: 'Help desk',
      baseUrl: 'https://api.github.com',
      authentication: { kind: 'bearer' },
    });
    expect(entity).toMatchObject({
      id: 'help-desk-issues',
      request: { path: '/repos/a/b/issues', query: { state: '"all"', sort: '"updated"', per_page: '"50"' } },
      records: 'response',
      pagination: { kind: 'link' },
      sortedBy: 'updated_at',
      incremental: { column: 'updated_at' },
      key: 'record.id',
      date: 'record.created_at',
      titleColumn: 'title',
    });
    expect(entity.columns).toMatchObject({
      state: { type: 'text', value: 'record.state' },
      user_login: { type: 'text', value: 'record.user.login' },
      labels_name: { type: 'texts', value: 'record.labels.name' },
      comments: { type: 'integer', value: 'record.comments' },
      locked: { type: 'boolean', value: 'record.locked' },
      created_at: { type: 'time', value: 'record.created_at' },
    });
    expect(entity.templates.map(({ kind }) => kind)).toEqual(['records', 'rows']);
    expect(remarks).toMatch(/bearer token: a guess/);
  });

  it.each([
    [
      'a cursor',
      { data: { items: [issue(1)] }, next_cursor: 'abc', total: 9 },
      'https://a.example/api/v2/issues',
      'response.data.items',
      { kind: 'cursor', parameter: 'cursor', next: 'response.next_cursor' },
    ],
    [
      'an address',
      { value: [issue(1)], '@odata.nextLink': 'https://a.example/x?b=2' },
      'https://a.example/api/v2/issues',
      'response.value',
      { kind: 'address', next: 'response.`@odata.nextLink`' },
    ],
    [
      'page and total',
      { results: [issue(1), issue(2)], page: 1, total_pages: 4, total: 8 },
      'https://a.example/api/v2/issues?page=1&limit=2',
      'response.results',
      { kind: 'page', parameter: 'page', size: 2, sizeParameter: 'limit' },
    ],
    [
      'an offset',
      { values: [issue(1)], startAt: 0, maxResults: 1, total: 8 },
      'https://a.example/api/v2/issues',
      'response.values',
      { kind: 'offset', parameter: 'startAt' },
    ],
    [
      'edges',
      { data: { issues: { edges: [{ node: issue(1) }] } } },
      'https://a.example/api/v2/issues',
      'response.data.issues.edges.node',
      { kind: 'none' },
    ],
    [
      'a page token',
      { items: [issue(1)], nextPageToken: 'x' },
      'https://a.example/api/v2/issues',
      'response.items',
      { kind: 'cursor', parameter: 'pageToken' },
    ],
  ])('reads a list with %s', async (_, answer, address, records, pagination) => {
    const { document, entity } = await example(address, answer);
    expect(document.baseUrl).toBe('https://a.example/api/v2');
    expect(entity).toMatchObject({ request: { path: '/issues' }, records, pagination });
    if ('total' in answer) expect(entity.total).toBe('response.total');
  });

  it.each([
    ['an empty list', { items: [] }, /no record/],
    ['a list of texts', { tags: ['a', 'b'] }, /texts or numbers/],
    ['one object', { name: 'x' }, /no list/],
    ['what is not JSON', '<xml/>', /not JSON/],
    ['nothing', '', /no answer/],
    ['a deep answer', '['.repeat(100_000), /too many values or levels/],
    ['a number', '7', /no record/],
  ])('writes a document to complete for %s', async (_, answer, message) => {
    expect((await example('https://a.example/items', answer)).remarks).toMatch(message);
  });

  it.each([
    ['', /could not be read/],
    ['not an address', /could not be read/],
    ['http://user:pw@a.example/items', /User and password/],
    ['https://[::1]/items', /could not be read/],
    ['a.example/items', /./],
    ['https://a.example/{x}/ä?b=%00&c=ü', /./],
    [`https://a.example/${'x'.repeat(1900)}`, /./],
  ])('accepts the address %s', async (address, message) => {
    const { remarks, document } = await example(address, [issue(1)]);
    expect(remarks).toMatch(message);
    expect(JSON.stringify(document)).not.toContain('pw@');
  });

  it('writes documents that a trial of the same service finds no fault with', async () => {
    const items = [issue(2), issue(1)];
    const server = await startSmallServer((_, response) => response.end(JSON.stringify({ items, total: 2 })));
    const { document } = await example('https://a.example/issues?page=1&per_page=50', { items, total: 2 });
    const trial = {
      document: JSON.stringify(document),
      entity: 'help-desk-issues',
      config: {},
      secret: 'secret-token',
      settings: {},
    };
    const { result } = await tryEntity(trial, { baseUrl: server.url, hosts: ['127.0.0.1'] });
    server.close();
    expect([result.problems, result.records.count]).toEqual([[], 2]);
  });

  it('leaves out the secret of an address', async () => {
    const { document } = await example('https://a.example/items?api_key=s3cret&x=1', [issue(1)]);
    expect(document.authentication).toMatchObject({ kind: 'api-key', in: 'query', name: 'api_key' });
    expect(JSON.stringify(document)).not.toContain('s3cret');
  });

  it('writes documents without faults for any records', async () => {
    const names = [
      'id',
      'ID',
      'data',
      'account',
      'user_id',
      'xmin',
      'a b',
      'and',
      '`',
      '1st',
      'ä',
      '__proto__',
      'constructor',
      'x'.repeat(80),
      '$',
      'created',
      'Title',
      '$$',
      'null',
      '',
    ];
    const values = [
      1,
      1.5,
      '',
      'text',
      null,
      true,
      [],
      ['a'],
      {},
      { name: 'x' },
      [{ id: 1 }],
      '2026-01-01',
      2 ** 40,
      'x'.repeat(3000),
      'a\'b"c`',
      [[1]],
      { a: { b: { c: { d: 1 } } } },
    ];
    let state = 7;
    const random = (most: number) => {
      state = (state * 48_271) % 2_147_483_647;
      return state % most;
    };
    for (let round = 0; round < 60; round++) {
      const record = () =>
        Object.fromEntries(
          Array.from({ length: random(30) }, () => [
            names[random(names.length)],
            values[random(values.length)],
          ]),
        );
      const records = Array.from({ length: random(4) }, record);
      const answer = [
        records,
        { items: records, next: values[random(values.length)] },
        { [names[random(names.length)] ?? '']: records },
      ][random(3)];
      await example(
        `https://a.example/${names[random(names.length)]}?${names[random(names.length)]}=${values[random(values.length)]}`,
        answer,
        { key: 'k'.repeat(2 + random(29)) },
      );
    }
  });

  it('reads an answer of 1,000,000 characters beside the main thread', async () => {
    const answer = JSON.stringify(Array.from({ length: 3500 }, (_, index) => issue(index))).slice(0, 999_000);
    let longest = 0;
    let before = performance.now();
    const timer = setInterval(() => {
      longest = Math.max(longest, performance.now() - before);
      before = performance.now();
    }, 5);
    const { remarks } = await draftDocument({ from: 'openapi', key: 'big', description: answer });
    clearInterval(timer);
    expect(remarks.length).toBeGreaterThan(0);
    expect(longest).toBeLessThan(2000);
  });
});

const OPENAPI = {
  openapi: '3.1.0',
  info: { title: 'Tracker', version: '1' },
  servers: [{ url: 'https://{region}.tracker.example/api', variables: { region: { default: 'eu' } } }],
  security: [{ key: [] }],
  components: {
    securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } },
    schemas: {
      Ticket: {
        type: 'object',
        properties: {
          id: { type: 'integer' },
          subject: { type: 'string' },
          updated_at: { type: ['string', 'null'], format: 'date-time' },
          parent: { $ref: '#/components/schemas/Ticket' },
        },
      },
      Page: {
        allOf: [
          { type: 'object', properties: { total: { type: 'integer' } } },
          { properties: { items: { type: 'array', items: { $ref: '#/components/schemas/Ticket' } } } },
        ],
      },
    },
    parameters: {
      size: { name: 'per_page', in: 'query', schema: { type: 'integer', default: 20, maximum: 100 } },
    },
  },
  paths: {
    '/tickets': {
      get: {
        summary: 'All tickets',
        parameters: [
          { name: 'page', in: 'query', schema: { type: 'integer' } },
          { $ref: '#/components/parameters/size' },
        ],
        responses: {
          200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Page' } } } },
        },
      },
    },
    '/queues/{queue-id}/tickets': {
      get: {
        parameters: [{ name: 'q', in: 'query', required: true, schema: { type: 'string' } }],
        responses: {
          default: {
            content: {
              'application/json': {
                schema: { type: 'array', items: { $ref: '#/components/schemas/Ticket' } },
              },
            },
          },
        },
      },
    },
    '/tickets/{id}': {
      get: {
        responses: {
          200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Ticket' } } } },
        },
      },
    },
    '/loop': { get: { responses: { 200: { $ref: '#/paths/~1loop/get/responses/200' } } } },
    '/post': { post: {} },
  },
};

describe('documents that start from elsewhere', () => {
  it.each([
    ['JSON', JSON.stringify(OPENAPI)],
    ['YAML', stringify(OPENAPI)],
  ])('takes the lists of an OpenAPI description in %s', async (_, description) => {
    const { document, remarks } = await started({ from: 'openapi', key: 'tracker', description });
    expect(document).toMatchObject({
      title: 'Tracker',
      baseUrl: 'https://eu.tracker.example/api',
      authentication: { kind: 'api-key', in: 'header', name: 'X-Key' },
    });
    expect(document.entities).toMatchObject([
      {
        id: 'tracker-tickets',
        description: 'All tickets',
        records: 'response.items',
        total: 'response.total',
        pagination: { kind: 'page', parameter: 'page', size: 100, sizeParameter: 'per_page' },
        incremental: { column: 'updated_at' },
        titleColumn: 'subject',
      },
      {
        id: 'tracker-tickets-2',
        request: { path: '/queues/{settings.queueId}/tickets', query: { q: 'settings.q' } },
        settings: [{ name: 'queueId' }, { name: 'q' }],
      },
    ]);
    expect(remarks).toMatch(/2 of 4 requests/);
  });

  it.each([
    ['bearer', { type: 'http', scheme: 'bearer' }, { kind: 'bearer' }],
    ['basic', { type: 'http', scheme: 'basic' }, { kind: 'basic', user: 'user' }],
    ['oauth', { type: 'oauth2' }, { kind: 'bearer' }],
    [
      'client credentials',
      {
        type: 'oauth2',
        flows: { clientCredentials: { tokenUrl: 'https://a.example/token', scopes: { read: '' } } },
      },
      {
        kind: 'client-credentials',
        user: 'clientId',
        tokenUrl: 'https://a.example/token',
        scopes: ['read'],
        send: 'header',
      },
    ],
    ['cookie', { type: 'apiKey', in: 'cookie', name: 'c' }, { kind: 'bearer' }],
  ])('takes over the way to sign in: %s', async (_, scheme, authentication) => {
    const description = JSON.stringify({
      ...OPENAPI,
      components: { ...OPENAPI.components, securitySchemes: { key: scheme } },
    });
    expect((await started({ from: 'openapi', key: 'tracker', description })).document.authentication).toEqual(
      authentication,
    );
  });

  it.each([
    ['Swagger 2', '{"swagger":"2.0"}', /OpenAPI 3\.0 or 3\.1/],
    ['no list', JSON.stringify({ ...OPENAPI, paths: {} }), /No GET/],
    ['no text', '', /OpenAPI/],
    ['a fault of YAML', 'a: [', /Line 1/],
  ])('writes a document to complete for a description with %s', async (_, description, message) => {
    expect((await started({ from: 'openapi', key: 'tracker', description })).remarks).toMatch(message);
  });

  it('takes at most 20 lists of a description', async () => {
    const paths = Object.fromEntries(
      Array.from({ length: 50 }, (_, index) => [`/list${index}`, OPENAPI.paths['/tickets']]),
    );
    const { document, remarks } = await started({
      from: 'openapi',
      key: 'tracker',
      description: JSON.stringify({ ...OPENAPI, paths }),
    });
    expect(document.entities.length).toBe(20);
    expect(remarks).toMatch(/30 more lists were left out/);
  });

  it.each(shippedDocuments.map(({ key }) => key))(
    'copies the shipped document %s under another key',
    async (key) => {
      const { document, remarks } = await started({ from: 'shipped', key });
      expect(document.key).toBe(`my-${key}`);
      for (const { id, templates } of document.entities)
        for (const one of [id, ...templates.map((template) => template.key)])
          expect(one).toMatch(`my-${key}-`);
      expect(remarks).toMatch(`my-${key}`);
    },
  );

  it('writes YAML as JSON, and keeps a text that it cannot read', async () => {
    const [shipped] = shippedDocuments;
    const { document } = await started({ from: 'document', text: stringify(shipped) });
    expect(document).toEqual(shipped);
    expect(await draftDocument({ from: 'document', text: 'a: [' })).toEqual({
      document: 'a: [',
      remarks: [expect.stringMatching(/^Line 1/)],
    });
    expect((await draftDocument({ from: 'shipped', key: 'other' })).document).toBe('');
  });
});
