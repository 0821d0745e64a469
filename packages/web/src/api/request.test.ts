import { afterEach, describe, expect, it, vi } from 'vitest';
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

afterEach(() => vi.unstubAllGlobals());

describe('request', () => {
  it('sends objects as JSON, with headers and query parameters, leaving out undefined ones', async () => {
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

  it('gives the HTTP status with the data of a refusal', async () => {
    answer('{"error":{"code":"not-found","message":"Gone."}}', 404);
    const { error } = await request(call, settings);
    expect(error).toEqual({ status: 404, data: { error: { code: 'not-found', message: 'Gone.' } } });
    expect(sentenceOf(error)).toBe('Gone.');
  });

  it('tells an answer that is no JSON as PARSING_ERROR', async () => {
    answer('<html>', 502);
    const { error } = await request(call, settings);
    expect(error).toMatchObject({ status: 'PARSING_ERROR', originalStatus: 502, data: '<html>' });
  });

  it('tells an unreachable server as FETCH_ERROR', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('refused')));
    const { error } = await request(call, settings);
    expect(error).toMatchObject({ status: 'FETCH_ERROR' });
    expect(sentenceOf(error)).toMatch(/could not be reached/);
  });

  it('tells a slow server as TIMEOUT_ERROR', async () => {
    vi.stubGlobal(
      'fetch',
      (_: string, { signal }: RequestInit) =>
        new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
    );
    const { error } = await request(call, { ...settings, timeout: 10 });
    expect(error).toMatchObject({ status: 'TIMEOUT_ERROR' });
  });
});
