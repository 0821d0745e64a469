import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { documentWith, item, readerOf, recordsOf } from '../../test-support/declarative/things.ts';
import { documentProblems } from './document-problems.ts';

/** What a service sees of a request. */
interface Seen {
  method: string | undefined;
  url: string | undefined;
  type: string | undefined;
  body: string;
  version: unknown;
}

async function seen(request: IncomingMessage): Promise<Seen> {
  const { method, url, headers } = request;
  return {
    method,
    url,
    type: headers['content-type'],
    body: await text(request),
    version: headers.x_version,
  };
}

/** Reads an entity of a service with one page, or with pages that name a next one. @returns what the service saw */
async function requestsOf(
  entity: object,
  answers: readonly object[] = [{ items: [item(1)] }],
): Promise<Seen[]> {
  const all: Seen[] = [];
  const reader = await readerOf(async (_, request) => {
    all.push(await seen(request));
    return answers[all.length - 1] ?? { items: [] };
  }, documentWith(entity));
  const run = await reader.run();
  expect(recordsOf(run).length).toBeGreaterThan(0);
  return all;
}

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';
const BODY = '{"a": "ü & b", "n": 7, "yes": true, "none": null}';

describe('requests', () => {
  it.each<[request: object, expected: Partial<Seen>]>([
    [{}, { method: 'GET', type: undefined, body: '' }],
    [{ method: 'GET' }, { method: 'GET', type: undefined, body: '' }],
    [{ method: 'POST' }, { method: 'POST', type: undefined, body: '' }],
    [
      { body: '{"a": 1}', method: 'GET' },
      { method: 'GET', type: JSON_TYPE, body: '{"a":1}' },
    ],
    [
      { body: '{"a": 1}', method: 'GET', bodyFormat: 'form' },
      { method: 'GET', type: FORM_TYPE, body: 'a=1' },
    ],
    [{ body: BODY }, { method: 'POST', type: JSON_TYPE, body: '{"a":"ü & b","n":7,"yes":true,"none":null}' }],
    [
      { body: BODY, method: 'POST', bodyFormat: 'json' },
      { method: 'POST', type: JSON_TYPE },
    ],
    [
      { body: BODY, bodyFormat: 'form' },
      { method: 'POST', type: FORM_TYPE, body: 'a=%C3%BC+%26+b&n=7&yes=true' },
    ],
    [
      { body: BODY, headers: { 'content-type': '"application/vnd.api+json"' } },
      { type: 'application/vnd.api+json' },
    ],
  ])('are sent as %j says', async (request, expected) => {
    const [first] = await requestsOf({ request: { path: '/items', ...request } });
    expect(first).toMatchObject(expected);
  });

  it.each(['{"a": [1]}', '{"a": {"b": 1}}'])('fail for the form %s', async (body) => {
    const reader = await readerOf(
      () => ({ items: [] }),
      documentWith({ request: { path: '/items', body, bodyFormat: 'form' } }),
    );
    expect(await reader.failure()).toBe('malformed');
  });

  it.each<[pagination: object, expected: string[]]>([
    [{ kind: 'page', in: 'body', parameter: 'page.at', size: 1 }, ['a=1&page.at=1', 'a=1&page.at=2']],
    [
      { kind: 'cursor', in: 'body', parameter: 'page.after', next: 'response.next' },
      ['a=1', 'a=1&page.after=x'],
    ],
  ])('name the next page in a form by %j', async (pagination, expected) => {
    const request = { path: '/items', body: '{"a": 1}', bodyFormat: 'form' };
    const all = await requestsOf({ request, pagination }, [{ items: [item(1)], next: 'x' }, { items: [] }]);
    expect(all.map(({ body }) => body)).toEqual(expected);
  });

  it.each<[pagination: object, expected: string[]]>([
    [
      { kind: 'cursor', in: 'query', parameter: 'after', next: 'response.next' },
      ['/items?q=a&since=1', '/items?q=a&after=%2Fitems%3Fpage%3D2'],
    ],
    [
      { kind: 'address', next: 'response.next', repeatQuery: true },
      ['/items?q=a&since=1', '/items?page=2&q=a'],
    ],
    [{ kind: 'page', parameter: 'page', size: 1 }, ['/items?q=a&since=1&page=1', '/items?q=a&page=2']],
  ])('leave parameters of the first page out by %j', async (pagination, expected) => {
    const request = { path: '/items', query: { q: '"a"', since: '1' } };
    const answers = [{ items: [item(1)], next: '/items?page=2' }, { items: [] }];
    const all = await requestsOf({ request, pagination: { ...pagination, firstOnly: ['since'] } }, answers);
    expect(all.map(({ url }) => url)).toEqual(expected);
  });

  it.each<[pagination: object, name: string]>([
    [{ kind: 'page', parameter: 'page', size: 1 }, 'page'],
    [{ kind: 'offset', parameter: 'start', size: 1, sizeParameter: 'limit' }, 'limit'],
    [{ kind: 'cursor', in: 'query', parameter: 'after', next: 'response.next' }, 'after'],
    [{ kind: 'link' }, 'unknown'],
    [{ kind: 'address', next: 'response.next' }, 'toString'],
  ])('cannot leave out by %j: %s', (pagination, name) => {
    const names = { page: '1', limit: '1', after: '1', since: '1' };
    const document = documentWith({
      request: { path: '/items', query: names },
      pagination: { ...pagination, firstOnly: ['since', name] },
    });
    expect(documentProblems(document).map(({ path }) => path)).toEqual(['entities.0.pagination.firstOnly.1']);
  });

  it('name the next page in the body of a GET', async () => {
    const pagination = { kind: 'cursor', in: 'body', parameter: 'after', next: 'response.next' };
    const request = { path: '/items', method: 'GET' };
    const all = await requestsOf({ request, pagination }, [{ items: [item(1)], next: 'x' }, { items: [] }]);
    expect(all.map(({ method, body }) => [method, body])).toEqual([
      ['GET', ''],
      ['GET', '{"after":"x"}'],
    ]);
  });

  it.each<[address: string, expected: string]>([
    ['/items?page=2', '/items?page=2&size=5&q=a+b'],
    ['?page=2', '/items?page=2&size=5&q=a+b'],
    ['/items', '/items?size=5&q=a+b'],
    ['/items?', '/items?size=5&q=a+b'],
    ['/items?page=2&size=5', '/items?page=2&size=5&q=a+b'],
    ['/items?page=2&size=6', '/items?page=2&size=6&size=5&q=a+b'],
    ['/items?size=&page=2', '/items?size=&page=2&size=5&q=a+b'],
    ['/items?size=6&size=5', '/items?size=6&size=5&size=5&q=a+b'],
    ['/items?q=a%20b&size=5&page=2#top', '/items?q=a%20b&size=5&page=2'],
  ])('repeat their query at the next address %s', async (address, expected) => {
    const request = { path: '/items', query: { size: '5', q: '"a b"' }, headers: { x_version: '"2"' } };
    const answers = [
      { items: [item(1)], next: address },
      { items: [item(2)], next: '/items?after=2' },
      { items: [item(3)] },
    ];
    const pagination = { kind: 'address', next: 'response.next', repeatQuery: true };
    const all = await requestsOf({ request, pagination }, answers);
    expect(all.map(({ url }) => url)).toEqual([
      '/items?size=5&q=a+b',
      expected,
      '/items?after=2&size=5&q=a+b',
    ]);
    expect(all.map(({ version }) => version)).toEqual(['2', '2', '2']);
  });

  it('repeat nothing at the next address by default', async () => {
    const request = { path: '/items', query: { size: '5' } };
    const pagination = { kind: 'address', next: 'response.next' };
    const all = await requestsOf({ request, pagination }, [{ items: [item(1)], next: '/items?page=2' }]);
    expect(all.map(({ url }) => url)).toEqual(['/items?size=5', '/items?page=2']);
  });

  it('repeat their query also after a run continues', async () => {
    const urls: (string | undefined)[] = [];
    const document = documentWith({
      request: { path: '/items', query: { size: '5' } },
      pagination: { kind: 'address', next: 'response.next', repeatQuery: true },
      sortedBy: 'at',
    });
    const reader = await readerOf((url) => {
      urls.push(url.pathname + url.search);
      const page = Number(url.searchParams.get('page') ?? 1);
      return { items: [item(9 - page)], ...(page < 3 && { next: `/items?page=${page + 1}` }) };
    }, document);
    const { pages } = await reader.run();
    urls.length = 0;
    await reader.run({ checkpoint: pages[0]?.checkpoint ?? null });
    expect(urls.slice(0, 2)).toEqual(['/items?page=2&size=5', '/items?page=3&size=5']);
  });
});

const PIN = { in: 'query', name: 'pin', field: 'pin' };

it.each([
  { kind: 'api-key', in: 'query', name: 'proof', others: [PIN] },
  { kind: 'basic', user: 'user', keys: [PIN] },
  {
    kind: 'session-token',
    user: 'user',
    path: '/token',
    token: 'token',
    in: 'query',
    name: 'proof',
    keys: [PIN],
  },
])(
  'stores no proof of the address of a next page, also a short or an older one: %j',
  async (authentication) => {
    const connect = {
      fields: ['user', 'pin'].map((name) => ({ name, label: name, required: false, hidden: name === 'pin' })),
      secret: { name: 'token', label: 'Token' },
    };
    const name = 'name' in authentication ? authentication.name : PIN.name;
    const next = `/items?page=2&pin=12345&${name}=older`;
    const entity = { pagination: { kind: 'address', next: 'response.next' }, sortedBy: 'at' };
    const reader = await readerOf(
      ({ searchParams }) => ({ items: [item(1)], ...(!searchParams.has('page') && { next }) }),
      documentWith(entity, { authentication, connect }),
    );
    const { value: page } = await reader.read(reader.request()).next();
    expect(JSON.stringify(page)).toContain('page=2');
    expect(JSON.stringify(page)).not.toMatch(/pin=|older|12345/);
  },
);
