import { setTimeout as sleep } from 'node:timers/promises';
import type { Credentials } from './authorization.ts';
import { type Clock, systemClock } from './clock.ts';
import type { Connector, FailedAnswer, HttpApi } from './connector.ts';
import { ProviderError } from './provider-error.ts';
import { retryAfterOf, withinADay } from './retry-after.ts';
import type { Scheduler } from './scheduler.ts';
import { type RawAnswer, sendGet } from './transport.ts';
import { untilAborted } from './until-aborted.ts';

/** Failures of one request that are tried again. */
const ATTEMPTS = 6;
/** Waits of one request that the provider asked for. */
const WAITS = 12;
const IDLE_TIMEOUT_MS = 60_000;
/** How many times as long an exchange may take in all: one that drips would never end. */
const MAX_EXCHANGE_FACTOR = 10;
/** How long the reason of a refusal is waited for. */
const REASON_MS = 5000;
/** Largest answer that is parsed on the main thread, bytes: larger ones take more than a tenth of a second. */
const MOST_PLAIN_JSON = 8 * 1024 * 1024;
/** Of the reason of a refusal so many bytes are read. */
const MOST_REASON = 64 * 1024;
/** Longer waits of a run are left to the engine, which persists them. */
const INLINE_WAIT_MS = 90_000;

export interface ProviderRequest<Body = unknown> {
  /** Path below the connector's API address, or a whole address of the same origin. */
  path: string;
  query?: Record<string, string | string[] | undefined>;
  headers?: Record<string, string>;
  /** Units of the quota. */
  units: number;
  /** Ends this request alone. */
  signal?: AbortSignal;
  /** Reads the JSON of an answer; a SyntaxError makes the client ask again. Default: parses up to 8 MB. */
  parse?(json: Buffer): Body | Promise<Body>;
}

/** One request to a provider that does not speak HTTP. */
export interface Exchange<T> {
  /** Units of the quota. */
  units: number;
  /** Ends this request alone. */
  signal?: AbortSignal;
  /** Sends it once. Must end soon after the signal aborts, and after `idleTimeoutMs` without a sign of life. */
  send(attempt: { credentials: Credentials; signal: AbortSignal; idleTimeoutMs: number }): Promise<T>;
  /** What the thrown thing means; undefined: the provider could not be reached, so it is tried again. */
  classify(error: unknown, now: number): FailedAnswer | undefined;
}

export interface ProviderAnswer<Body = unknown> {
  status: number;
  headers: Headers;
  /** What the request's `parse` gave; null for an answer that has no content by its status. */
  body: Body | null;
  /** Where a redirect led, else the address asked. */
  url: string;
}

export interface ClientOptions {
  connector: Pick<Connector, 'title'> & Partial<HttpApi>;
  scheduler: Scheduler;
  /** Usable credentials; `refresh` after the provider refused the last ones. */
  credentials(refresh: boolean): Promise<Credentials>;
  signal: AbortSignal;
  /** Told when we wait, and until when (ms). */
  onWait?: (until: number) => void;
  /** Must be the scheduler's. Default: real time. */
  clock?: Clock;
  /** How long the provider may be silent, in real milliseconds. Default a minute. */
  idleTimeoutMs?: number;
  /** A longer wait is not waited for: `rate-limited` is thrown. Default a minute and a half. */
  waitTimeoutMs?: number;
}

/** Exponential back-off with full jitter, 0.5 s to 32 s. */
export function backoff(attempt: number, random: () => number = Math.random): number {
  return 500 * 2 ** Math.min(attempt, 6) * (0.5 + random() / 2);
}

type Outcome<T> = { answer: T } | { failed: FailedAnswer; token?: string; retryAt?: number };

type Attempt<R> = R & { signal: AbortSignal };

/** One way of sending a request, whatever the transport. */
interface Sendable<Raw, T> {
  units: number;
  signal: AbortSignal;
  send(credentials: Credentials): Promise<Outcome<Raw>>;
  /** What is still to come when it has been sent. */
  rest?(raw: Raw): Promise<unknown>;
  /** Makes sense of what came, when the next request is under way already. */
  read(raw: Raw): Outcome<T> | Promise<Outcome<T>>;
}

/** Calls one provider's API for one connection: quota, retries, token refresh, failures in our terms. */
export class ProviderClient {
  readonly #options: ClientOptions;
  readonly #clock: Clock;
  /** Requests sent, retries included. */
  requests = 0;
  /** Units of the quota spent on them. */
  units = 0;
  /** Milliseconds waited because the provider or its quota asked to. */
  waitedMs = 0;
  #waitingUntil = 0;
  #refreshing: Promise<Credentials> | undefined;
  #reading: Promise<unknown> = Promise.resolve();

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  /** Requests worth beginning at once: those that may be under way, and as many that come next. */
  get ahead(): number {
    return 2 * this.#options.scheduler.concurrency;
  }

  /** GET of a JSON document. @throws ProviderError */
  get<Body = unknown>(request: ProviderRequest<Body>): Promise<ProviderAnswer<Body>> {
    const attempt = { ...request, signal: this.#signalFor(request) };
    return this.#carryOut({
      ...attempt,
      send: (credentials) => this.#send(attempt, credentials.accessToken),
      rest: (raw) => raw.bytes,
      read: async (raw) => {
        const bytes = await raw.bytes;
        return this.#inTurn(() => this.#read(request, raw, bytes));
      },
    });
  }

  /** A request by other means than HTTP. @throws ProviderError */
  exchange<T>(request: Exchange<T>): Promise<T> {
    const attempt = { ...request, signal: this.#signalFor(request) };
    return this.#carryOut({
      ...attempt,
      send: (credentials) => this.#exchange(attempt, credentials),
      read: (answer: T) => ({ answer }),
    });
  }

  get #waitTimeoutMs(): number {
    return this.#options.waitTimeoutMs ?? INLINE_WAIT_MS;
  }

  #signalFor({ signal }: { signal?: AbortSignal }): AbortSignal {
    const own = this.#options.signal;
    return signal ? AbortSignal.any([own, signal]) : own;
  }

  async #carryOut<Raw, T>(request: Sendable<Raw, T>): Promise<T> {
    const { signal } = request;
    let refused: string | undefined;
    let waits = 0;
    for (let failures = 0; ; ) {
      const outcome = await this.#attempt(request, refused);
      const { scheduler } = this.#options;
      if ('answer' in outcome) return outcome.answer;
      const { failed } = outcome;
      if (failed.kind === 'retry-later' && failed.isOverloaded) scheduler.overloaded();
      if (failed.kind === 'fail') throw new ProviderError(failed.failure, failed.message);
      if (failed.kind === 'expired-token') {
        if (refused !== undefined) throw new ProviderError('reauthorise', failed.message);
        refused = outcome.token;
        continue;
      }
      refused = undefined;
      if (failed.kind === 'retry-later') await this.#holdBack(failed, waits++, signal);
      else if (++failures >= ATTEMPTS) throw new ProviderError('unavailable', failed.message);
      else await this.#pauseToRetry(failures - 1, outcome.retryAt, signal);
    }
  }

  /** Credentials other than the refused ones. Requests that are refused together refresh once. */
  async #credentials(refused: string | undefined): Promise<Credentials> {
    const current = await (this.#refreshing ?? this.#options.credentials(false));
    if (current.accessToken !== refused) return current;
    this.#refreshing ??= this.#options.credentials(true).finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  async #attempt<Raw, T>(request: Sendable<Raw, T>, refused: string | undefined): Promise<Outcome<T>> {
    const { scheduler, connector } = this.#options;
    const { signal } = request;
    signal.throwIfAborted();
    try {
      // A renewal serves others as well: it goes on when this request is given up.
      const credentials = await untilAborted(this.#credentials(refused), signal);
      let sentAt = 0;
      const send = () => {
        sentAt = this.#clock.now();
        return request.send(credentials);
      };
      const sent = await scheduler.run(request.units, send, {
        signal,
        onWait: (until) => this.#noteWait(until),
        waitTimeoutMs: this.#waitTimeoutMs,
        rest: (outcome) => ('answer' in outcome ? request.rest?.(outcome.answer) : undefined),
      });
      if (!('answer' in sent)) return sent;
      const tookMs = this.#clock.now() - sentAt;
      const outcome = await request.read(sent.answer);
      if ('answer' in outcome) scheduler.succeeded(tookMs);
      return outcome;
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ProviderError && error.failure !== 'unavailable') throw error;
      const message =
        error instanceof ProviderError
          ? error.message
          : `${connector.title} could not be reached (${reasonOf(error)}). Try again later.`;
      return { failed: { kind: 'retry', message } };
    }
  }

  async #exchange<T>(request: Attempt<Exchange<T>>, credentials: Credentials): Promise<Outcome<T>> {
    const { signal } = request;
    this.requests++;
    this.units += request.units;
    try {
      const { idleTimeoutMs = IDLE_TIMEOUT_MS } = this.#options;
      const inTime = AbortSignal.any([signal, AbortSignal.timeout(MAX_EXCHANGE_FACTOR * idleTimeoutMs)]);
      return { answer: await request.send({ credentials, signal: inTime, idleTimeoutMs }) };
    } catch (error) {
      signal.throwIfAborted();
      const failed = error instanceof ProviderError ? undefined : request.classify(error, this.#clock.now());
      if (failed === undefined) throw error;
      return { failed, token: credentials.accessToken };
    }
  }

  async #send(request: Attempt<ProviderRequest>, token: string): Promise<Outcome<RawAnswer>> {
    const { idleTimeoutMs = IDLE_TIMEOUT_MS } = this.#options;
    const connector = requireHttp(this.#options.connector);
    const answer = await sendGet({
      url: addressOf(request, connector.apiUrl),
      headers: {
        accept: 'application/json',
        // Google compresses answers for those alone who name gzip here as well.
        'user-agent': 'Datadeck (gzip)',
        ...request.headers,
        authorization: `Bearer ${token}`,
      },
      signal: request.signal,
      idleTimeoutMs,
      title: connector.title,
      onRequest: () => {
        this.requests++;
        this.units += request.units;
      },
    });
    const { status, headers } = answer;
    if (status < 300 || status === 304) return { answer };
    const body = await wordsOf(answer);
    const failed = connector.classify({ status, headers, body, now: this.#clock.now() });
    const retryAt = retryAfterOf(headers, this.#clock.now());
    return { failed, token, ...(retryAt === undefined ? {} : { retryAt }) };
  }

  /** Answers are read one after the other, in the order in which they came: the first is not held up by later ones. */
  #inTurn<T>(read: () => Promise<T>): Promise<T> {
    const outcome = this.#reading.then(read);
    this.#reading = outcome.catch(() => undefined);
    return outcome;
  }

  async #read<Body>(
    request: ProviderRequest<Body>,
    { status, headers, url }: RawAnswer,
    bytes: Buffer,
  ): Promise<Outcome<ProviderAnswer<Body>>> {
    const hasContent = status !== 204 && status !== 304;
    const { title } = this.#options.connector;
    const parse = request.parse ?? ((json: Buffer) => parsePlain(json, title) as Body);
    try {
      return { answer: { status, headers, body: hasContent ? await parse(bytes) : null, url: url.href } };
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      const message = `${title} answered with something that is not JSON. Try again later.`;
      return { failed: { kind: 'retry', message } };
    }
  }

  async #pauseToRetry(attempt: number, retryAt: number | undefined, signal: AbortSignal): Promise<void> {
    const wished = Math.min(this.#waitTimeoutMs, (retryAt ?? 0) - this.#clock.now());
    await this.#clock.pause(Math.max(backoff(attempt), wished), signal);
  }

  async #holdBack(
    failed: { until: Date | undefined; message: string },
    wait: number,
    signal: AbortSignal,
  ): Promise<void> {
    const now = this.#clock.now();
    const until = Math.max(withinADay(failed.until?.getTime(), now) ?? 0, now + backoff(wait));
    this.#options.scheduler.pauseUntil(until);
    if (until - now > this.#waitTimeoutMs)
      throw new ProviderError('rate-limited', failed.message, { until: new Date(until) });
    if (wait >= WAITS)
      throw new ProviderError('rate-limited', failed.message, { until: new Date(now + 60_000) });
    this.#noteWait(until, now);
    await this.#clock.pause(until - now, signal);
  }

  #noteWait(until: number, from = this.#clock.now()): void {
    this.waitedMs += Math.max(0, until - Math.max(from, this.#waitingUntil));
    this.#waitingUntil = Math.max(this.#waitingUntil, until);
    this.#options.onWait?.(until);
  }
}

/** Reads the beginning of the error body, giving up after 5 s; status and headers count without it too. */
async function wordsOf(refusal: RawAnswer): Promise<string> {
  const late = new AbortController();
  const none = Buffer.alloc(0);
  const bytes = await Promise.race([
    refusal.bytes.catch(() => none),
    sleep(REASON_MS, none, { signal: late.signal, ref: false }).catch(() => none),
  ]);
  late.abort();
  if (bytes === none) refusal.giveUp();
  return bytes.subarray(0, MOST_REASON).toString();
}

/** @throws ProviderError `malformed` for an answer that is too large for the main thread; SyntaxError */
function parsePlain(json: Buffer, title: string): unknown {
  if (json.length > MOST_PLAIN_JSON)
    throw new ProviderError('malformed', `${title} sent an answer that is too large to be read.`);
  return JSON.parse(json.toString());
}

function requireHttp<C extends Partial<HttpApi>>(connector: C): C & HttpApi {
  const { apiUrl, classify } = connector;
  if (apiUrl === undefined || classify === undefined) throw new Error('the connector declares no HTTP API');
  return { ...connector, apiUrl, classify };
}

function addressOf(request: Pick<ProviderRequest, 'path' | 'query'>, apiUrl: string): URL {
  const base = apiUrl.replace(/\/+$/, '');
  const url = new URL(request.path.startsWith('/') ? base + request.path : request.path);
  if (url.origin !== new URL(apiUrl).origin)
    throw new ProviderError('malformed', 'The provider pointed to another host; nothing was sent there.');
  for (const [name, value] of Object.entries(request.query ?? {})) {
    for (const item of Array.isArray(value) ? value : [value])
      if (item !== undefined) url.searchParams.append(name, item);
  }
  return url;
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError';
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error';
  if (isTimeout(error) || isTimeout(error.cause)) return 'it fell silent';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message;
}
