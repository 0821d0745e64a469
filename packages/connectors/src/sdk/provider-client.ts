import type { Connector, FailedAnswer } from './connector.ts';
import { ProviderError } from './provider-error.ts';
import { pause, type Scheduler } from './scheduler.ts';

const ATTEMPTS = 6;
const TIMEOUT_MS = 60_000;
/** Longer waits are left to the engine, which persists them. */
const INLINE_WAIT_MS = 90_000;
const REDIRECTS = 3;

export interface ProviderRequest {
  /** Path below the connector's API address, or a whole address of the same origin. */
  path: string;
  query?: Record<string, string | string[] | undefined>;
  headers?: Record<string, string>;
  /** Units of the quota. */
  units: number;
}

export interface ProviderAnswer {
  status: number;
  headers: Headers;
  /** Parsed JSON; null for an empty answer. */
  body: unknown;
  /** Where a redirect led, else the address asked. */
  url: string;
}

export interface ClientOptions {
  connector: Pick<Connector, 'title' | 'apiUrl' | 'classify'>;
  scheduler: Scheduler;
  /** A usable access token; `refresh` after the provider refused the last one. */
  accessToken(refresh: boolean): Promise<string>;
  signal: AbortSignal;
  /** Told when we wait, and until when (ms). */
  onWait?: (until: number) => void;
}

/** Exponential back-off with full jitter, 0.5 s to 32 s. */
export function backoff(attempt: number, random: () => number = Math.random): number {
  return 500 * 2 ** Math.min(attempt, 6) * (0.5 + random() / 2);
}

/** Calls one provider's API for one connection: quota, retries, token refresh, failures in our terms. */
export class ProviderClient {
  readonly #options: ClientOptions;
  /** Requests sent, retries included. */
  requests = 0;
  /** Milliseconds waited because the provider or its quota asked to. */
  waitedMs = 0;
  #waitingUntil = 0;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  get concurrency(): number {
    return this.#options.scheduler.concurrency;
  }

  /** GET of a JSON document. @throws ProviderError */
  async get(request: ProviderRequest): Promise<ProviderAnswer> {
    let refresh = false;
    for (let attempt = 0; ; attempt++) {
      const outcome = await this.#attempt(request, refresh);
      if ('answer' in outcome) return outcome.answer;
      const { failed } = outcome;
      if (failed.kind === 'fail') throw new ProviderError(failed.failure, failed.message);
      if (failed.kind === 'expired-token') {
        if (refresh) throw new ProviderError('reauthorise', failed.message);
        refresh = true;
        continue;
      }
      refresh = false;
      if (failed.kind === 'retry-later') await this.#holdBack(failed, attempt);
      else if (attempt + 1 >= ATTEMPTS) throw new ProviderError('unavailable', failed.message);
      else await pause(backoff(attempt), this.#options.signal);
    }
  }

  async #attempt(
    request: ProviderRequest,
    refresh: boolean,
  ): Promise<{ answer: ProviderAnswer } | { failed: FailedAnswer }> {
    const { scheduler, signal, connector } = this.#options;
    const token = await this.#options.accessToken(refresh);
    try {
      return await scheduler.run(request.units, () => this.#send(request, token), {
        signal,
        onWait: (until) => this.#noteWait(until),
      });
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (error instanceof ProviderError) throw error;
      return {
        failed: {
          kind: 'retry',
          message: `${connector.title} could not be reached (${reasonOf(error)}). Try again later.`,
        },
      };
    }
  }

  async #send(
    request: ProviderRequest,
    token: string,
  ): Promise<{ answer: ProviderAnswer } | { failed: FailedAnswer }> {
    const { connector, signal } = this.#options;
    let url = addressOf(request, connector.apiUrl);
    for (let hop = 0; ; hop++) {
      this.requests++;
      const response = await fetch(url, {
        headers: {
          accept: 'application/json',
          'user-agent': 'Datadeck',
          ...request.headers,
          authorization: `Bearer ${token}`,
        },
        redirect: 'manual',
        signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
      });
      const target = response.headers.get('location');
      if ([301, 302, 307, 308].includes(response.status) && target !== null && hop < REDIRECTS) {
        await response.body?.cancel();
        url = redirectOf(url, target, connector.title);
        continue;
      }
      const text = await response.text();
      const { status, headers } = response;
      if (!response.ok && status !== 304)
        return { failed: connector.classify({ status, headers, body: text }) };
      try {
        return { answer: { status, headers, body: text === '' ? null : JSON.parse(text), url: url.href } };
      } catch {
        return {
          failed: {
            kind: 'retry',
            message: `${connector.title} answered with something that is not JSON. Try again later.`,
          },
        };
      }
    }
  }

  async #holdBack(failed: { until: Date | undefined; message: string }, attempt: number): Promise<void> {
    const { scheduler, signal } = this.#options;
    const now = Date.now();
    const until = Math.max(failed.until?.getTime() ?? 0, now + backoff(attempt));
    scheduler.holdUntil(until);
    if (until - now > INLINE_WAIT_MS)
      throw new ProviderError('rate-limited', failed.message, { until: new Date(until) });
    if (attempt >= ATTEMPTS * 2)
      throw new ProviderError('rate-limited', failed.message, { until: new Date(now + 60_000) });
    this.#noteWait(until);
    await pause(until - now, signal);
  }

  #noteWait(until: number): void {
    this.waitedMs += Math.max(0, until - Math.max(Date.now(), this.#waitingUntil));
    this.#waitingUntil = Math.max(this.#waitingUntil, until);
    this.#options.onWait?.(until);
  }
}

function addressOf(request: ProviderRequest, apiUrl: string): URL {
  const url = new URL(request.path.startsWith('/') ? apiUrl + request.path : request.path);
  if (url.origin !== new URL(apiUrl).origin)
    throw new ProviderError('malformed', 'The provider pointed to another host; nothing was sent there.');
  for (const [name, value] of Object.entries(request.query ?? {})) {
    for (const item of Array.isArray(value) ? value : [value])
      if (item !== undefined) url.searchParams.append(name, item);
  }
  return url;
}

/** A redirect may not lead the token to another host. */
function redirectOf(from: URL, target: string, title: string): URL {
  const url = new URL(target, from);
  if (url.origin !== from.origin)
    throw new ProviderError('malformed', `${title} redirected to another host; nothing was sent there.`);
  return url;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error';
  if (error.name === 'TimeoutError') return 'no answer within 60 s';
  const cause = error.cause;
  if (cause instanceof Error && 'code' in cause && typeof cause.code === 'string') return cause.code;
  return error.message;
}
