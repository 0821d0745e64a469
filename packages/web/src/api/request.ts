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
  /** Whether the browser's credentials of the server are sent, such as its cookies; default: they are. */
  credentials?: 'omit';
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

/** Returns what is sent, without a signal. */
function initOf(options: RequestOptions, settings: RequestSettings): RequestInit & { headers: Headers } {
  const headers = new Headers();
  settings.prepareHeaders(headers);
  if (options.token !== undefined) headers.set('authorization', `Bearer ${options.token}`);
  const init: RequestInit & { headers: Headers } = {
    method: options.method,
    headers,
    ...(settings.credentials && { credentials: settings.credentials }),
  };
  if (isJsonBody(options.body)) {
    headers.set('content-type', 'application/json');
    init.body = JSON.stringify(options.body);
  } else if (options.body !== undefined) init.body = options.body as BodyInit;
  return init;
}

/** Sends one request to the server. A status of 200 to 299 is a success; `RequestError` lists the kinds of failure. */
export async function request(options: RequestOptions, settings: RequestSettings): Promise<RequestOutcome> {
  const timer = AbortSignal.timeout(settings.timeout);
  const init = initOf(options, settings);
  init.headers.set('accept', 'application/json');
  init.signal = options.signal ? AbortSignal.any([options.signal, timer]) : timer;
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

/** A fetched file, or why there is none. */
export type FetchedFile = { file: Blob; error?: undefined } | { file?: undefined; error: RequestError };

/** Fetches a file. It may take any time. */
export async function requestFile(options: RequestOptions, settings: RequestSettings): Promise<FetchedFile> {
  const init = { ...initOf(options, settings), ...(options.signal && { signal: options.signal }) };
  try {
    const response = await fetch(addressOf(options, settings.baseUrl), init);
    if (response.ok) return { file: await response.blob() };
    const data: unknown = await response.json().catch(() => null);
    return { error: { status: response.status, data } };
  } catch (reason) {
    return { error: { status: 'FETCH_ERROR', error: String(reason) } };
  }
}
