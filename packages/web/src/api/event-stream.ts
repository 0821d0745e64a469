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

interface StreamOptions {
  url: string;
  prepareHeaders: (headers: Headers) => void;
  onData: (data: string) => void;
  /** After a connection that was lost is back. */
  onReconnect: () => void;
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

async function readOnce(options: StreamOptions, signal: AbortSignal, onOpen: () => void): Promise<boolean> {
  const headers = new Headers({ accept: 'text/event-stream' });
  options.prepareHeaders(headers);
  const response = await fetch(options.url, { headers, signal, cache: 'no-store' });
  if (response.status === 401 || response.status === 403) return false;
  if (!response.ok || response.body === null) return true;
  onOpen();
  const feed = createEventParser(options.onData);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return true;
    feed(value);
  }
}

/** Reads the stream until the returned function is called, reconnecting with growing pauses; ends on 401 and 403. */
export function openEventStream(options: StreamOptions): () => void {
  const controller = new AbortController();
  const { signal } = controller;
  async function run(): Promise<void> {
    let attempt = 0;
    let opened = false;
    while (!signal.aborted) {
      const goOn = await readOnce(options, signal, () => {
        attempt = 0;
        if (opened) options.onReconnect();
        opened = true;
      }).catch(() => true);
      if (!goOn) return;
      await pause(reconnectDelay(attempt), signal);
      attempt += 1;
    }
  }
  void run();
  return () => controller.abort();
}
