export interface RequestOptions {
  url: string;
  method: string;
  /** An object is sent as JSON. */
  body?: unknown;
  /** Query parameters; undefined values are omitted. */
  params?: Record<string, string | number | undefined>;
  signal?: AbortSignal;
  /** A bearer token that replaces the page's own. */
  token?: string;
}

export interface RequestSettings {
  baseUrl: string;
  prepareHeaders: (headers: Headers) => void;
  /** Timeout of the request, ms. */
  timeout: number;
}

export type RequestError =
  | { status: 'FETCH_ERROR'; error: string }
  | { status: 'TIMEOUT_ERROR'; error: string }
  | { status: 'PARSING_ERROR'; originalStatus: number; data: string; error: string }
  | { status: number; data: unknown };

export type RequestOutcome = { data: unknown; error?: undefined } | { data?: undefined; error: RequestError };

function isJsonBody(body: unknown): boolean {
  return typeof body === 'object' && body !== null && !(body instanceof Blob) && !(body instanceof FormData);
}

function addressOf({ url, params = {} }: RequestOptions, baseUrl: string): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (value !== undefined) search.append(name, String(value));
  }
  const text = search.toString();
  return `${baseUrl}${url}${text === '' ? '' : `?${text}`}`;
}

function failureOf(reason: unknown, timer: AbortSignal): RequestError {
  const error = String(reason);
  return timer.aborted ? { status: 'TIMEOUT_ERROR', error } : { status: 'FETCH_ERROR', error };
}

/** Sends one request to the server. A status of 200 to 299 is a success; `RequestError` lists the kinds of failure. */
export async function request(options: RequestOptions, settings: RequestSettings): Promise<RequestOutcome> {
  const headers = new Headers({ accept: 'application/json' });
  settings.prepareHeaders(headers);
  if (options.token !== undefined) headers.set('authorization', `Bearer ${options.token}`);
  const timer = AbortSignal.timeout(settings.timeout);
  const init: RequestInit = {
    method: options.method,
    headers,
    signal: options.signal ? AbortSignal.any([options.signal, timer]) : timer,
  };
  if (isJsonBody(options.body)) {
    headers.set('content-type', 'application/json');
    init.body = JSON.stringify(options.body);
  } else if (options.body !== undefined) init.body = options.body as BodyInit;

  let response: Response;
  let text: string;
  try {
    response = await fetch(addressOf(options, settings.baseUrl), init);
    text = await response.text();
  } catch (reason) {
    return { error: failureOf(reason, timer) };
  }
  let data: unknown = null;
  try {
    if (text !== '') data = JSON.parse(text);
  } catch (reason) {
    return {
      error: { status: 'PARSING_ERROR', originalStatus: response.status, data: text, error: String(reason) },
    };
  }
  return response.ok ? { data } : { error: { status: response.status, data } };
}
