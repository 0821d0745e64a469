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

/**
 * Reads the stream until it is closed or the server rejects the session. Reconnects with backoff after a lost or idle
 * connection, or at once on `wake`. Works in pages and in workers.
 */
export function openEventStream(options: EventStreamOptions): EventStream {
  const closing = new AbortController();
  const { signal } = closing;
  let attempt = 0;
  let opened = false;
  let isPausing = false;
  let lastByteAt = 0;
  /** Aborts the current connection, or the pause before the next one. */
  let current = new AbortController();
  const nextSignal = () => {
    current = new AbortController();
    return AbortSignal.any([signal, current.signal]);
  };
  const onByte = () => {
    lastByteAt = Date.now();
  };
  const onOpen = () => {
    onByte();
    attempt = 0;
    if (opened) options.onReconnect();
    opened = true;
  };

  async function run(): Promise<void> {
    while (!signal.aborted) {
      onByte();
      isPausing = false;
      const end = await readOnce(options, nextSignal(), { open: onOpen, byte: onByte }).catch(
        (): End => 'lost',
      );
      if (signal.aborted) return;
      if (end === 'refused') {
        closing.abort();
        return options.onRefused();
      }
      isPausing = true;
      await pause(reconnectDelay(attempt), nextSignal());
      attempt += 1;
    }
  }

  const endIfIdle = () => {
    if (!isPausing && Date.now() - lastByteAt > IDLE_TIMEOUT) current.abort();
  };
  const check = setInterval(endIfIdle, CHECK_INTERVAL);
  signal.addEventListener('abort', () => clearInterval(check));
  void run();
  return {
    wake: () => (isPausing ? current.abort() : endIfIdle()),
    close: () => closing.abort(),
  };
}
