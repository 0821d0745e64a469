import { afterEach, describe, expect, it, vi } from 'vitest';
import { REQUEST_SETTINGS } from './base-api.ts';
import { sentenceOf } from './failure.ts';
import { type RequestSettings, request } from './request.ts';

const settings: RequestSettings = {
  baseUrl: 'http://host',
  timeout: 20_000,
  prepareHeaders: (headers) => headers.set('authorization', 'Bearer t'),
};
const call = { url: '/x', method: 'POST' };

function answer(body: string, status = 200) {
  const fetched = vi.fn(async (_url: string, _init: RequestInit) => new Response(body, { status }));
  vi.stubGlobal('fetch', fetched);
  return fetched;
}

/** Replaces `AbortSignal.timeout`, whose own clock fake timers do not advance. */
function fakeTimeouts() {
  vi.useFakeTimers();
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(new DOMException('timed out', 'TimeoutError')), milliseconds);
    return controller.signal;
  });
}

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe('request', () => {
  // @covers 7.request-helper-json
  it('sends JSON, headers and query parameters, omitting undefined parameters', async () => {
    const fetched = answer('{"ok":true}', 202);
    const outcome = await request(
      { ...call, body: { a: 1 }, params: { page: 2, none: undefined } },
      settings,
    );
    expect(outcome).toEqual({ data: { ok: true } });
    const [url, init] = fetched.mock.calls[0] ?? [];
    expect(url).toBe('http://host/x?page=2');
    expect(init?.body).toBe('{"a":1}');
    const headers = new Headers(init?.headers);
    expect(headers.get('content-type')).toBe('application/json');
    expect(headers.get('authorization')).toBe('Bearer t');
  });

  // @covers 8.http-status-response
  it('returns the HTTP status and the data of an error response', async () => {
    answer('{"error":{"code":"not-found","message":"Gone."}}', 404);
    const { error } = await request(call, settings);
    expect(error).toEqual({ status: 404, data: { error: { code: 'not-found', message: 'Gone.' } } });
    expect(sentenceOf(error)).toBe('Gone.');
  });

  // @covers 8.parsing-error
  it('reports a response that is not JSON as PARSING_ERROR', async () => {
    answer('<html>', 502);
    const { error } = await request(call, settings);
    expect(error).toMatchObject({ status: 'PARSING_ERROR', originalStatus: 502, data: '<html>' });
  });

  // @covers 8.fetch-error
  it('reports an unreachable server as FETCH_ERROR', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('refused')));
    const { error } = await request(call, settings);
    expect(error).toMatchObject({ status: 'FETCH_ERROR' });
    expect(sentenceOf(error)).toMatch(/could not be reached/);
  });

  // @covers 8.timeout-error
  it('reports a slow server as TIMEOUT_ERROR', async () => {
    vi.stubGlobal(
      'fetch',
      (_: string, { signal }: RequestInit) =>
        new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
    );
    const { error } = await request(call, { ...settings, timeout: 10 });
    expect(error).toMatchObject({ status: 'TIMEOUT_ERROR' });
  });

  // @covers 8.timeout-error
  it.each([
    ['never responds', () => new Promise<{ text(): Promise<string> }>(() => {})],
    ['never ends its response', async () => ({ text: () => new Promise<string>(() => {}) })],
  ])('aborts a request to a server that %s after 60 s, not before', async (_, answers) => {
    fakeTimeouts();
    vi.stubGlobal('fetch', async (_url: string, { signal }: RequestInit) => {
      const aborted = new Promise<never>((_resolve, reject) =>
        signal?.addEventListener('abort', () => reject(signal.reason)),
      );
      const response = await Promise.race([answers(), aborted]);
      return { text: () => Promise.race([response.text(), aborted]) };
    });
    let outcome: unknown;
    void request(call, REQUEST_SETTINGS).then((settled) => (outcome = settled));
    await vi.advanceTimersByTimeAsync(59_999);
    expect(outcome).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    expect(outcome).toMatchObject({ error: { status: 'TIMEOUT_ERROR' } });
  });
});
