import { isUtf8 } from 'node:buffer';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import { promisify } from 'node:util';
import { type BrotliOptions, brotliDecompress, gunzip, inflate, type ZlibOptions } from 'node:zlib';
import { hostNameOf, resolveHost } from './host-policy.ts';
import { ProviderError } from './provider-error.ts';
import { untilAborted } from './until-aborted.ts';

const MAX_REDIRECTS = 3;
/** Largest buffer allocated from the announced Content-Length; larger bodies grow it as they arrive. */
const MAX_PREALLOCATED_BYTES = 64 * 1024 * 1024;
/** Larger bodies are rejected by default: an endless body would exhaust memory. */
const MAX_BODY_BYTES = 256 * 1024 * 1024;
/** Bytes that must arrive within each idle timeout (about 1 KB/s), so that a dripping body is cut off. */
const MIN_PROGRESS_BYTES = 64 * 1024;
const REDIRECT_STATUSES = [301, 302, 303, 307, 308];

/** A response whose headers have arrived. */
export interface RawResponse {
  /** Status of a failure that counts as a success without content. */
  emptyAt?: number;
  status: number;
  headers: Headers;
  /** The complete body as valid UTF-8 (invalid bytes become U+FFFD) unless it `isRaw`. Rejects with the errors of `sendHttp`. */
  bytes: Promise<Buffer>;
  /** The final URL after redirects, without the parameters of `secretQuery`. */
  url: URL;
  /** Closes the connection and drops the rest of the body. */
  cancel(): void;
}

/** Options of `sendHttp`. */
export interface HttpOptions {
  url: URL;
  /** Query parameters with secrets, which are added to the URL of each request, redirects included. */
  secretQuery?: Readonly<Record<string, string>>;
  /** Hosts that may be called, see `resolveHost`. Default: all. */
  hosts?: readonly string[] | undefined;
  /** Largest body, bytes, also when decompressed. Default: 256 MB, and 512 MB when decompressed. */
  maxBytes?: number | undefined;
  /** Leaves the body as it came, in any charset. Default: valid UTF-8. */
  isRaw?: boolean | undefined;
  /** Text of the body, which is JSON unless `headers` say otherwise; an empty one has no type. */
  json?: string | undefined;
  /** Default: POST with `json`, otherwise GET. */
  method?: 'GET' | 'POST' | undefined;
  headers: Record<string, string>;
  signal: AbortSignal;
  /** Longest time (ms) without response headers, or without the next `MIN_PROGRESS_BYTES` of the body. */
  idleTimeoutMs: number;
  /** The provider's name for error messages, e.g. "GitHub". */
  title: string;
  /** Called before each request, redirects included. */
  onRequest(): void;
}

/** Aborts its signal when `refresh` is not called within the idle timeout. */
class Watchdog {
  readonly #abort = new AbortController();
  readonly #timer: NodeJS.Timeout;

  constructor(idleTimeoutMs: number) {
    this.#timer = setTimeout(
      () => this.#abort.abort(new DOMException('The provider stopped responding', 'TimeoutError')),
      idleTimeoutMs,
    );
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  refresh(): void {
    this.#timer.refresh();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}

/** Largest decompressed body by default. */
const MAX_DECOMPRESSED_BYTES = 512 * 1024 * 1024;
/** Typical compression ratio of JSON lists; used to choose the decompression chunk size. */
const USUAL_COMPRESSION_RATIO = 24;
const MIN_CHUNK_BYTES = 16 * 1024;
const MAX_CHUNK_BYTES = 1024 * 1024;
const DECODERS: Record<string, (bytes: Buffer, options: ZlibOptions & BrotliOptions) => Promise<Buffer>> = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
};

function tooLargeError(title: string): ProviderError {
  return new ProviderError('malformed', `${title} sent an answer that is too large to be read.`);
}

/**
 * Reads a body into one buffer of the announced size and frees each chunk at once, without the garbage collector.
 * @throws ProviderError `unavailable` when it cannot be decompressed, `malformed` when it is too large
 */
async function readBody(
  response: IncomingMessage,
  watchdog: Watchdog,
  { title, maxBytes, isRaw }: Pick<HttpOptions, 'title' | 'maxBytes' | 'isRaw'>,
): Promise<Buffer> {
  const announced = Number(response.headers['content-length'] ?? 0);
  if (announced > (maxBytes ?? MAX_BODY_BYTES)) {
    response.destroy();
    throw tooLargeError(title);
  }
  let body = Buffer.allocUnsafeSlow(Math.min(announced, MAX_PREALLOCATED_BYTES));
  let end = 0;
  let progressAt = 0;
  for await (const piece of response as AsyncIterable<Buffer>) {
    if (end + piece.length > (maxBytes ?? MAX_BODY_BYTES)) throw tooLargeError(title);
    if (end + piece.length > body.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(2 * body.length, end + piece.length));
      body.copy(larger, 0, 0, end);
      body = larger;
    }
    end += piece.copy(body, end);
    if (piece.buffer instanceof ArrayBuffer && piece.buffer.byteLength === piece.length)
      piece.buffer.transfer(0);
    if (end - progressAt < MIN_PROGRESS_BYTES) continue;
    progressAt = end;
    watchdog.refresh();
  }
  const decode = DECODERS[(response.headers['content-encoding'] ?? 'identity').trim().toLowerCase()];
  const read = body.subarray(0, end);
  if (!decode || end === 0) return isRaw ? read : asText(read);
  // Each chunk is one thread pool task: with the default 16 KB a 1.7 MB page takes four times the CPU time.
  const chunkSize = Math.min(
    Math.max(read.length * USUAL_COMPRESSION_RATIO, MIN_CHUNK_BYTES),
    MAX_CHUNK_BYTES,
  );
  const maxOutputLength = maxBytes ?? MAX_DECOMPRESSED_BYTES;
  const decoded = decode(read, { maxOutputLength, chunkSize }).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ERR_BUFFER_TOO_LARGE') throw tooLargeError(title);
    const message = `${title} sent an answer that cannot be decompressed. Try again later.`;
    throw new ProviderError('unavailable', message, { cause });
  });
  return isRaw ? decoded : asText(await decoded);
}

/** Returns the bytes as UTF-8 without a byte order mark; replaces invalid sequences. */
function asText(bytes: Buffer): Buffer {
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return isUtf8(bytes) && !hasMark ? bytes : Buffer.from(new TextDecoder().decode(bytes));
}

const KEEP_ALIVE = { keepAlive: true, keepAliveMsecs: 10_000 };
const PROTOCOLS = {
  'http:': { request: http.request, agent: new http.Agent(KEEP_ALIVE) },
  'https:': { request: https.request, agent: new https.Agent(KEEP_ALIVE) },
};

/**
 * Returns options that connect to the checked address of a URL's host. Pooled sockets are found by this address, so that
 * only those to the same address are used again.
 * @throws ProviderError `forbidden` if the host may not be called, `unavailable` if it is unknown
 */
async function checkedTarget(url: URL, hosts: readonly string[]) {
  const name = hostNameOf(url);
  const address = await resolveHost(name, hosts);
  return { hostname: address, servername: isIP(name) === 0 ? name : '', headers: { host: url.host } };
}

type Target = Awaited<ReturnType<typeof checkedTarget>>;

type SentParts = Pick<HttpOptions, 'headers' | 'json' | 'method'>;

/** Returns the method of a request: the given one, or POST with a body and GET without one. */
export function methodOf({ method, json }: Pick<HttpOptions, 'method' | 'json'>): 'GET' | 'POST' {
  return method ?? (json === undefined ? 'GET' : 'POST');
}

function sendRequest(
  url: URL,
  { target, headers, json, method }: SentParts & { target: Target | undefined },
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const { request, agent } = PROTOCOLS[url.protocol === 'https:' ? 'https:' : 'http:'];
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      ...target,
      agent,
      signal,
      method: methodOf({ method, json }),
      headers: {
        'accept-encoding': 'gzip, deflate, br',
        ...(json !== undefined && {
          ...(json !== '' && { 'content-type': 'application/json' }),
          'content-length': String(Buffer.byteLength(json)),
        }),
        ...headers,
        ...target?.headers,
      },
    });
    sent.on('response', resolve);
    sent.on('error', reject);
    // We never request an upgrade; without this listener the promise would stay pending.
    sent.on('upgrade', (_response, socket) => {
      socket.destroy();
      reject(new Error('it answered with another protocol'));
    });
    // Has no effect after a response or an error.
    sent.on('close', () => reject(new Error('it closed the connection without an answer')));
    // Of a text, Node would send the headers as UTF-8, too.
    sent.end(json === undefined ? undefined : Buffer.from(json));
  });
}

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let index = 0; index + 1 < rawHeaders.length; index += 2)
    headers.append(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '');
  return headers;
}

/** Resolves a redirect target; rejects other hosts, which must not receive the token. */
function redirectOf(from: URL, target: string, title: string): URL {
  const url = URL.parse(target, from.href);
  if (!url) throw new ProviderError('malformed', `${title} redirected to an address that cannot be read.`);
  if (url.origin !== from.origin)
    throw new ProviderError('malformed', `${title} redirected to another host; nothing was sent there.`);
  return url;
}

function withQuery(url: URL, query: Readonly<Record<string, string>>): URL {
  const complete = new URL(url);
  for (const [name, value] of Object.entries(query)) complete.searchParams.set(name, value);
  return complete;
}

/** Removes the parameters, which a redirect or a next address may repeat. */
function withoutQuery(url: URL, query: Readonly<Record<string, string>>): URL {
  const names = Object.keys(query).filter((name) => url.searchParams.has(name));
  if (names.length === 0) return url;
  const bare = new URL(url);
  for (const name of names) bare.searchParams.delete(name);
  return bare;
}

/** Sends the request and follows redirects. @returns the first response that is no redirect, and its URL */
async function followRedirects(
  options: HttpOptions,
  watchdog: Watchdog,
): Promise<{ response: IncomingMessage; url: URL }> {
  const signal = AbortSignal.any([options.signal, watchdog.signal]);
  const { secretQuery = {}, hosts } = options;
  let url = withoutQuery(options.url, secretQuery);
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    const target = hosts && (await untilAborted(checkedTarget(url, hosts), signal));
    options.onRequest();
    const response = await sendRequest(withQuery(url, secretQuery), { ...options, target }, signal);
    watchdog.refresh();
    const location = response.headers.location;
    if (!REDIRECT_STATUSES.includes(response.statusCode ?? 0) || location === undefined)
      return { response, url };
    response.destroy();
    url = withoutQuery(redirectOf(url, location, options.title), secretQuery);
  }
  throw new ProviderError('malformed', `${options.title} redirects without end.`);
}

/** Runs one step of a request; on failure it throws the watchdog's timeout instead of the connection error it caused. */
async function withWatchdog<T>(watchdog: Watchdog, part: () => Promise<T>): Promise<T> {
  try {
    return await part();
  } catch (error) {
    watchdog.stop();
    watchdog.signal.throwIfAborted();
    throw error;
  }
}

/**
 * Sends a GET or a POST, and follows redirects within the host. Starts to read the body at once; the caller must await `bytes`.
 * @throws ProviderError `malformed` for bad redirects, `unavailable` for a damaged body; errors of node:http and
 * TimeoutError when the connection fails or stalls
 */
export async function sendHttp(options: HttpOptions): Promise<RawResponse> {
  const watchdog = new Watchdog(options.idleTimeoutMs);
  const { response, url } = await withWatchdog(watchdog, () => followRedirects(options, watchdog));
  const bytes = withWatchdog(watchdog, () => readBody(response, watchdog, options));
  bytes.then(
    () => watchdog.stop(),
    () => undefined,
  );
  const cancel = () => response.destroy();
  return { status: response.statusCode ?? 0, headers: headersOf(response), bytes, url, cancel };
}
