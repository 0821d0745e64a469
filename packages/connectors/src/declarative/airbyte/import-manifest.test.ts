import { describe, expect, it } from 'vitest';
import { imported, stream } from '../../../test-support/airbyte/manifests.ts';
import { documentProblems } from '../document-problems.ts';
import { compileBounded } from '../expression.ts';
import { type ImportedManifest, LEFT_OUT } from './import-manifest.ts';

/** Returns the document of an import, which has no problem. */
function documentOf({ document, streams }: ImportedManifest) {
  if (!document) throw new Error(`not imported: ${streams.map(({ reason }) => reason).join()}`);
  expect(documentProblems(document)).toEqual([]);
  return document;
}

type Parts = Parameters<typeof stream>[1];
const entityOf = (parts: Parts) => documentOf(imported([stream('books', parts)])).entities[0];
const reasonOf = (parts: Parts) => imported([stream('books', parts)]).streams[0]?.reason;

/** Returns the value of an expression as JSON has it. */
function evaluated(expression: string | undefined, input: object): unknown {
  return JSON.parse(JSON.stringify(compileBounded(expression ?? '').evaluate(input) ?? null));
}

const option = (name: string) => ({
  type: 'RequestOption',
  inject_into: 'request_parameter',
  field_name: name,
});
const TOKEN = "{{ config['token'] }}";

describe('the sign-in', () => {
  const authenticated = (authenticator: object) =>
    documentOf(imported([stream('books', { requester: { authenticator } })])).authentication;

  it.each<[string, object, object]>([
    ['Bearer', { type: 'BearerAuthenticator', api_token: TOKEN }, { kind: 'bearer' }],
    [
      'a header',
      { type: 'ApiKeyAuthenticator', api_token: TOKEN, header: 'X-Key' },
      { kind: 'api-key', in: 'header', name: 'X-Key' },
    ],
    [
      'a parameter',
      { type: 'ApiKeyAuthenticator', api_token: TOKEN, inject_into: option('key') },
      { kind: 'api-key', in: 'query', name: 'key' },
    ],
    [
      'Basic',
      {
        type: 'BasicHttpAuthenticator',
        username: "{{ config['user'] }}",
        password: "{{ config['password'] }}",
      },
      { kind: 'basic', user: 'user' },
    ],
  ])('is imported: %s', (_, authenticator, expected) => {
    expect(authenticated(authenticator)).toMatchObject(expected);
  });

  it.each(['JwtAuthenticator', 'LegacySessionTokenAuthenticator', 'CustomAuthenticator'])(
    'leaves the stream out by name: %s',
    (type) => {
      expect(reasonOf({ requester: { authenticator: { type } } })).toBe(`the sign-in ${type}`);
    },
  );
});

describe('the records', () => {
  const recordsOf = (parts: Parts, response: unknown) =>
    evaluated(entityOf(parts)?.records, { response, config: {} });
  const selected = (selector: object): Parts => ({
    retriever: { record_selector: { type: 'RecordSelector', ...selector } },
  });
  const extractor = (...path: string[]) => ({ type: 'DpathExtractor', field_path: path });

  it.each<[string[], unknown, unknown]>([
    [['data'], { data: [{ id: 1 }, { id: 2 }] }, [{ id: 1 }, { id: 2 }]],
    [[], [{ id: 1 }, { id: 2 }], [{ id: 1 }, { id: 2 }]],
    [['data', '*', 'book'], { data: [{ book: { id: 1 } }, { book: { id: 2 } }] }, [{ id: 1 }, { id: 2 }]],
    [['*', 'books'], { a: { books: [{ id: 1 }] }, b: { books: [{ id: 2 }] } }, [{ id: 1 }, { id: 2 }]],
  ])('are those at a path: %j', (path, response, expected) => {
    expect(recordsOf(selected({ extractor: extractor(...path) }), response)).toEqual(expected);
  });

  it('are those that a filter keeps', () => {
    const filter = { type: 'RecordFilter', condition: "{{ record['pages'] > 100 }}" };
    const data = [
      { id: 1, pages: 99 },
      { id: 2, pages: 101 },
      { id: 3, pages: 300 },
    ];
    expect(recordsOf(selected({ extractor: extractor('data'), record_filter: filter }), { data })).toEqual(
      data.slice(1),
    );
  });

  it('have added fields, and lack removed ones', () => {
    const transformations = [
      { type: 'AddFields', fields: [{ path: ['label'], value: "{{ record['title'] | upper }}" }] },
      { type: 'RemoveFields', field_pointers: [['draft']] },
    ];
    const data = [1, 2].map((id) => ({ id, title: 'a', draft: true }));
    expect(recordsOf({ stream: { transformations } }, { data })).toEqual(
      data.map(({ id, title }) => ({ id, title, label: 'A' })),
    );
  });

  it('leave the stream out by the name of a custom component', () => {
    expect(reasonOf(selected({ extractor: { type: 'CustomRecordExtractor', class_name: 'a.B' } }))).toBe(
      'the extractor CustomRecordExtractor',
    );
  });
});

describe('the pagination', () => {
  const paginated = (strategy: object, token: object = option('page')): Parts => ({
    retriever: {
      paginator: {
        type: 'DefaultPaginator',
        page_token_option: token,
        page_size_option: option('size'),
        pagination_strategy: strategy,
      },
    },
  });

  it.each<[object, object]>([
    [
      { type: 'PageIncrement', page_size: 50, start_from_page: 1 },
      {
        kind: 'page',
        parameter: 'page',
        first: 1,
        sendFirst: false,
        size: 50,
        sizeParameter: 'size',
        end: 'short-page',
      },
    ],
    [
      { type: 'PageIncrement', page_size: 50, inject_on_first_request: true },
      { kind: 'page', parameter: 'page', first: 0, size: 50, sizeParameter: 'size', end: 'short-page' },
    ],
    [
      { type: 'OffsetIncrement', page_size: 20 },
      {
        kind: 'offset',
        parameter: 'page',
        sendFirst: false,
        size: 20,
        sizeParameter: 'size',
        end: 'short-page',
      },
    ],
  ])('counts: %j', (strategy, expected) => {
    expect(entityOf(paginated(strategy))?.pagination).toEqual(expected);
  });

  it.each<[object, string]>([
    [{ next: 'b', more: true }, 'b'],
    [{ next: 'b', more: false }, ''],
    [{ next: 'b' }, ''],
  ])('follows a cursor until the stop condition: %j', (response, expected) => {
    const { pagination } =
      entityOf(
        paginated({
          type: 'CursorPagination',
          cursor_value: "{{ response['next'] }}",
          stop_condition: "{{ not response['more'] }}",
        }),
      ) ?? {};
    if (pagination?.kind !== 'cursor') throw new Error(`The kind is ${pagination?.kind}.`);
    expect(evaluated(pagination.next, { response, headers: {} })).toBe(expected);
  });

  it('follows addresses', () => {
    const strategy = { type: 'CursorPagination', cursor_value: "{{ response['next'] }}" };
    expect(entityOf(paginated(strategy, { type: 'RequestPath' }))?.pagination.kind).toBe('address');
  });

  it('leaves a custom one out by name', () => {
    expect(reasonOf(paginated({ type: 'CustomPaginationStrategy' }))).toBe(
      'the pagination CustomPaginationStrategy',
    );
  });
});

describe('the windows of a cursor', () => {
  const partsOf = (sync: object, input: object) => {
    const incremental = {
      type: 'DatetimeBasedCursor',
      cursor_field: 'updated_at',
      start_datetime: '2024-01-01T00:00:00Z',
      start_time_option: option('since'),
      end_time_option: option('until'),
      ...sync,
    };
    const entity = entityOf({ stream: { incremental_sync: incremental } });
    expect(entity?.incremental?.column).toBe('updated_at');
    return evaluated(entity?.parts, { config: {}, ...input });
  };
  const DAYS = { step: 'P10D', cursor_granularity: 'PT1S', datetime_format: '%Y-%m-%dT%H:%M:%SZ' };

  it('have a length in days', () => {
    expect(partsOf(DAYS, { now: '2024-01-15T06:00:00.000Z' })).toEqual([
      { start_time: '2024-01-01T00:00:00Z', end_time: '2024-01-10T23:59:59Z' },
      { start_time: '2024-01-11T00:00:00Z', end_time: '2024-01-15T06:00:00Z' },
    ]);
  });

  it('begin at the cursor of the last run', () => {
    const input = { now: '2024-01-25T00:00:00.000Z', cursor: '2024-01-12T00:00:00.500Z' };
    expect(partsOf(DAYS, input)).toEqual([
      { start_time: '2024-01-12T00:00:00Z', end_time: '2024-01-21T23:59:59Z' },
      { start_time: '2024-01-22T00:00:00Z', end_time: '2024-01-25T00:00:00Z' },
    ]);
  });

  it('have a length in months, and end a microsecond before the next one', () => {
    const sync = {
      step: 'P1M',
      cursor_granularity: 'PT0.000001S',
      datetime_format: '%Y-%m-%dT%H:%M:%S.%fZ',
    };
    expect(partsOf(sync, { now: '2024-02-10T00:00:00.000Z' })).toEqual([
      { start_time: '2024-01-01T00:00:00.000000Z', end_time: '2024-01-31T23:59:59.999999Z' },
      { start_time: '2024-02-01T00:00:00.000000Z', end_time: '2024-02-10T00:00:00.000000Z' },
    ]);
  });
});

describe('the parts of a stream', () => {
  const list = (name: string, values: unknown) => ({
    type: 'ListPartitionRouter',
    values,
    cursor_field: name,
    request_option: option(name),
  });
  const child = (name: string, parent: object) =>
    stream(name, {
      requester: { path: `/{{ stream_partition.owner }}/${name}` },
      retriever: {
        partition_router: {
          type: 'SubstreamPartitionRouter',
          parent_stream_configs: [
            { type: 'ParentStreamConfig', stream: parent, parent_key: 'id', partition_field: 'owner' },
          ],
        },
      },
    });

  it('are the values of lists, in each combination', () => {
    const routers = [list('shelf', ['a', 'b']), list('room', "{{ config['shelves'] }}")];
    const entity = entityOf({ retriever: { partition_router: routers } });
    expect(entity?.request.query).toEqual({ shelf: 'part.shelf', room: 'part.room' });
    expect(evaluated(entity?.parts, { config: { shelves: '1, 2' } })).toEqual([
      { shelf: 'a', room: '1' },
      { shelf: 'a', room: '2' },
      { shelf: 'b', room: '1' },
      { shelf: 'b', room: '2' },
    ]);
  });

  it('are the records of parents, in two levels', () => {
    const books = child('books', stream('shelves'));
    const { entities } = documentOf(imported([child('pages', books)]));
    expect(entities.map(({ id, parent, request }) => [id, parent, request.path])).toEqual([
      ['books-shelves', undefined, '/v1/shelves'],
      ['books-books', 'books-shelves', '/v1/{parent.id}/books'],
      ['books-pages', 'books-books', '/v1/{parent.id}/pages'],
    ]);
  });

  it('leave the stream out at more than two levels', () => {
    const pages = child('pages', child('books', stream('shelves')));
    expect(imported([child('lines', pages)]).streams[0]?.reason).toBe('more than two levels of parents');
  });
});

describe('the error handlers', () => {
  it.each<[object, object]>([
    [
      { http_codes: [404], action: 'IGNORE' },
      { status: 404, means: 'no-records' },
    ],
    [
      { http_codes: [401], action: 'FAIL' },
      { status: 401, means: 'expired-token' },
    ],
    [
      { http_codes: [500], action: 'FAIL' },
      { status: 500, means: 'invalid' },
    ],
    [
      { http_codes: [403], action: 'RATE_LIMITED' },
      { status: 403, means: 'rate-limited' },
    ],
  ])('become rules: %j', (filter, rule) => {
    const handler = {
      type: 'DefaultErrorHandler',
      response_filters: [{ type: 'HttpResponseFilter', ...filter }],
    };
    const { failures } = documentOf(imported([stream('books', { requester: { error_handler: handler } })]));
    expect(failures).toMatchObject([{ ...rule, entities: ['books-books'] }]);
  });
});

describe('streams that are left out', () => {
  it('have a line and a reason, and the others work', () => {
    const broken = stream('broken', { retriever: { decoder: { type: 'ZipfileDecoder' } } });
    const result = imported([stream('books'), broken, stream('shelves')]);
    expect(documentOf(result).entities.map(({ id }) => id)).toEqual(['books-books', 'books-shelves']);
    expect(result.streams.map(({ name, reason }) => [name, reason])).toEqual([
      ['books', undefined],
      ['broken', 'the decoder ZipfileDecoder'],
      ['shelves', undefined],
    ]);
    const lines = result.streams.map(({ line }) => line);
    expect(lines).toEqual([...lines].sort((one, other) => one - other));
    expect(new Set(lines).size).toBe(3);
  });

  it('include those for which the document has no room', () => {
    const result = imported(Array.from({ length: 30 }, (_, index) => stream(`books${index}`)));
    const left = result.streams.filter(({ entity }) => entity === undefined);
    expect(left).toHaveLength(30 - documentOf(result).entities.length);
    expect(left.length).toBeGreaterThan(0);
    expect(new Set(left.map(({ reason }) => reason))).toEqual(new Set([LEFT_OUT.noRoom]));
  });
});
