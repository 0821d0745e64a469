import { describe, expect, it } from 'vitest';
import { entityOf } from '../../../test-support/airbyte/manifests.ts';

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
