import { isUtf8 } from 'node:buffer';
import { ProviderError } from './provider-error.ts';

const REDIRECTS = 3;
const REDIRECT_STATUSES = [301, 302, 303, 307, 308];

/** An answer with its whole body. */
export interface RawAnswer {
  status: number;
  headers: Headers;
  /** The body as it came; always valid UTF-8, what is not was replaced by U+FFFD. */
  bytes: Buffer;
  /** Where redirects led, else the address asked. */
  url: URL;
}

export interface Sending {
  url: URL;
  headers: Record<string, string>;
  signal: AbortSignal;
  /** The provider may be silent for this long: before the headers, and between two pieces of the body. */
  silenceMs: number;
  /** The provider's name, for messages. */
  title: string;
  /** Told before each request. */
  onRequest(): void;
}

/** Aborts when the provider is silent for too long; every sign of life calls `heard`. */
class Watchdog {
  readonly #abort = new AbortController();
  readonly #timer: NodeJS.Timeout;

  constructor(silenceMs: number) {
    const reason = new DOMException('The provider fell silent', 'TimeoutError');
    this.#timer = setTimeout(() => this.#abort.abort(reason), silenceMs);
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

async function readBody(response: Response, watchdog: Watchdog): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of response.body ?? []) {
    watchdog.heard();
    chunks.push(chunk);
  }
  const bytes = Buffer.concat(chunks);
  // Let go at once: the garbage collector would be called for the sum of them.
  for (const { buffer, byteLength } of chunks)
    if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return isUtf8(bytes) && !hasMark ? bytes : Buffer.from(new TextDecoder().decode(bytes));
}

/** A redirect may not lead the token to another host. */
function redirectOf(from: URL, target: string, title: string): URL {
  const url = URL.parse(target, from.href);
  if (!url) throw new ProviderError('malformed', `${title} redirected to an address that cannot be read.`);
  if (url.origin !== from.origin)
    throw new ProviderError('malformed', `${title} redirected to another host; nothing was sent there.`);
  return url;
}

/**
 * Sends a GET, follows redirects within the host, reads the body.
 * @throws ProviderError `malformed` for bad redirects; what fetch throws when the connection fails or falls silent
 */
export async function sendGet(sending: Sending): Promise<RawAnswer> {
  const watchdog = new Watchdog(sending.silenceMs);
  const signal = AbortSignal.any([sending.signal, watchdog.signal]);
  let { url } = sending;
  try {
    for (let hop = 0; hop <= REDIRECTS; hop++) {
      sending.onRequest();
      const response = await fetch(url, { headers: sending.headers, redirect: 'manual', signal });
      watchdog.heard();
      const { status, headers } = response;
      const target = headers.get('location');
      if (!REDIRECT_STATUSES.includes(status) || target === null)
        return { status, headers, bytes: await readBody(response, watchdog), url };
      await response.body?.cancel();
      url = redirectOf(url, target, sending.title);
    }
  } finally {
    watchdog.stop();
  }
  throw new ProviderError('malformed', `${sending.title} redirects without end.`);
}
