import { TextDecoderStream, TransformStream } from 'node:stream/web';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type EventStream, openEventStream, reconnectDelay } from './event-stream.ts';

describe('reconnectDelay', () => {
  it('doubles from 1 s to 30 s', () => {
    expect([0, 1, 2, 5, 20].map(reconnectDelay)).toEqual([1000, 2000, 4000, 30_000, 30_000]);
  });
});

describe('openEventStream', () => {
  interface Connection {
    write: (text: string) => void;
    end: () => void;
  }
  let connections: Connection[];
  /** How the fake server answers the next request. */
  let answer: 'stream' | 'refuse' | 'fail';
  let requests: number;
  let stream: EventStream;
  const options = {
    url: '/api/events',
    token: 't',
    onData: vi.fn(),
    onReconnect: vi.fn(),
    onRefused: vi.fn(),
  };

  beforeEach(() => {
    vi.useFakeTimers();
    vi.clearAllMocks();
    // jsdom does not provide streams.
    vi.stubGlobal('TextDecoderStream', TextDecoderStream);
    connections = [];
    requests = 0;
    answer = 'stream';
    vi.stubGlobal('fetch', async (_url: string, { signal }: RequestInit) => {
      requests += 1;
      if (answer === 'fail') throw new TypeError('Failed to fetch');
      if (answer === 'refuse') return new Response('{}', { status: 401 });
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
      const writer = writable.getWriter();
      signal?.addEventListener('abort', () => void writer.abort(new Error('aborted')).catch(() => {}));
      connections.push({
        write: (text) => void writer.write(new TextEncoder().encode(text)),
        end: () => void writer.close(),
      });
      return new Response(readable as unknown as BodyInit);
    });
  });
  afterEach(() => {
    stream.close();
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });
  const wait = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);

  it('parses events split at any byte, and holds back an unfinished one', async () => {
    stream = openEventStream(options);
    await wait(0);
    for (const character of 'event: x\r\ndata: {"a":1}\r\n\r\n: heartbeat\n\ndata: b\ndata: c\n\ndata: d\n')
      connections[0]?.write(character);
    await wait(0);
    expect(options.onData.mock.calls).toEqual([['{"a":1}'], ['b\nc']]);
  });

  // @covers 4.same-download-stream
  it('reports the end of the session once, and does not reconnect', async () => {
    stream = openEventStream(options);
    await wait(0);
    connections[0]?.write('data: hello\n\n');
    await wait(0);
    expect(options.onData).toHaveBeenCalledWith('hello');
    answer = 'refuse';
    connections[0]?.end();
    await wait(1500);
    expect(options.onRefused).toHaveBeenCalledOnce();
    stream.wake();
    await wait(60_000);
    expect(requests).toBe(2);
  });

  it('reconnects immediately on wake', async () => {
    answer = 'fail';
    stream = openEventStream(options);
    await wait(40_000);
    const before = requests;
    answer = 'refuse';
    stream.wake();
    await wait(0);
    expect(requests).toBe(before + 1);
    expect(options.onRefused).toHaveBeenCalledOnce();
  });

  it('keeps a connection that sends heartbeats, and replaces a silent one', async () => {
    stream = openEventStream(options);
    await wait(0);
    for (let beats = 0; beats < 6; beats += 1) {
      await wait(20_000);
      connections[0]?.write(': heartbeat\n\n');
      stream.wake();
    }
    expect(requests).toBe(1);
    await wait(65_000);
    expect(requests).toBe(2);
    expect(options.onReconnect).toHaveBeenCalledOnce();
  });

  it('does not reconnect once it is closed', async () => {
    stream = openEventStream(options);
    await wait(0);
    stream.close();
    answer = 'refuse';
    await wait(60_000);
    expect(requests).toBe(1);
    expect(options.onRefused).not.toHaveBeenCalled();
  });
});
