import { describe, expect, it } from 'vitest';
import { entityOf, imported, reasonOf, stream } from '../../../test-support/airbyte/manifests.ts';
import { compileBounded } from '../expression.ts';

type Part = Record<string, unknown>;

const paginator = (strategy: Part) => ({
  type: 'DefaultPaginator',
  page_token_option: { type: 'RequestOption', inject_into: 'request_parameter', field_name: 'after' },
  pagination_strategy: { type: 'CursorPagination', ...strategy },
});
const selector = (parts: Part) => ({
  type: 'RecordSelector',
  extractor: { type: 'DpathExtractor', field_path: ['data'] },
  ...parts,
});
const handler = (filter: Part) => ({
  error_handler: {
    type: 'DefaultErrorHandler',
    response_filters: [{ type: 'HttpResponseFilter', ...filter }],
  },
});

const reasonsOf = (streams: object[]) => imported(streams).streams.map(({ reason }) => reason);

describe('a stream is imported whole, or left out with the reason', () => {
  it.each<[string, Parameters<typeof stream>[1]]>([
    ['successful answers', { requester: handler({ action: 'RETRY', http_codes: [200] }) }],
    ['file_uploader', { stream: { file_uploader: { type: 'FileUploader' } } }],
    [
      'record_expander',
      {
        retriever: {
          record_selector: selector({
            extractor: {
              type: 'DpathExtractor',
              field_path: ['data'],
              record_expander: { type: 'RecordExpander' },
            },
          }),
        },
      },
    ],
    [
      'a body that is a text',
      { requester: { http_method: 'POST', request_body_json: 'query { {{ config.user }} }' } },
    ],
    ['with a slash', { requester: { path: "a/{{ 'c/d' if config['user'] == 'x' else 'e' }}" } }],
    ['with a slash', { requester: { path: "a/{{ now_utc().strftime('%Y/%m') }}" } }],
    ['not encoded well', { requester: { path: '/books?of=%zz' } }],
    [
      'records',
      {
        retriever: {
          paginator: {
            type: 'DefaultPaginator',
            page_token_option: { type: 'RequestOption', inject_into: 'request_parameter', field_name: 'p' },
            pagination_strategy: { type: 'PageIncrement', page_size: 100_001 },
          },
        },
      },
    ],
    [
      'all headers',
      { retriever: { paginator: paginator({ cursor_value: "{{ headers[config['user']] }}" }) } },
    ],
  ])('%s', (reason, parts) => {
    expect(reasonOf(parts)).toContain(reason);
  });

  it('lists streams that are made while reading', () => {
    const dynamic = { type: 'DynamicDeclarativeStream', name: 'tables' };
    const { streams } = imported([stream('books')], { dynamic_streams: [dynamic] });
    expect(streams.map(({ name, reason }) => [name, reason])).toEqual([
      ['books', undefined],
      ['tables', 'streams that are made while reading'],
    ]);
  });
});

describe('the requests of a stream', () => {
  it('have the query of its path, also one that a template prints', () => {
    const { request } = entityOf({
      requester: { path: "books?of=a=b&x%5B%5D=1&day={{ now_utc().strftime('%Y-%m-%d') }}&c?d" },
    });
    expect(request.path).toBe('/v1/books');
    expect(Object.keys(request.query)).toEqual(['of', 'x[]', 'day', 'c?d']);
    const now = '2026-03-31T12:34:56.000Z';
    const printed = (name: string) => compileBounded(request.query[name] ?? '').evaluate({ now });
    expect([printed('of'), printed('x[]'), printed('day')]).toEqual(['a=b', '1', '2026-03-31']);
  });

  it.each(['api_key', 'access_token', 'client_secret'])(
    'have no value that is called %s, although no specification calls it secret',
    (name) => {
      const template = `{{ config['${name}'] }}`;
      const body = { http_method: 'POST', request_body_json: { a: template } };
      expect(reasonOf({ requester: body })).toContain('the secret');
    },
  );
});

describe('the next page of a stream', () => {
  it.each([
    ["{{ headers['X-Next-Page'] }}", { headers: { 'x-next-page': '2' } }, '2'],
    ["{{ headers.get('X-Next-Page') }}", { headers: { 'x-next-page': '2' } }, '2'],
    [
      "{{ headers['link']['next']['url'] }}",
      { headers: { link: '<https://a.example/2>; rel="next"' } },
      'https://a.example/2',
    ],
    [
      "{{ headers['link']['next']['url'] }}",
      { headers: { link: '<https://a.example/1>; rel="prev"' } },
      undefined,
    ],
    ['{{ response.next }}', { response: { next: 0 } }, undefined],
    ['{{ response.next }}', { response: { next: '0' } }, undefined],
    ['{{ response.next }}', { response: { next: false } }, undefined],
    ['{{ response.next }}', { response: { next: null } }, undefined],
    ['{{ response.next }}', { response: { next: 3 } }, 3],
  ])('is that of %s in %j', (cursor_value, input, next) => {
    const { pagination } = entityOf({ retriever: { paginator: paginator({ cursor_value }) } });
    const expression = 'next' in pagination ? pagination.next : '';
    const { headers = {}, response = {} } = input as { headers?: object; response?: object };
    expect(compileBounded(expression).evaluate({ headers, response, config: {} })).toEqual(next);
  });
});

describe('the records of a stream', () => {
  const added = {
    type: 'AddFields',
    fields: [
      { type: 'AddedFieldDefinition', path: ['kind'], value: "{{ 'new' if record.year > 2000 else 'old' }}" },
    ],
  };
  const filter = { type: 'RecordFilter', condition: "{{ record.kind == 'new' }}" };
  const response = {
    data: [
      { id: 1, year: 1990 },
      { id: 2, year: 2020 },
    ],
  };

  it.each([
    [true, [2]],
    [false, []],
  ])('are chosen after they are changed, if the manifest says so: %s', (isLate, ids) => {
    const record_selector = selector({ record_filter: filter, transform_before_filtering: isLate });
    const { records } = entityOf({ stream: { transformations: [added] }, retriever: { record_selector } });
    const found = compileBounded(`[${records}]`).evaluate({ response }) as { id: number }[];
    expect(found.map(({ id }) => id)).toEqual(ids);
  });

  it('are chosen by windows that no request names', () => {
    const sync = {
      type: 'DatetimeBasedCursor',
      cursor_field: 'updated_at',
      datetime_format: '%Y-%m-%d',
      start_datetime: '2026-01-01',
      step: 'P30D',
      cursor_granularity: 'P1D',
    };
    const record_selector = selector({
      record_filter: {
        type: 'RecordFilter',
        condition: "{{ record.updated_at >= stream_interval['start_time'] }}",
      },
    });
    expect(entityOf({ stream: { incremental_sync: sync } }).parts).toBeUndefined();
    expect(
      entityOf({ stream: { incremental_sync: sync }, retriever: { record_selector } }).parts,
    ).toBeDefined();
  });

  it.each([
    ['id', 'parent.id'],
    ['uuid', 'parent.sourceId'],
    [['id', 'day'], 'parent.sourceId'],
    [undefined, 'parent.sourceId'],
  ])(
    'keep their id for columns and for the records below them, if the key is %j',
    (primary_key, expected) => {
      const shelves = stream('shelves', { stream: { primary_key } });
      const router = {
        type: 'SubstreamPartitionRouter',
        parent_stream_configs: [
          { type: 'ParentStreamConfig', stream: shelves, parent_key: 'id', partition_field: 'shelf' },
        ],
      };
      const books = stream('books', {
        // A list of one router is that router.
        retriever: { partition_router: Array.isArray(primary_key) ? [router] : router },
        requester: { path: '/shelves/{{ stream_partition.shelf }}' },
      });
      const entities = imported([shelves, books]).document?.entities ?? [];
      expect(entities[1]).toMatchObject({ parent: entities[0]?.id });
      expect(entities[1]?.request.path).toContain(expected);
      const [value] = Object.values(entities[0]?.columns ?? {})
        .map((column) => column.value)
        .filter((one) => /\.(?:id|sourceId)$/.test(one));
      expect(value).toBe(expected.replace('parent', 'record'));
    },
  );

  it('have different keys if they differ only at their end', () => {
    const { key } = entityOf({ stream: { primary_key: undefined } });
    const keyOf = (end: string) =>
      compileBounded(key).evaluate({ record: { text: `${'x'.repeat(5000)}${end}` } });
    expect(keyOf('a')).not.toEqual(keyOf('b'));
    const pair = entityOf({ stream: { primary_key: ['a', 'b'] } }).key;
    const both = (a: string, b: string) => compileBounded(pair).evaluate({ record: { a, b } });
    expect(both('x/y', 'z')).not.toEqual(both('x', 'y/z'));
  });

  it('is read with the sign-in of its parents, which is the same', () => {
    const authenticators = [
      undefined,
      { type: 'BasicHttpAuthenticator', username: 'u', password: "{{ config['password'] }}" },
    ];
    for (const authenticator of authenticators) {
      const shelves = stream('shelves', { requester: { authenticator } });
      const router = {
        type: 'SubstreamPartitionRouter',
        parent_stream_configs: [
          { type: 'ParentStreamConfig', stream: shelves, parent_key: 'id', partition_field: 'shelf' },
        ],
      };
      const books = stream('books', {
        retriever: { partition_router: router },
        requester: { path: '/shelves/{{ stream_partition.shelf }}' },
      });
      expect(reasonsOf([books, stream('pages'), stream('notes')])[0]).toBe(
        'another sign-in than the other streams',
      );
    }
  });

  it('sends what is secret in another place than the sign-in as it is', () => {
    const secret = { request_headers: { token: "{{ config['token'] }}" }, authenticator: undefined };
    const { document } = imported([
      stream('books', { requester: { ...secret, request_parameters: { token: 'abc' } } }),
    ]);
    expect(document?.entities[0]?.request.query).toEqual({ token: '"abc"' });
  });

  it.each<[string, (own: string, before: string) => string]>([
    ['by +', (own, before) => `{% set ${own} = ${before} + ${before} %}`],
    ['in a block', (own, before) => `{% set ${own} %}{{ ${before} }}{{ ${before} }}{% endset %}`],
  ])('is left out where its texts would become too long %s', (_, double) => {
    const doubled = Array.from({ length: 26 }, (_item, index) => double(`a${index + 1}`, `a${index}`));
    const of = `{% set a0 = 'aaaaaaaaaaaaaaaa' %}${doubled.join('')}{{ a26 }}`;
    expect(
      reasonsOf([stream('books', { requester: { request_parameters: { of } } }), stream('pages')]),
    ).toEqual(['a text that is too long', undefined]);
  });
});
