import { isUtf8 } from 'node:buffer';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { promisify } from 'node:util';
import { type BrotliOptions, brotliDecompress, gunzip, inflate, type ZlibOptions } from 'node:zlib';
import { ProviderError } from './provider-error.ts';

const REDIRECTS = 3;
/** A body is not believed to be larger than this before it is. */
const MOST_ANNOUNCED = 64 * 1024 * 1024;
/** Larger ones are given up: a body without end would fill the memory. */
const MOST_BYTES = 256 * 1024 * 1024;
/** What a body brings at least while the provider may be silent, about 1 KB a second: one that drips would never end. */
const LEAST_BYTES = 64 * 1024;
const REDIRECT_STATUSES = [301, 302, 303, 307, 308];

/** An answer that has begun. */
export interface RawAnswer {
  status: number;
  headers: Headers;
  /** The body when all of it is there: valid UTF-8, what is not was replaced by U+FFFD. Rejects as `sendGet` throws. */
  bytes: Promise<Buffer>;
  /** Where redirects led, else the address asked. */
  url: URL;
  /** Breaks off what is still to come of it. */
  giveUp(): void;
}

export interface Sending {
  url: URL;
  headers: Record<string, string>;
  signal: AbortSignal;
  /** The provider may be silent for this long: before the headers, and until the next `LEAST_BYTES` of the body. */
  idleTimeoutMs: number;
  /** The provider's name, for messages. */
  title: string;
  /** Told before each request. */
  onRequest(): void;
}

/** Aborts when the provider is silent for too long; what counts as a sign of life calls `heard`. */
class Watchdog {
  readonly #abort = new AbortController();
  readonly #timer: NodeJS.Timeout;

  constructor(idleTimeoutMs: number) {
    this.#timer = setTimeout(
      () => this.#abort.abort(new DOMException('The provider fell silent', 'TimeoutError')),
      idleTimeoutMs,
    );
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  heard(): void {
    this.#timer.refresh();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}

/** What a body may grow to when it is decompressed. */
const MOST_DECOMPRESSED = 512 * 1024 * 1024;
/** Lists of JSON shrink so much; a guess for the size of the pieces in which a body is decompressed. */
const USUAL_GROWTH = 24;
const LEAST_PIECE = 16 * 1024;
const MOST_PIECE = 1024 * 1024;
const DECODERS: Record<string, (bytes: Buffer, options: ZlibOptions & BrotliOptions) => Promise<Buffer>> = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
};

/**
 * Reads a body into one buffer of the announced size; pieces are let go at once, not left to the garbage collector.
 * @throws ProviderError `unavailable` when it cannot be decompressed
 */
async function readBody(response: IncomingMessage, watchdog: Watchdog, title: string): Promise<Buffer> {
  const announced = Number(response.headers['content-length'] ?? 0);
  let body = Buffer.allocUnsafeSlow(Math.min(announced, MOST_ANNOUNCED));
  let end = 0;
  let heardAt = 0;
  for await (const piece of response as AsyncIterable<Buffer>) {
    if (end + piece.length > MOST_BYTES)
      throw new ProviderError('malformed', `${title} sent an answer that is too large to be read.`);
    if (end + piece.length > body.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(2 * body.length, end + piece.length));
      body.copy(larger, 0, 0, end);
      body = larger;
    }
    end += piece.copy(body, end);
    if (piece.buffer instanceof ArrayBuffer && piece.buffer.byteLength === piece.length)
      piece.buffer.transfer(0);
    if (end - heardAt < LEAST_BYTES) continue;
    heardAt = end;
    watchdog.heard();
  }
  const decode = DECODERS[(response.headers['content-encoding'] ?? 'identity').trim().toLowerCase()];
  const read = body.subarray(0, end);
  if (!decode || end === 0) return asText(read);
  // Each piece is a turn of the thread pool: with the usual 16 KB a page of 1.7 MB takes four times the processor time.
  const chunkSize = Math.min(Math.max(read.length * USUAL_GROWTH, LEAST_PIECE), MOST_PIECE);
  const decoded = decode(read, { maxOutputLength: MOST_DECOMPRESSED, chunkSize }).catch((cause) => {
    const message = `${title} sent an answer that cannot be decompressed. Try again later.`;
    throw new ProviderError('unavailable', message, { cause });
  });
  return asText(await decoded);
}

/** The bytes as UTF-8 without a byte order mark; what is no UTF-8 is replaced. */
function asText(bytes: Buffer): Buffer {
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return isUtf8(bytes) && !hasMark ? bytes : Buffer.from(new TextDecoder().decode(bytes));
}

const KEEP_ALIVE = { keepAlive: true, keepAliveMsecs: 10_000 };
const PROTOCOLS = {
  'http:': { request: http.request, agent: new http.Agent(KEEP_ALIVE) },
  'https:': { request: https.request, agent: new https.Agent(KEEP_ALIVE) },
};

function respond(url: URL, headers: Record<string, string>, signal: AbortSignal): Promise<IncomingMessage> {
  const { request, agent } = PROTOCOLS[url.protocol === 'https:' ? 'https:' : 'http:'];
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      agent,
      signal,
      headers: { 'accept-encoding': 'gzip, deflate, br', ...headers },
    });
    sent.on('response', resolve);
    sent.on('error', reject);
    // Nothing of ours asks for another protocol; without a listener nobody would be told.
    sent.on('upgrade', (_response, socket) => {
      socket.destroy();
      reject(new Error('it answered with another protocol'));
    });
    // After an answer or an error this changes nothing.
    sent.on('close', () => reject(new Error('it closed the connection without an answer')));
    sent.end();
  });
}

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let index = 0; index + 1 < rawHeaders.length; index += 2)
    headers.append(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '');
  return headers;
}

/** A redirect may not lead the token to another host. */
function redirectOf(from: URL, target: string, title: string): URL {
  const url = URL.parse(target, from.href);
  if (!url) throw new ProviderError('malformed', `${title} redirected to an address that cannot be read.`);
  if (url.origin !== from.origin)
    throw new ProviderError('malformed', `${title} redirected to another host; nothing was sent there.`);
  return url;
}

/** @returns the answer that is none of ours to follow, and its address */
async function follow(
  sending: Sending,
  watchdog: Watchdog,
): Promise<{ response: IncomingMessage; url: URL }> {
  const signal = AbortSignal.any([sending.signal, watchdog.signal]);
  let { url } = sending;
  for (let hop = 0; hop <= REDIRECTS; hop++) {
    sending.onRequest();
    const response = await respond(url, sending.headers, signal);
    watchdog.heard();
    const target = response.headers.location;
    if (!REDIRECT_STATUSES.includes(response.statusCode ?? 0) || target === undefined)
      return { response, url };
    response.destroy();
    url = redirectOf(url, target, sending.title);
  }
  throw new ProviderError('malformed', `${sending.title} redirects without end.`);
}

/** Carries out a part of a request. What is given up breaks off as if the connection had: what we know better is told. */
async function watched<T>(watchdog: Watchdog, part: () => Promise<T>): Promise<T> {
  try {
    return await part();
  } catch (error) {
    watchdog.stop();
    watchdog.signal.throwIfAborted();
    throw error;
  }
}

/**
 * Sends a GET and follows redirects within the host. The body is read meanwhile; whoever sends must wait for it.
 * @throws ProviderError `malformed` for bad redirects, `unavailable` for a damaged body; what node:http throws when the
 * connection fails or falls silent
 */
export async function sendGet(sending: Sending): Promise<RawAnswer> {
  const watchdog = new Watchdog(sending.idleTimeoutMs);
  const { response, url } = await watched(watchdog, () => follow(sending, watchdog));
  const bytes = watched(watchdog, () => readBody(response, watchdog, sending.title));
  bytes.then(
    () => watchdog.stop(),
    () => undefined,
  );
  const giveUp = () => response.destroy();
  return { status: response.statusCode ?? 0, headers: headersOf(response), bytes, url, giveUp };
}
