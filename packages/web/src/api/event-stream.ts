import { createParser } from 'eventsource-parser';

/** Returns the backoff before a reconnection attempt, ms: 1 s, doubled for each attempt, at most 30 s. */
export function reconnectDelay(attempt: number): number {
  return Math.min(30_000, 1000 * 2 ** attempt);
}

/** Idle timeout, ms. The server sends a heartbeat every 20 s. */
const IDLE_TIMEOUT = 50_000;
/** Interval at which the idle timeout is checked, ms. */
const CHECK_INTERVAL = 10_000;

export interface EventStreamOptions {
  url: string;
  /** The session token. */
  token: string;
  onData: (data: string) => void;
  /** Called after a reconnection: events may have been missed in between. */
  onReconnect: () => void;
  /** Called when the server rejects the session. The stream is closed then. */
  onRefused: () => void;
}

/** An open stream. */
export interface EventStream {
  /** Reconnects now instead of after the backoff. Call it when the user returns to the page. */
  wake(): void;
  close(): void;
}

type End = 'lost' | 'refused';

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** Reads one connection until it ends. */
async function readOnce(
  options: EventStreamOptions,
  signal: AbortSignal,
  on: { open: () => void; byte: () => void },
): Promise<End> {
  const headers = { accept: 'text/event-stream', authorization: `Bearer ${options.token}` };
  const response = await fetch(options.url, { headers, signal, cache: 'no-store' });
  if (response.status === 401) return 'refused';
  if (!response.ok || response.body === null) return 'lost';
  on.open();
  const parser = createParser({ onEvent: ({ data }) => options.onData(data) });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return 'lost';
    on.byte();
    parser.feed(value);
  }
}

/** Reads connections until it is closed or the server rejects the session, with a backoff between connections. */
class ReconnectingEventStream implements EventStream {
  readonly #options: EventStreamOptions;
  readonly #closing = new AbortController();
  /** Aborts the current connection, or the pause before the next one. */
  #current = new AbortController();
  #attempt = 0;
  #wasOpen = false;
  #isPausing = false;
  #lastByteAt = 0;

  constructor(options: EventStreamOptions) {
    this.#options = options;
    const check = setInterval(() => this.#abortIfIdle(), CHECK_INTERVAL);
    this.#closing.signal.addEventListener('abort', () => clearInterval(check));
    void this.#run();
  }

  wake(): void {
    if (this.#isPausing) this.#current.abort();
    else this.#abortIfIdle();
  }

  close(): void {
    this.#closing.abort();
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    const on = { open: () => this.#onOpen(), byte: () => this.#onByte() };
    while (!signal.aborted) {
      this.#onByte();
      this.#isPausing = false;
      const end = await readOnce(this.#options, this.#nextSignal(), on).catch((): End => 'lost');
      if (signal.aborted) return;
      if (end === 'refused') {
        this.close();
        return this.#options.onRefused();
      }
      this.#isPausing = true;
      await pause(reconnectDelay(this.#attempt), this.#nextSignal());
      this.#attempt += 1;
    }
  }

  #nextSignal(): AbortSignal {
    this.#current = new AbortController();
    return AbortSignal.any([this.#closing.signal, this.#current.signal]);
  }

  #onByte(): void {
    this.#lastByteAt = Date.now();
  }

  #onOpen(): void {
    this.#onByte();
    this.#attempt = 0;
    if (this.#wasOpen) this.#options.onReconnect();
    this.#wasOpen = true;
  }

  #abortIfIdle(): void {
    if (!this.#isPausing && Date.now() - this.#lastByteAt > IDLE_TIMEOUT) this.#current.abort();
  }
}

/**
 * Reads the stream until it is closed or the server rejects the session. Reconnects with backoff after a lost or idle
 * connection, or at once on `wake`. Works in pages and in workers.
 */
export function openEventStream(options: EventStreamOptions): EventStream {
  return new ReconnectingEventStream(options);
}
