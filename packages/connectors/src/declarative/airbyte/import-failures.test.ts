import { describe, expect, it } from 'vitest';
import { entityOf, imported, reasonOf, stream } from '../../../test-support/airbyte/manifests.ts';
import { ProviderError } from '../../sdk/index.ts';
import { compileBounded, evaluate } from '../expression.ts';

type Part = Record<string, unknown>;

const filterOf = (filter: Part) => ({ type: 'HttpResponseFilter', ...filter });
const handlerOf = (...filters: Part[]): Part => ({
  type: 'DefaultErrorHandler',
  response_filters: filters.map(filterOf),
});
const requesterOf = (error_handler: Part) => ({ requester: { error_handler } });

function rulesOf(handler: Part): object[] {
  const { document } = imported([stream('books', requesterOf(handler))]);
  return (document?.failures ?? []).map(({ entities: _, ...rule }) => rule);
}

/** Returns the records of a successful answer, or what failure it is. */
function recordsOf(response: unknown, ...filters: Part[]): unknown {
  const { records } = entityOf(requesterOf(handlerOf(...filters)));
  try {
    return evaluate('the books', compileBounded(records), { response, headers: { 'x-state': 'late' } });
  } catch (error) {
    if (error instanceof ProviderError && /answered with a failure/.test(error.message)) return error.failure;
    throw error;
  }
}

describe('rules of unsuccessful answers', () => {
  it.each<[string, Part, object[]]>([
    [
      'a status that is ignored',
      { action: 'IGNORE', http_codes: [404] },
      [{ status: 404, means: 'no-records' }],
    ],
    ['a success', { action: 'SUCCESS', http_codes: [403] }, [{ status: 403, means: 'no-records' }]],
    ['failures of the access', { action: 'IGNORE', http_codes: [401] }, []],
    ['limits', { action: 'IGNORE', http_codes: [429, 404] }, [{ status: 404, means: 'no-records' }]],
    ['failures of the service', { action: 'SUCCESS', http_codes: [500, 503] }, []],
    [
      'a message beside a status',
      { action: 'RATE_LIMITED', http_codes: [400], error_message_contains: 'slow' },
      [
        { status: 400, means: 'rate-limited' },
        ...[403, 404, 409, 410, 422].map((status) => ({ status, contains: 'slow', means: 'rate-limited' })),
      ],
    ],
    ...(
      [
        ['RETRY', 'unavailable'],
        ['RATE_LIMITED', 'rate-limited'],
        ['IGNORE', 'no-records'],
      ] as const
    ).map(([action, means]): [string, Part, object[]] => [
      `a message with ${action}`,
      { action, error_message_contains: 'slow' },
      [400, 403, 404, 409, 410, 422].map((status) => ({ status, contains: 'slow', means })),
    ]),
    ['a message of a failure', { action: 'FAIL', error_message_contains: 'slow' }, []],
    ['a condition', { action: 'IGNORE', predicate: '{{ response.code == 8 }}' }, []],
  ])('follow from %s', (_, filter, expected) => {
    expect(rulesOf(handlerOf(filter))).toEqual(expected);
  });

  it('ignore in later handlers only what the first one does not retry', () => {
    const first = handlerOf({ action: 'IGNORE', http_codes: [410] });
    const later = handlerOf(
      { action: 'IGNORE', http_codes: [404, 409, 304, 408, 405] },
      { action: 'RETRY', http_codes: [409] },
      { action: 'IGNORE', error_message_contains: 'none' },
    );
    const handler = { type: 'CompositeErrorHandler', error_handlers: [first, later] };
    expect(rulesOf(handler)).toEqual([
      { status: 410, means: 'no-records' },
      { status: 404, means: 'no-records' },
      { status: 405, means: 'no-records' },
      { status: 409, means: 'unavailable' },
      ...[400, 403, 404].map((status) => ({ status, contains: 'none', means: 'no-records' })),
    ]);
  });

  it('are refused where a condition comes before failures that are ignored', () => {
    const handler = handlerOf(
      { action: 'FAIL', predicate: "{{ response.code == 'late' }}" },
      { action: 'IGNORE', http_codes: [404] },
    );
    expect(reasonOf(requesterOf(handler))).toBe('a condition before failures that are ignored');
  });

  it('are refused for conditions of several handlers', () => {
    const own = handlerOf({ action: 'FAIL', error_message_contains: 'slow' });
    const handler = { type: 'CompositeErrorHandler', error_handlers: [own, handlerOf()] };
    expect(reasonOf(requesterOf(handler))).toBe('conditions of several error handlers');
  });
});

describe('a successful answer', () => {
  const data = [{ id: '1' }];
  const failing = { action: 'RETRY', predicate: '{{ response.error.code == 32000 }}' };

  it.each<[string, response: unknown, filters: Part[], expected: unknown]>([
    ['has its records', { data }, [failing], data],
    ['fails by a condition', { error: { code: 32000 } }, [failing], 'unavailable'],
    ['fails with records, too', { data, error: { code: 32000 } }, [failing], 'unavailable'],
    [
      'fails by a header',
      { data },
      [{ action: 'FAIL', predicate: "{{ headers['X-State'] == 'late' }}" }],
      'malformed',
    ],
    [
      'is ignored before it could fail',
      { data, error: { code: 32000 } },
      [{ action: 'IGNORE', predicate: "{{ 'error' in response }}" }, failing],
      data,
    ],
    [
      'fails by its message',
      { errors: [{ a: 1 }, { reason: 'too slow' }] },
      [{ action: 'RATE_LIMITED', error_message_contains: 'slow' }],
      'unavailable',
    ],
    [
      'has other texts',
      { data, text: 'slow', message: null },
      [{ action: 'FAIL', error_message_contains: 'slow' }],
      data,
    ],
    [
      'has an empty message',
      { data, message: '', error: { msg: 'slow' } },
      [{ action: 'FAIL', error_message_contains: 'slow' }],
      'malformed',
    ],
  ])('%s', (_, response, filters, expected) => {
    expect(recordsOf(response, ...filters)).toEqual(expected);
  });

  it('is refused by a condition if it is no JSON', () => {
    const parts = { ...requesterOf(handlerOf(failing)), retriever: { decoder: { type: 'JsonlDecoder' } } };
    expect(reasonOf(parts)).toBe('a condition of answers that are no JSON');
  });
});
