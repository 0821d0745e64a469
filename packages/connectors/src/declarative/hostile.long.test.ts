import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createGzip } from 'node:zlib';
import { connectorDocumentSchema } from '@datadeck/contract/connector-document';
import { afterEach, describe, expect, it } from 'vitest';
import {
  type HostileService,
  plainDocument,
  startHostile,
} from '../../test-support/declarative/hostile-service.ts';
import { ACCOUNT, type ServiceShape } from '../../test-support/declarative/shape.ts';
import { startSmallServer } from '../sdk/conformance/small-server.ts';
import { ProviderError } from '../sdk/provider-error.ts';
import { declarativeConnector } from './index.ts';

let service: HostileService | undefined;
afterEach(() => service?.close());

const { secret } = ACCOUNT;
const CREATED = '2026-01-01T00:00:00Z';
const item = (id: number) => ({ id, title: `Item ${id}`, created: CREATED, updated: CREATED, revision: id });
const itemsFrom = (start: number, count: number) =>
  Array.from({ length: count }, (_, index) => item(start + index));

/** Answers with these values in turn, and the last one again and again. */
const inTurn = (...answers: ((page: number) => unknown)[]) => {
  let page = 0;
  return (_request: IncomingMessage, response: ServerResponse) => {
    const answer = answers[Math.min(page, answers.length - 1)];
    response.end(JSON.stringify(answer?.(page++)));
  };
};

/** Returns the error of a full run, after checking that it is a sentence without the secret. */
async function refusalOf({ reader }: HostileService, more = {}): Promise<ProviderError> {
  const error = await reader.run(more).then(
    ({ pages }) => new Error(`it read ${pages.length} pages`),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ProviderError)) throw error;
  expect(error.message).toMatch(/^[A-Z].*\.$/s);
  expect(JSON.stringify([error.message, String(error.cause), error])).not.toContain(secret);
  return error;
}

describe('pages without end', () => {
  it.each([
    ['cursor-in-query', 'the same cursor', () => ({ items: [item(1)], next: 'a' })],
    ['cursor-in-body', 'the same cursor', () => ({ items: [item(1)], next: 'a' })],
    [
      'cursor-in-query',
      'cursors in a circle',
      (page: number) => ({ items: [item(1)], next: `c${page % 3}` }),
    ],
    ['cursor-in-query', 'other cursors without records', (page: number) => ({ items: [], next: `c${page}` })],
    ['page-from-1', 'the same full page', () => ({ items: itemsFrom(1, 20) })],
    ['offset', 'the same full page', () => ({ items: itemsFrom(1, 20) })],
  ] as const)('refuses, by %s, %s', async (pagination, _, answer) => {
    service = await startHostile(inTurn(answer), plainDocument({ pagination }));
    expect((await refusalOf(service)).failure).toBe('malformed');
    expect(service.requests.length).toBeLessThan(120);
  });

  it('refuses an address or a link that names its own page', async () => {
    for (const pagination of ['address', 'link'] as const) {
      service = await startHostile(({ url, headers }, response) => {
        const next = `http://${headers.host}${url}`;
        response.setHeader('link', `<${next}>; rel="next"`);
        response.end(JSON.stringify({ items: [item(1)], next }));
      }, plainDocument({ pagination }));
      expect((await refusalOf(service)).failure).toBe('malformed');
      expect(service.requests.length).toBeLessThan(5);
      service.close();
    }
  });

  it('reads no more than its limit of a list that always has new records', async () => {
    const answer = inTurn((page) => ({ items: itemsFrom(page * 20, 20), next: `c${page}` }));
    service = await startHostile(answer, plainDocument({ pagination: 'cursor-in-query' }));
    const { pages, completion } = await service.reader.run({ limit: 100 });
    expect(pages.flatMap(({ records }) => records)).toHaveLength(100);
    expect(completion.truncated).toBe(true);
    expect(service.requests.length).toBeLessThan(8);
  });

  it('refuses to sort more records than memory holds', async () => {
    const answer = inTurn((page) => ({ items: itemsFrom(page * 5000, 5000), next: `c${page}` }));
    service = await startHostile(answer, plainDocument({ pagination: 'cursor-in-query', order: 'unsorted' }));
    expect((await refusalOf(service)).failure).toBe('invalid');
    expect(service.requests.length).toBeLessThan(30);
  });

  it.each<Partial<ServiceShape>>([{ parents: 'one' }, { parents: 'two' }])(
    'refuses a parent that repeats itself: %j',
    async (shape) => {
      const answer = inTurn(() => ({ items: [item(1)], next: 'again' }));
      service = await startHostile(answer, plainDocument({ ...shape, pagination: 'cursor-in-query' }));
      expect((await refusalOf(service)).failure).toBe('malformed');
      expect(service.requests.length).toBeLessThan(120);
    },
  );
});

describe('the next page', () => {
  it.each(['address', 'link'] as const)('is refused on another host, by %s', async (pagination) => {
    let isCalled = false;
    const other = await startSmallServer((_request, response) => {
      isCalled = true;
      response.end('{}');
    });
    let next = '';
    service = await startHostile((_request, response) => {
      response.setHeader('link', `<${next}>; rel="next"`);
      response.end(JSON.stringify({ items: [item(1)], next }));
    }, plainDocument({ pagination }));
    const targets = [
      '//example.com/items',
      'https://user@example.com/',
      'file:///etc/passwd',
      'not an address',
    ];
    for (next of [`${other.url}/items`, ...targets])
      expect((await refusalOf(service)).failure, next).toBe('malformed');
    expect(isCalled).toBe(false);
    other.close();
  });

  it('is refused with an address of 9,000 characters', async () => {
    const answer = inTurn(() => ({ items: [item(1)], next: `/${'x'.repeat(9000)}` }));
    service = await startHostile(answer, plainDocument({ pagination: 'address' }));
    expect((await refusalOf(service)).failure).toBe('malformed');
  });

  it('is stored without the secret that the provider repeats', async () => {
    service = await startHostile(
      ({ url, headers }, response) => {
        const isFirst = !url?.includes('page=2');
        const next = `http://${headers.host}${url}&page=2`;
        response.setHeader('link', isFirst ? `<${next}>; rel="next"` : '');
        response.end(JSON.stringify({ items: [item(isFirst ? 2 : 1)] }));
      },
      plainDocument({ pagination: 'link', authentication: 'key-in-query' }),
    );
    const { pages } = await service.reader.run();
    expect(pages.flatMap(({ records }) => records.map(({ id }) => id))).toEqual(['2', '1']);
    expect(JSON.stringify(pages.map(({ checkpoint }) => checkpoint))).not.toContain('api_key');
    // The third one reads the start again, for what moved there.
    expect(service.requests.map(({ url }) => url?.split('api_key=').length)).toEqual([2, 2, 2]);
  });
});

describe('answers that are too large', () => {
  const HALF_GB = 500 * 1024 * 1024;
  const CHUNK = Buffer.alloc(1024 * 1024, ' ');

  async function stream(response: ServerResponse, target: NodeJS.WritableStream): Promise<void> {
    response.on('error', () => undefined);
    let sent = 0;
    response.on('close', () => {
      sent = HALF_GB;
    });
    for (; sent < HALF_GB; sent += CHUNK.length)
      if (!target.write(CHUNK)) await Promise.race([once(target, 'drain'), once(response, 'close')]);
    target.end();
  }

  it.each([
    [
      'announced',
      (response: ServerResponse) => {
        response.writeHead(200, { 'content-length': HALF_GB });
        return stream(response, response);
      },
    ],
    ['streamed', (response: ServerResponse) => stream(response, response)],
    [
      'compressed',
      (response: ServerResponse) => {
        response.writeHead(200, { 'content-encoding': 'gzip' });
        const gzip = createGzip();
        gzip.pipe(response);
        return stream(response, gzip);
      },
    ],
  ])('refuses 500 MB, %s', async (_, send) => {
    service = await startHostile((_request, response) => void send(response));
    const before = process.memoryUsage().rss;
    expect((await refusalOf(service)).failure).toBe('malformed');
    expect((process.memoryUsage().rss - before) / 1e6).toBeLessThan(250);
    expect(service.requests).toHaveLength(1);
  });

  it.each([
    ['levels', 'json', '['.repeat(1_000_000)],
    ['values', 'json', `{"items":[${'{},'.repeat(1_000_000)}{}]}`],
    ['elements', 'xml', `<list>${'<item/>'.repeat(1_000_000)}</list>`],
    ['entities', 'xml', `<!DOCTYPE l [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><list><item>&b;</item></list>`],
    ['fields', 'csv', 'a,'.repeat(1_000_000)],
    ['lines', 'ndjson', '{}\n'.repeat(1_000_000)],
  ] as const)('refuses too many %s of %s, and reads the next answer', async (_, format, body) => {
    let isHostile = true;
    service = await startHostile(
      (_request, response) => response.end(isHostile ? body : '{"items":[]}'),
      plainDocument({ format }),
    );
    const before = process.cpuUsage();
    expect((await refusalOf(service)).failure).toBe('malformed');
    expect(process.cpuUsage(before).user / 1e6).toBeLessThan(10);
    expect(service.requests).toHaveLength(1);
    isHostile = false;
    if (format === 'json') expect((await service.reader.run()).completion.truncated).toBe(false);
  });

  it.each(['created', 'unsorted'] as const)(
    'stores 99,990 records of one answer in pages: %s',
    async (order) => {
      const body = JSON.stringify({ items: Array.from({ length: 99_990 }, (_, id) => ({ id })) });
      service = await startHostile((_request, response) => response.end(body), plainDocument({ order }));
      const { pages } = await service.reader.run();
      expect(pages.flatMap(({ records }) => records)).toHaveLength(99_990);
      const rest = await service.reader.run({ checkpoint: pages[99]?.checkpoint ?? null });
      const ids = [...pages.slice(0, 100), ...rest.pages].flatMap(({ records }) =>
        records.map(({ id }) => id),
      );
      expect(ids).toEqual(pages.flatMap(({ records }) => records.map(({ id }) => id)));
    },
  );
});

describe('expressions that never end', () => {
  const ENDLESS = '($f := function($x) { $f($x + 1) }; $f(1))';
  const DEEP = '($f := function($x) { 1 + $f($x) }; $f(1))';
  const LARGE = '$map([1..200000], function($x) { [1..200000] })';
  const columns = { ...plainDocument().entities[0]?.columns, state: { type: 'text', value: ENDLESS } };
  const request = { query: {}, headers: {}, decode: 'json' };

  it.each([
    ['the path', { request: { ...request, path: `/{${ENDLESS}}` } }],
    ['a header', { request: { ...request, path: '/', headers: { 'x-a': DEEP } } }],
    ['the records', { records: LARGE }],
    ['the key', { key: ENDLESS }],
    ['an added field', { add: { x: ENDLESS } }],
    ['the total', { total: LARGE }],
    ['the next page', { pagination: { kind: 'address', next: LARGE } }],
    ['a column', { columns }],
  ])('fail the run where they are %s', async (_, changes) => {
    service = await startHostile(
      inTurn(() => ({ items: itemsFrom(1, 50) })),
      plainDocument({}, changes),
    );
    expect((await refusalOf(service)).failure).toBe('malformed');
    expect(service.requests.length).toBeLessThan(2);
  });

  it('leave a column out where they end by their depth', async () => {
    const changes = { columns: { ...columns, state: { type: 'text', value: DEEP } } };
    service = await startHostile(
      inTurn(() => ({ items: itemsFrom(1, 5) })),
      plainDocument({}, changes),
    );
    const { pages } = await service.reader.run();
    const records = pages.flatMap((page) => page.records);
    expect(records.map((record) => record.columns.state)).toEqual(Array(5).fill(null));
    expect(records[4]?.columns.revision).toBe(5);
  });
});

describe('documents that are wrong', () => {
  it('are refused with parents in a circle', () => {
    const document = plainDocument({ parents: 'two' });
    const [items, boards, workspaces] = document.entities;
    const circle = { ...document, entities: [items, boards, { ...workspaces, parent: boards?.id }] };
    expect(() => declarativeConnector(connectorDocumentSchema.parse(circle))).toThrow(/parent/);
    const own = { ...document, entities: [{ ...items, parent: items?.id }] };
    expect(() => declarativeConnector(connectorDocumentSchema.parse(own))).toThrow(/parent/);
  });

  it('are refused with 10,000 columns, and with holes in other places than one label', () => {
    const columns = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, index) => [`c${index}`, { type: 'text', value: 'record.x' }]),
    );
    expect(() => plainDocument({}, { columns })).toThrow();
    const document = plainDocument();
    for (const baseUrl of [
      'ftp://example.com',
      'http://user@example.com',
      'https://{config.site}',
      'https://{config.site}.{config.a}.com',
      'https://example.com@{config.site}.org',
      'https://example.com/{config.site}',
    ])
      expect(connectorDocumentSchema.safeParse({ ...document, baseUrl }).success, baseUrl).toBe(false);
  });
});

describe('secrets that the provider repeats', () => {
  const echo = ({ url, headers }: IncomingMessage) =>
    JSON.stringify({
      error: `${secret} ${url} ${headers.authorization} ${headers['x-api-key']}`,
      items: secret,
    });

  it.each(['bearer', 'key-in-header', 'key-in-query', 'basic'] as const)(
    'are in no message: %s',
    async (authentication) => {
      const document = connectorDocumentSchema.parse({
        ...plainDocument({ authentication }),
        failed: 'response.error',
      });
      let status = 200;
      service = await startHostile((request, response) => {
        const headers = { 'retry-after': encodeURIComponent(secret), 'www-authenticate': 'Basic' };
        response.writeHead(status, headers).end(echo(request));
      }, document);
      for (status of [200, 302, 400, 401, 403, 404, 410, 418, 429, 500])
        expect((await refusalOf(service)).message, `status ${status}`).not.toMatch(/s3cret/);
    },
  );

  it.each(['json', 'ndjson', 'csv', 'xml'] as const)(
    'are in no message about an answer that is no %s',
    async (format) => {
      service = await startHostile(
        (request, response) => response.end(`<html>"${echo(request)}`),
        plainDocument({ format }),
      );
      expect((await refusalOf(service)).message).not.toMatch(/s3cret/);
    },
  );

  it('are in no message of an expression that fails', async () => {
    const changes = { records: '$error("no " & response.error)' };
    service = await startHostile(
      (request, response) => response.end(echo(request)),
      plainDocument({}, changes),
    );
    expect((await refusalOf(service)).message).not.toMatch(/s3cret/);
  });
});

describe('answers of any shape', () => {
  it('are stored in valid pages or refused', async () => {
    let state = 3;
    const next = (end: number) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return (state >>> 8) % end;
    };
    const names = [
      'items',
      'id',
      'title',
      'state',
      'author',
      'name',
      'labels',
      'created',
      'updated',
      'revision',
      'next',
      '__proto__',
      'account',
    ];
    const leaves = [
      '',
      'x',
      CREATED,
      'NUL \u0000 \ud800',
      0,
      -1,
      1.5,
      1e300,
      2 ** 40,
      true,
      false,
      null,
      '9'.repeat(3000),
    ];
    const value = (depth: number): unknown => {
      const kind = depth > 3 ? 0 : next(4);
      if (kind < 2) return leaves[next(leaves.length)];
      if (kind === 2) return Array.from({ length: next(4) }, () => value(depth + 1));
      return Object.fromEntries(
        Array.from({ length: next(7) }, () => [names[next(names.length)], value(depth + 1)]),
      );
    };
    let body: unknown;
    service = await startHostile(
      (_request, response) => response.end(JSON.stringify(body)),
      plainDocument({ pagination: 'cursor-in-query', incremental: 'compared' }),
    );
    const outcomes = new Set<string>();
    for (let round = 0; round < 300; round++) {
      body = next(4) ? { items: Array.from({ length: next(5) }, () => value(0)) } : value(0);
      const outcome = await service.reader.failure();
      expect(outcome, JSON.stringify(body)).not.toMatch(/^unknown/);
      outcomes.add(outcome);
    }
    expect(outcomes).toContain('none');
  });
});
