import { describe, expect, it } from 'vitest';
import { entityOf, imported, reasonOf, stream } from '../../../test-support/airbyte/manifests.ts';
import { decodeXml } from '../decode-xml.ts';
import { compileBounded } from '../expression.ts';
import { pathExpressions } from '../path-holes.ts';

const evaluated = (source: string, input: object) => compileBounded(source).evaluate(input);

describe('the path of a request', () => {
  it('may have a part that is computed', () => {
    const path = "/books/{{ config['user'] | string or 'all' }}/{{ {'a': 'x'}['a'] }}.json";
    const { request } = entityOf({ requester: { path } });
    const holes = pathExpressions(request.path);
    const values = (user: string) => holes.map((hole) => evaluated(hole, { config: { user } }));
    expect([values('me'), values('')]).toEqual([
      ['me', 'x'],
      ['all', 'x'],
    ]);
  });

  it('has a field of a part of the stream', () => {
    const partition_router = {
      type: 'SubstreamPartitionRouter',
      parent_stream_configs: [
        {
          stream: stream('shelves'),
          parent_key: 'room',
          partition_field: 'room',
          extra_fields: [['a', 'b']],
        },
      ],
    };
    const path = "/{{ stream_partition.room.id }}/{{ stream_slice['extra_fields']['a']['b']['c'] }}";
    const { document } = imported([
      stream('books', { requester: { path }, retriever: { partition_router } }),
    ]);
    const books = document?.entities.find(({ id }) => id === 'books-books');
    expect(books?.request.path).toBe('/v1/{parent.room.id}/{parent.a.b.c}');
  });
});

describe('the records of an answer', () => {
  it('are at a path that the parameters name', () => {
    const extractor = {
      type: 'DpathExtractor',
      field_path: ["{{ parameters.get('data_path') or parameters.get('name') }}"],
      $parameters: { name: 'rows' },
    };
    const record_selector = { type: 'RecordSelector', extractor };
    expect(entityOf({ retriever: { record_selector } }).records).toBe('response.rows');
  });
});

describe('the records of an answer in XML', () => {
  const extractor = { type: 'DpathExtractor', field_path: ['Response', 'Staff'] };
  const retriever = {
    decoder: { type: 'XmlDecoder' },
    record_selector: { type: 'RecordSelector', extractor },
  };

  it.each<[xml: string, expected: unknown]>([
    ['<Response><Staff><ID> 1 </ID><Name/></Staff></Response>', { ID: '1', Name: null }],
    [
      '<Response><Staff n=""><ID>1</ID></Staff><Staff><ID>2</ID><ID/></Staff></Response>',
      [{ '@n': '', ID: '1' }, { ID: ['2', null] }],
    ],
    ['<Response><Staff/></Response>', null],
    ['<Response/>', undefined],
  ])('%s are as xmltodict has them', (xml, expected) => {
    const { records, request } = entityOf({ retriever });
    expect(request.decode).toBe('xml');
    expect(evaluated(records, { response: decodeXml(xml) }) ?? expected).toEqual(expected);
  });

  it('have no cursor', () => {
    const paginator = {
      type: 'DefaultPaginator',
      page_token_option: { type: 'RequestOption', inject_into: 'request_parameter', field_name: 'after' },
      pagination_strategy: { type: 'CursorPagination', cursor_value: '{{ response.next }}' },
    };
    expect(reasonOf({ retriever: { ...retriever, paginator } })).toBe('a cursor in XML');
  });
});

describe('a template', () => {
  it.each([
    ["{{ 'yes' if 'user' in config else 'no' }}", 'me', 'yes'],
    ["{{ 'yes' if 'user' in config else 'no' }}", '', 'no'],
    ["{{ 'yes' if 'user' not in config else 'no' }}", '', 'yes'],
    ["{{ config['us' + 'er'] }}", 'me', 'me'],
  ])('reads what people enter: %s', (template, user, expected) => {
    const { query } = entityOf({ requester: { request_parameters: { a: template } } }).request;
    expect(evaluated(query.a ?? '', { config: { user } })).toBe(expected);
  });
});

describe('parts that only the first page names', () => {
  const partition_router = {
    type: 'ListPartitionRouter',
    values: ['a', 'b'],
    cursor_field: 'shelf',
    request_option: { type: 'RequestOption', inject_into: 'request_parameter', field_name: 'shelf' },
  };
  const parts = (strategy: Record<string, unknown>, requester = {}) => ({
    requester,
    retriever: {
      partition_router,
      ignore_stream_slicer_parameters_on_paginated_requests: true,
      paginator: {
        type: 'DefaultPaginator',
        page_token_option: { type: 'RequestOption', inject_into: 'request_parameter', field_name: 'p' },
        pagination_strategy: strategy,
      },
    },
  });
  const cursor = { type: 'CursorPagination', cursor_value: '{{ response.next }}' };

  it.each([cursor, { type: 'PageIncrement', page_size: 2 }])(
    'are left out of later pages by %j',
    (strategy) => {
      const { pagination, request } = entityOf(parts(strategy));
      expect(pagination).toMatchObject({ firstOnly: ['shelf'] });
      expect(request.query).toHaveProperty('shelf');
    },
  );

  it('are refused where the CDK never sends them, or others of their name', () => {
    const first = { type: 'PageIncrement', inject_on_first_request: true };
    const named = { request_parameters: { shelf: 'c' } };
    for (const one of [parts(first), parts(cursor, named)])
      expect(reasonOf(one)).toBe('parts that only the first page names');
  });
});

describe('the body of a GET', () => {
  it.each<[requester: Record<string, unknown>, expected: Record<string, unknown>]>([
    [{ request_body_json: { a: 'x' } }, { method: 'GET', body: '{"a": "x"}' }],
    [{ request_body_data: { a: 'x' } }, { method: 'GET', body: '{"a": "x"}', bodyFormat: 'form' }],
    [
      { http_method: 'POST', request_body_json: { a: 'x' } },
      { method: undefined, body: '{"a": "x"}' },
    ],
    [{}, { method: undefined, body: undefined }],
  ])('is sent as in %j', (requester, expected) => {
    const { method, body, bodyFormat } = entityOf({ requester }).request;
    expect({ method, body, bodyFormat }).toEqual({ bodyFormat: undefined, ...expected });
  });

  it('may have nothing but the cursor of later pages', () => {
    const paginator = {
      type: 'DefaultPaginator',
      page_token_option: { type: 'RequestOption', inject_into: 'body_json', field_name: 'after' },
      pagination_strategy: { type: 'CursorPagination', cursor_value: '{{ response.next }}' },
    };
    const { request, pagination } = entityOf({ retriever: { paginator } });
    expect(request).toMatchObject({ method: 'GET' });
    expect(request.body).toBeUndefined();
    expect(pagination).toMatchObject({ kind: 'cursor', in: 'body', parameter: 'after' });
  });
});
