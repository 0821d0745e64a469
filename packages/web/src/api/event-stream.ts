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

/** Milliseconds without a byte after which a connection counts as lost: the server sends a heartbeat every 20 s. */
const IDLE_TIMEOUT = 50_000;
/** How often the idle time is checked, ms. */
const LOOK_EVERY = 10_000;

export interface EventStreamOptions {
  url: string;
  /** The session's token. */
  token: string;
  onData: (data: string) => void;
  /** Called when a lost connection is open again: events in between were missed. */
  onReconnect: () => void;
  /** Called when the server no longer knows the session; the stream has ended. */
  onRefused: () => void;
}

/** An open stream. */
export interface EventStream {
  /** Tries again at once instead of after a pause, for when somebody returns to the page. */
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
  const feed = createEventParser(options.onData);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return 'lost';
    on.byte();
    feed(value);
  }
}

/**
 * Reads the stream until it is closed or the server refuses it. A lost or silent connection is opened again after
 * growing pauses, or at once on `wake`. Works in pages and in workers.
 */
export function openEventStream(options: EventStreamOptions): EventStream {
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
    if (!isPausing && Date.now() - heardAt > IDLE_TIMEOUT) turn.abort();
  };
  const watch = setInterval(look, LOOK_EVERY);
  signal.addEventListener('abort', () => clearInterval(watch));
  void run();
  return {
    wake: () => (isPausing ? turn.abort() : look()),
    close: () => whole.abort(),
  };
}
