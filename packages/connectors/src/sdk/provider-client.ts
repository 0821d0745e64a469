import { type Credentials, secretsIn } from './authorization.ts';
import { type Clock, systemClock } from './clock.ts';
import { readErrorBody } from './error-body.ts';
import { type FailedAnswer, type HttpApi, isEmptyAnswer } from './http-api.ts';
import { accessOf, repeatsSecret, requireHttp, urlOf } from './http-request.ts';
import { parsePlainJson } from './plain-json.ts';
import { ProviderError } from './provider-error.ts';
import { type RequestObserver, sendObserved } from './request-observer.ts';
import { clampToOneDay, retryAfterOf } from './retry-after.ts';
import type { Scheduler } from './scheduler.ts';
import type { RawResponse } from './transport.ts';
import { untilAborted } from './until-aborted.ts';

/** Attempts at one request, e.g. after a lost connection. */
const MAX_ATTEMPTS = 6;
/** Waits that one request accepts when the provider asks to wait. */
const MAX_WAITS = 12;
const IDLE_TIMEOUT_MS = 60_000;
/** An exchange may take this many idle timeouts in total, so that a dripping response is cut off. */
const MAX_EXCHANGE_FACTOR = 10;
/** Longer waits throw `rate-limited`; the sync engine then stores a delayed job. */
const MAX_INLINE_WAIT_MS = 90_000;

/** One request to a provider's HTTP API. */
export interface ProviderRequest<Body = unknown> {
  /** Path below the connector's `apiUrl`, e.g. `/user`, or a full URL of the same origin. */
  path: string;
  query?: Record<string, string | string[] | undefined>;
  headers?: Record<string, string>;
  /** Quota units that the request costs. An answer with status 304 costs none, but counts for the pace of requests. */
  units: number;
  /** Aborts this request only. */
  signal?: AbortSignal;
  /** Passes the body to `parse` as it came, in any charset. Default: as valid UTF-8. */
  isRaw?: boolean;
  /** Parses the JSON of the response; a SyntaxError makes the client retry. Default: parses up to 8 MB. */
  parse?(json: Buffer, headers: Headers): Body | Promise<Body>;
  /** The body: JSON unless `headers` say otherwise. Requests with one may be repeated, too. */
  text?: string;
  /** Default: POST with a body, otherwise GET. */
  method?: 'GET' | 'POST';
  /** The entity that is requested, for the connector's `classify`. */
  entity?: string;
  /** Classifies a response of status 200 that is a failure, as those of GraphQL are; undefined if it is none. */
  classify?(answer: ClassifiedAnswer<Body>): FailedAnswer | undefined;
}

/** A response of status 200 for `ProviderRequest.classify`. */
export interface ClassifiedAnswer<Body = unknown> {
  headers: Headers;
  body: Body;
  /** Time, ms since 1970. */
  now: number;
}

/** One request to a provider that does not speak HTTP. */
export interface Exchange<T> {
  /** Quota units that the request costs. */
  units: number;
  /** Aborts this request only. */
  signal?: AbortSignal;
  /** Sends the request once. Must end soon after the signal aborts, and after `idleTimeoutMs` without data. */
  send(attempt: { credentials: Credentials; signal: AbortSignal; idleTimeoutMs: number }): Promise<T>;
  /** Classifies a thrown error. Undefined means that the provider could not be reached; the client then retries. */
  classify(error: unknown, now: number): FailedAnswer | undefined;
}

/** A successful response. */
export interface ProviderAnswer<Body = unknown> {
  status: number;
  headers: Headers;
  /** The result of the request's `parse`; null for statuses without content (204, 304). */
  body: Body | null;
  /** Status of a failure that counts as a success without content. */
  emptyAt?: number | undefined;
  /** The final URL after redirects, without the parameters of `RequestAccess.query`. */
  url: string;
}

/** Options of a `ProviderClient`. */
export interface ClientOptions {
  connector: { title: string } & Partial<HttpApi>;
  scheduler: Scheduler;
  /** Returns usable credentials; renews them first when `refresh` is true, after the provider rejected the last ones. */
  credentials(refresh: boolean): Promise<Credentials>;
  signal: AbortSignal;
  /** Called when the client waits, with the end of the wait (ms since 1970). */
  onWait?: (until: number) => void;
  observe?: RequestObserver;
  /** The scheduler's clock. Default: real time. */
  clock?: Clock;
  /** Longest time without data from the provider, in real milliseconds. Default: one minute. */
  idleTimeoutMs?: number;
  /** Longest wait (ms) for the quota or a Retry-After; a longer one throws `rate-limited`. Default: 90 seconds. */
  waitTimeoutMs?: number;
}

/** Returns the delay (ms) before the next attempt: exponential backoff with jitter, 0.25 s to 32 s. */
export function backoff(attempt: number, random: () => number = Math.random): number {
  return 500 * 2 ** Math.min(attempt, 6) * (0.5 + random() / 2);
}

type Outcome<T> = { answer: T } | { failed: FailedAnswer; token?: string; retryAt?: number };
type Attempt<R> = R & { signal: AbortSignal };

/** A request with the functions of its transport: HTTP or an exchange. */
interface SendableRequest<Raw, T> {
  units: number;
  signal: AbortSignal;
  send(credentials: Credentials): Promise<Outcome<Raw>>;
  /** Returns the promise of the response body, if it is still being received. */
  body?(raw: Raw): Promise<unknown>;
  /** Parses the response. The next request may already be in flight. */
  read(raw: Raw): Outcome<T> | Promise<Outcome<T>>;
}

/** Calls one provider's API for one connection. Applies quota, retries and token refresh; throws ProviderError only. */
export class ProviderClient {
  readonly #options: ClientOptions;
  readonly #clock: Clock;
  /** Requests sent, retries included. */
  requests = 0;
  /** Quota units used by them. */
  units = 0;
  /** Milliseconds waited for the quota or because the provider asked to wait. */
  waitedMs = 0;
  #waitingUntil = 0;
  #refreshing: Promise<Credentials> | undefined;
  #lastRead: Promise<unknown> = Promise.resolve();

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  /** Requests worth starting ahead: those allowed in flight, and as many queued behind them. */
  get prefetchCount(): number {
    return 2 * this.#options.scheduler.concurrency;
  }

  /** Sends a request and parses the JSON of its response. @throws ProviderError */
  get<Body = unknown>(request: ProviderRequest<Body>): Promise<ProviderAnswer<Body>> {
    const attempt = { ...request, signal: this.#signalFor(request) };
    let token = '';
    return this.#runWithRetries({
      ...attempt,
      send: (credentials) => {
        token = credentials.accessToken;
        return this.#send(attempt, credentials);
      },
      body: (raw) => raw.bytes,
      read: async (raw) => {
        const bytes = await raw.bytes;
        const outcome = await this.#readInOrder(() => this.#read(request, raw, bytes));
        return 'failed' in outcome ? { ...outcome, token } : outcome;
      },
    });
  }

  /** Sends a request of another protocol than HTTP, e.g. IMAP. @throws ProviderError */
  exchange<T>(request: Exchange<T>): Promise<T> {
    const attempt = { ...request, signal: this.#signalFor(request) };
    return this.#runWithRetries({
      ...attempt,
      send: (credentials) => this.#exchange(attempt, credentials),
      read: (answer: T) => ({ answer }),
    });
  }

  /** Returns the values of the connect form without secrets: `{ site: 'acme' }`. @throws ProviderError */
  async fields(): Promise<Readonly<Record<string, string>>> {
    const { fields = {} } = await untilAborted(this.#credentials(undefined), this.#options.signal);
    return fields;
  }

  /** Returns whether a text has a secret of the connection, also encoded for an address. @throws ProviderError */
  async isSecretIn(text: string): Promise<boolean> {
    const credentials = await untilAborted(this.#credentials(undefined), this.#options.signal);
    return secretsIn(credentials).some((secret) => repeatsSecret(text, secret));
  }

  get #waitTimeoutMs(): number {
    return this.#options.waitTimeoutMs ?? MAX_INLINE_WAIT_MS;
  }

  #signalFor({ signal }: { signal?: AbortSignal }): AbortSignal {
    const own = this.#options.signal;
    return signal ? AbortSignal.any([own, signal]) : own;
  }

  async #runWithRetries<Raw, T>(request: SendableRequest<Raw, T>): Promise<T> {
    const { signal } = request;
    let refusedToken: string | undefined;
    let waits = 0;
    for (let failures = 0; ; ) {
      const outcome = await this.#attempt(request, refusedToken);
      const { scheduler } = this.#options;
      if ('answer' in outcome) return outcome.answer;
      const { failed } = outcome;
      if (failed.kind === 'retry-later' && failed.isOverloaded) scheduler.overloaded();
      if (failed.kind === 'fail') throw new ProviderError(failed.failure, failed.message);
      if (failed.kind === 'expired-token') {
        if (refusedToken !== undefined)
          throw new ProviderError(failed.failure ?? 'reauthorise', failed.message);
        refusedToken = outcome.token;
        continue;
      }
      refusedToken = undefined;
      if (failed.kind === 'retry-later') await this.#waitAsAsked(failed, waits++, signal);
      else if (++failures >= MAX_ATTEMPTS) throw new ProviderError('unavailable', failed.message);
      else await this.#backOff(failures - 1, outcome.retryAt, signal);
    }
  }

  /** Returns credentials other than the refused ones. Requests that are refused at the same time share one refresh. */
  async #credentials(refusedToken: string | undefined): Promise<Credentials> {
    const current = await (this.#refreshing ?? this.#options.credentials(false));
    if (current.accessToken !== refusedToken) return current;
    this.#refreshing ??= this.#options.credentials(true).finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  async #attempt<Raw, T>(
    request: SendableRequest<Raw, T>,
    refusedToken: string | undefined,
  ): Promise<Outcome<T>> {
    const { scheduler, connector } = this.#options;
    const { signal } = request;
    signal.throwIfAborted();
    try {
      // Other requests share the renewal, so it continues when this request is aborted.
      const credentials = await untilAborted(this.#credentials(refusedToken), signal);
      let sentAt = 0;
      const send = () => {
        sentAt = this.#clock.now();
        return request.send(credentials);
      };
      const sent = await scheduler.run(request.units, send, {
        signal,
        onWait: (until) => this.#recordWait(until),
        waitTimeoutMs: this.#waitTimeoutMs,
        body: (outcome) => ('answer' in outcome ? request.body?.(outcome.answer) : undefined),
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
    const end = this.#options.observe?.({});
    try {
      const { idleTimeoutMs = IDLE_TIMEOUT_MS } = this.#options;
      const boundedSignal = AbortSignal.any([
        signal,
        AbortSignal.timeout(MAX_EXCHANGE_FACTOR * idleTimeoutMs),
      ]);
      const answer = await request.send({ credentials, signal: boundedSignal, idleTimeoutMs });
      end?.('ok');
      return { answer };
    } catch (error) {
      end?.(signal.aborted ? 'aborted' : 'failed');
      signal.throwIfAborted();
      const failed = error instanceof ProviderError ? undefined : request.classify(error, this.#clock.now());
      if (failed === undefined) throw error;
      return { failed, token: credentials.accessToken };
    }
  }

  async #send(request: Attempt<ProviderRequest>, credentials: Credentials): Promise<Outcome<RawResponse>> {
    const { idleTimeoutMs = IDLE_TIMEOUT_MS } = this.#options;
    const connector = requireHttp(this.#options.connector);
    const access = accessOf(connector, credentials);
    const answer = await sendObserved(this.#options.observe, {
      url: urlOf(request, access.apiUrl),
      secretQuery: access.query,
      hosts: connector.hosts,
      maxBytes: connector.maxAnswerBytes,
      isRaw: request.isRaw,
      json: request.text,
      method: request.method,
      headers: {
        accept: 'application/json',
        // Google compresses responses only if the user agent contains "gzip" too.
        'user-agent': 'Datadeck (gzip)',
        ...request.headers,
        ...access.headers,
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
    if (status === 304) this.units -= request.units;
    if (status < 300 || status === 304) {
      this.#options.scheduler.pauseUntil(connector.pausedUntil?.(headers, this.#clock.now()) ?? 0);
      return { answer };
    }
    const body = await readErrorBody(answer);
    const now = this.#clock.now();
    const failed = connector.classify({ status, headers, body, now, entity: request.entity });
    if (isEmptyAnswer(failed))
      return { answer: { ...answer, status: 204, emptyAt: status, bytes: Promise.resolve(Buffer.alloc(0)) } };
    const retryAt = retryAfterOf(headers, now);
    return { failed, token: credentials.accessToken, ...(retryAt === undefined ? {} : { retryAt }) };
  }

  /** Reads responses one at a time in order of arrival, so that later ones do not delay the first. */
  #readInOrder<T>(read: () => Promise<T>): Promise<T> {
    const outcome = this.#lastRead.then(read);
    this.#lastRead = outcome.catch(() => undefined);
    return outcome;
  }

  async #read<Body>(
    request: ProviderRequest<Body>,
    { status, headers, url, emptyAt }: RawResponse,
    bytes: Buffer,
  ): Promise<Outcome<ProviderAnswer<Body>>> {
    const hasContent = status !== 204 && status !== 304;
    const { title } = this.#options.connector;
    const parse = request.parse ?? ((json: Buffer) => parsePlainJson(json, title) as Body);
    try {
      const body = hasContent ? await parse(bytes, headers) : null;
      const failed = body && request.classify?.({ headers, body, now: this.#clock.now() });
      if (failed && !isEmptyAnswer(failed)) return { failed };
      const known = { status, headers, url: url.href };
      return { answer: failed ? { ...known, body: null, emptyAt: status } : { ...known, body, emptyAt } };
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      const message = `${title} answered with something that is not JSON. Try again later.`;
      return { failed: { kind: 'retry', message } };
    }
  }

  async #backOff(attempt: number, retryAt: number | undefined, signal: AbortSignal): Promise<void> {
    const requestedMs = Math.min(this.#waitTimeoutMs, (retryAt ?? 0) - this.#clock.now());
    await this.#clock.pause(Math.max(backoff(attempt), requestedMs), signal);
  }

  async #waitAsAsked(
    failed: { until: Date | undefined; message: string },
    wait: number,
    signal: AbortSignal,
  ): Promise<void> {
    const now = this.#clock.now();
    const until = Math.max(clampToOneDay(failed.until?.getTime(), now) ?? 0, now + backoff(wait));
    this.#options.scheduler.pauseUntil(until);
    if (until - now > this.#waitTimeoutMs)
      throw new ProviderError('rate-limited', failed.message, { until: new Date(until) });
    if (wait >= MAX_WAITS)
      throw new ProviderError('rate-limited', failed.message, { until: new Date(now + 60_000) });
    this.#recordWait(until, now);
    await this.#clock.pause(until - now, signal);
  }

  #recordWait(until: number, from = this.#clock.now()): void {
    this.waitedMs += Math.max(0, until - Math.max(from, this.#waitingUntil));
    this.#waitingUntil = Math.max(this.#waitingUntil, until);
    this.#options.onWait?.(until);
  }
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError';
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error';
  if (isTimeout(error) || isTimeout(error.cause)) return 'it stopped responding';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message;
}
