/** Collects the `data` of server-sent events from chunks of text, however they are cut. */
export function createEventParser(onData: (data: string) => void): (chunk: string) => void {
  let rest = '';
  let lines: string[] = [];
  return (chunk) => {
    const parts = (rest + chunk).split(/\r\n|\n|\r(?!$)/);
    rest = parts.pop() ?? '';
    for (const line of parts) {
      if (line === '') {
        if (lines.length > 0) onData(lines.join('\n'));
        lines = [];
      } else if (line.startsWith('data:')) lines.push(line.slice(line[5] === ' ' ? 6 : 5));
    }
  };
}

/** Milliseconds before the n-th reconnection: from 1 s, doubled up to 30 s. */
export function reconnectDelay(attempt: number): number {
  return Math.min(30_000, 1000 * 2 ** attempt);
}

/** Milliseconds without a byte after which a connection counts as lost: the server's heart beats every 20 s. */
const LONGEST_SILENCE = 50_000;
/** How often the silence is looked at, ms. */
const LOOK_EVERY = 10_000;

interface StreamOptions {
  url: string;
  prepareHeaders: (headers: Headers) => void;
  onData: (data: string) => void;
  /** After a connection that was lost is back. */
  onReconnect: () => void;
  /** The server no longer knows the session; the stream has ended. */
  onRefused: () => void;
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

async function readOnce(
  options: StreamOptions,
  signal: AbortSignal,
  on: { open: () => void; byte: () => void },
): Promise<End> {
  const headers = new Headers({ accept: 'text/event-stream' });
  options.prepareHeaders(headers);
  const response = await fetch(options.url, { headers, signal, cache: 'no-store' });
  if (response.status === 401) return 'refused';
  if (!response.ok || response.body === null) return 'lost';
  on.open();
  const feed = createEventParser(options.onData);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return 'lost';
    on.byte();
    feed(value);
  }
}

/** Somebody looks at the page again, or the network is back. */
function onReturn(listener: () => void, signal: AbortSignal): void {
  const onVisible = () => document.visibilityState === 'visible' && listener();
  document.addEventListener('visibilitychange', onVisible, { signal });
  window.addEventListener('focus', listener, { signal });
  window.addEventListener('online', listener, { signal });
}

/**
 * Reads the stream until the returned function is called or the server refuses it. What is lost is opened
 * again with growing pauses, and at once when somebody returns to the page; so is what has gone silent.
 */
export function openEventStream(options: StreamOptions): () => void {
  const whole = new AbortController();
  const { signal } = whole;
  let attempt = 0;
  let opened = false;
  let isPausing = false;
  let heardAt = 0;
  /** Ends the connection, or the pause before the next. */
  let turn = new AbortController();
  const nextTurn = () => {
    turn = new AbortController();
    return AbortSignal.any([signal, turn.signal]);
  };
  const onByte = () => {
    heardAt = Date.now();
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
      const end = await readOnce(options, nextTurn(), { open: onOpen, byte: onByte }).catch(
        (): End => 'lost',
      );
      if (signal.aborted) return;
      if (end === 'refused') {
        whole.abort();
        return options.onRefused();
      }
      isPausing = true;
      await pause(reconnectDelay(attempt), nextTurn());
      attempt += 1;
    }
  }

  const look = () => {
    if (!isPausing && Date.now() - heardAt > LONGEST_SILENCE) turn.abort();
  };
  const watch = setInterval(look, LOOK_EVERY);
  signal.addEventListener('abort', () => clearInterval(watch));
  onReturn(() => (isPausing ? turn.abort() : look()), signal);
  void run();
  return () => whole.abort();
}
